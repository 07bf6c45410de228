import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { read } from '../conformance/guides/deploy-files.ts'
import { withNats } from '../nats.ts'
import type { RunningNode } from '../nodes/running.ts'
import { startPostgres } from '../postgres.mjs'
import { operatorOf } from '../simulation/service.ts'
import { eventually } from '../support/wait.ts'
import { openGround } from './cluster.ts'
import { FAULTS, type Fault, mountSmallDisk, type Scene } from './faults.ts'
import { noClient } from './live-chain.ts'
import { type Prometheus, startPrometheus } from './prometheus.ts'
import { withoutPrometheus } from './promtool.ts'

/**
 * A simulator for operations: running nodes on their own source, log and database, a real Prometheus with the shipped rules beside
 * them, and one fault after the other. Each is found within a minute by its alarm, by what `/readyz` says and by a line of the
 * log, and heals without a hand.
 */
const postgres = await startPostgres()
after(() => 'missing' in postgres || postgres.stop())
const skip = withoutPrometheus || withNats.skip || noClient || ('missing' in postgres && postgres.missing)

const FAKETIME = '/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1'
const withoutFaketime = !existsSync(FAKETIME) && 'libfaketime was not found: install the package faketime'
const MINUTES = 25
/** the fault is found within a minute, and gone as soon after its end */
const FOUND = { deadlineMs: 60_000 }
/** rules look back after a fault: a window of ten minutes is forty seconds here */
const GONE = { deadlineMs: 150_000 }

const home = mkdtempSync(join(tmpdir(), 'operations-home-'))
const disk = join(home, 'disk')
mkdirSync(disk)
const unmount = mountSmallDisk(disk)
/** What runs from before the first test until after the last: a hook of a hook would end with the first. */
const closing: (() => unknown)[] = []
const ends = { after: (end: () => unknown): void => void closing.push(end) }
after(async () => {
  for (const end of closing.reverse()) await end()
  if (typeof unmount !== 'string') unmount()
  rmSync(home, { recursive: true, force: true })
})

let scene: Scene
let prometheus: Prometheus

const detailsOf = async (node: RunningNode): Promise<string> =>
  (await fetch(`${operatorOf(node.url()!)}/readyz`).catch(() => null))?.text() ?? ''

if (!skip) {
  before(async () => {
    if ('missing' in postgres) return
    const ground = await openGround(ends, postgres, MINUTES, 3)
    const clock = join(home, 'clock')
    writeFileSync(clock, '+0\n')
    const faked = {
      ...{ LD_PRELOAD: FAKETIME, FAKETIME_TIMESTAMP_FILE: clock, FAKETIME_NO_CACHE: '1' },
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    }
    const ingest = ground.node('ingest', 'ingest')
    const serve = ground.node('serve', 'serve', withoutFaketime ? {} : faked, disk)
    await Promise.all([ingest.start(), serve.start()])
    const key = await serve.key()
    const headers = { authorization: `Bearer ${key}` }
    const ask = async (path: string) => (await fetch(`${serve.url()}${path}`, { headers }).catch(() => null))?.json()
    const mints = async (): Promise<string[]> => {
      let answer: unknown = null
      // a key is known to a node a few seconds after it was made
      await eventually('it lists tokens', async () => {
        answer = await ask('/v1/tokens/new')
        return Array.isArray((answer as { data?: unknown } | null)?.data)
      })
      return (answer as unknown as { data: { mint: string }[] }).data.map(({ mint }) => mint)
    }
    const readTrades = async (of: readonly string[]): Promise<void> => {
      for (const mint of of) await ask(`/v1/tokens/${mint}/trades`)
    }
    scene = { ground, postgres, ingest, serve, clock, mints, readTrades }
    prometheus = await startPrometheus(ends, () => [ingest, serve].map((node) => new URL(operatorOf(node.url()!)).host))
    await eventually('all is well', isWell, { ...GONE, seen: () => last })
  })
}

let last = ''
async function isWell(): Promise<boolean> {
  const details = await Promise.all([scene.ingest, scene.serve].map(detailsOf))
  last = details.join() + [...(await prometheus.firing())]
  return (
    details.every((text) => text.includes('"ready":true')) &&
    [...(await prometheus.firing())].every((name) => LASTING.has(name))
  )
}

const reasonOf = ({ name }: Fault): string | false => {
  if (skip) return skip
  if (name === 'clock jump') return withoutFaketime
  return name === 'disk full' && typeof unmount === 'string' && unmount
}

/**
 * One says for an hour what happened, one is true of a disk as small as this one, and one looks back for less time here than passes
 * between two prices.
 */
const LASTING: ReadonlySet<string> = new Set(['StateFoldedAgain', 'DiskFullSoon', 'NoPriceOfSol'])

for (const fault of FAULTS) {
  test(`${fault.name}: found within a minute and healed by itself`, {
    skip: reasonOf(fault),
    timeout: 400_000,
  }, async (t) => {
    const { alarm, also, says, logs } = fault
    const node = scene[fault.of]
    const begun = performance.now()
    let said = ''
    let firing: ReadonlySet<string> = new Set()
    try {
      await fault.begin(scene)
      await eventually(
        '/readyz says it',
        async () => {
          said = await detailsOf(node)
          return says.test(said)
        },
        { ...FOUND, seen: () => said },
      )
      const saidMs = performance.now() - begun
      await eventually(
        `${alarm} fires`,
        async () => {
          firing = await prometheus.firing()
          return firing.has(alarm)
        },
        { ...FOUND, seen: () => [...firing].join() },
      )
      t.diagnostic(`/readyz after ${Math.round(saidMs)} ms, ${alarm} after ${Math.round(performance.now() - begun)} ms`)
      for (const summary of await prometheus.summaries()) assert.doesNotMatch(summary, /<no value>|^ | {2}/)
    } finally {
      await fault.end(scene)
    }
    const seen = new Set<string>()
    await eventually(
      'it heals without a hand',
      async () => {
        firing = await prometheus.firing()
        for (const name of firing) seen.add(name)
        const details = await Promise.all([scene.ingest, scene.serve].map(detailsOf))
        last = details.join()
        const isReady = details.every((text) => text.includes('"ready":true'))
        return isReady && [...firing].every((name) => LASTING.has(name))
      },
      { ...GONE, seen: () => `${[...firing].join()}: ${last}` },
    )
    t.diagnostic(`fired: ${[...seen].join()}`)
    assert.deepEqual(
      [...seen].filter((name) => name !== alarm && !also.includes(name) && !LASTING.has(name)),
      [],
      'an alarm that has nothing to do with it',
    )
    assert.match(node.said(), logs)
  })
}

test('the table of faults in the documents is this one', () => {
  const [, section = ''] = read('docs/monitoring.md').split('## Six faults')
  const rows = [...section.split('\n## ')[0]!.matchAll(/^\| (?!fault|---)([^|]+) \| .*`(\w+)` \|/gm)]
  assert.deepEqual(
    rows.map(([, name, alarm]) => [name!.trim(), alarm]),
    FAULTS.map(({ name, alarm }) => [name, alarm]),
  )
})
