import '@ti/lab/register.ts'
import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { AppStatus } from '@ti/core/contract/app.ts'
import { createDecoder } from '@ti/core/decode/block.ts'
import { createUnknownBook, type UnknownKind } from '@ti/core/decode/unknown.ts'
import { PUMP } from '@ti/core/model/programs.ts'
import type { RawBlock, RawInstruction, RawTransaction } from '@ti/core/model/raw.ts'
import { openSource } from '@ti/service/source/open.ts'
import { type FakeNode, startFakeNode } from '../../fakes/rpc.ts'
import { EMPTY, simulatedBlocks } from '../../fakes/rpc-scene.ts'
import { command, operatorOf, type Started, startService } from '../../simulation/service.ts'
import { u64 } from '../../support/encode.ts'
import { at, list, read, yaml } from '../guides/deploy-files.ts'

/** A program is upgraded while the service runs: it must say so itself, wherever somebody looks. */
const dir = mkdtempSync(join(tmpdir(), 'unknown-'))
const dataDir = join(dir, 'data')
const SELF_CPI = 'e445a52e51cb9a1d'
const TRADE = 'bddb7fd34ee661ee'
const NEW_EVENT = Buffer.concat([Buffer.from('0badc0ffee0badc0', 'hex'), u64(7), u64(8)])

/** The market after an upgrade of pump: its trades have 29 bytes more, and each brings an event that is new. */
function upgraded(block: RawBlock): RawBlock {
  const change =
    ({ keys }: RawTransaction) =>
    ({ program, accounts, data }: RawInstruction): RawInstruction[] => {
      const isTrade = keys[program] === PUMP && data.toString('hex', 0, 16) === SELF_CPI + TRADE
      if (!isTrade) return [{ program, accounts, data }]
      const longer = Buffer.concat([data, Buffer.alloc(29, 1)])
      const added = Buffer.concat([data.subarray(0, 8), NEW_EVENT])
      return [
        { program, accounts, data: longer },
        { program, accounts, data: added },
      ]
    }
  const transactions = block.transactions.map((tx) => {
    const inner = tx.inner?.map(({ outer, instructions }) => ({
      outer,
      instructions: instructions.flatMap(change(tx)),
    }))
    // what a source reads lazily is no property of its own
    return new Proxy(tx, { get: (of, name) => (name === 'inner' ? (inner ?? null) : Reflect.get(of, name, of)) })
  })
  return { ...block, transactions }
}

/** Trades of pump that happened. */
const tradesIn = (blocks: readonly RawBlock[]): number =>
  blocks
    .flatMap(({ transactions }) => transactions)
    .filter(({ failed }) => !failed)
    .flatMap(({ keys, inner }) => (inner ?? []).flatMap(({ instructions }) => instructions.map((it) => ({ keys, it }))))
    .filter(({ keys, it }) => keys[it.program] === PUMP && it.data.toString('hex', 0, 16) === SELF_CPI + TRADE).length

test('the simulated market holds nothing that is not known', async () => {
  const book = createUnknownBook({ kinds: 100, lengths: 100, bytes: 10 })
  const decoder = createDecoder({ unknown: book })
  let blocks = 0
  for await (const item of (await openSource('simulator:speed=0&trades=6000')).items(
    EMPTY,
    new AbortController().signal,
  )) {
    if (item.kind !== 'raw') continue
    decoder.decodeBlock(item.block)
    blocks++
  }
  assert.ok(blocks > 100)
  assert.deepEqual(book.kinds(), [])
})

describe('an upgrade of pump, by way of a node', () => {
  let blocks: RawBlock[]
  let node: FakeNode
  let service: Started
  let url: string
  const at1 = { from: 8, upgrade: 20, stop: 40 }

  before(async () => {
    const market = await simulatedBlocks({ seed: 31, tps: 40, slots: 70 })
    blocks = market.map((block, i) => (i < at1.upgrade ? block : upgraded(block)))
    node = await startFakeNode(blocks)
    node.advance(blocks[at1.from]!.slot)
    await start()
  })
  after(async () => {
    service.child.kill('SIGTERM')
    await service.exit
    await node.close()
    rmSync(dir, { recursive: true, force: true })
  })

  async function start(): Promise<void> {
    const SOURCE = `rpc:${node.url}?mode=poll&rps=900`
    service = startService({ DATA_DIR: dataDir, SOURCE, OBSERVE: 'off', PAYMENTS: 'off' })
    url = await service.url
  }
  const ask = async (path: string, headers: Record<string, string> = {}) => fetch(`${url}${path}`, { headers })
  const monitor = (path: string) => fetch(operatorOf(url) + path)
  interface Readyz {
    readonly slot: number
    readonly reason: string | null
    readonly unknown: { kinds: number; count: number; last_seen: string | null; list: Record<string, unknown>[] }
  }
  async function readyzAt(slot: number): Promise<Readyz> {
    node.advance(slot)
    for (let tries = 0; tries < 1_000; tries++) {
      const now = (await (await monitor('/readyz')).json()) as Readyz
      if (now.slot >= slot) return now
      await pause(50)
    }
    throw new Error(`slot ${slot} was never folded`)
  }
  const isoOf = (block: RawBlock): string => new Date(Math.floor(block.time) * 1000).toISOString().slice(0, 19)
  const trades = (to: number): number => tradesIn(blocks.slice(at1.upgrade, to + 1))

  test('before it nothing is said', async () => {
    const { unknown } = await readyzAt(blocks[at1.upgrade - 1]!.slot)
    assert.deepEqual(unknown, { kinds: 0, count: 0, last_seen: null, list: [] })
    assert.match(await (await monitor('/metrics')).text(), /^ti_unknown_kinds 0\nti_unknown_seen|^ti_unknown_kinds 0$/m)
    assert.equal(existsSync(join(dataDir, 'unknown.json')), false)
    assert.match(await command('unknown', '--data-dir', dataDir), /^nothing/)
  })

  test('then /readyz lists the new event and the new length, and is not unready for it', async () => {
    const { unknown, reason } = await readyzAt(blocks[at1.stop]!.slot)
    const expected = trades(at1.stop)
    assert.ok(expected > 20, `${expected} trades`)
    assert.doesNotMatch(reason ?? '', /unknown|event/)
    const fresh = unknown.list.filter(({ discriminator }) => discriminator === '0badc0ffee0badc0')
    assert.deepEqual(
      fresh.map(({ program, what, why, length, count }) => [program, what, why, length, count]),
      [['pump', 'event', 'unknown', 24, expected]],
    )
    const longer = unknown.list.filter(({ discriminator }) => discriminator === TRADE)
    assert.ok(longer.length > 0)
    assert.deepEqual(new Set(longer.map(({ name, why }) => `${name} ${why}`)), new Set(['TradeEvent length']))
    assert.equal(
      longer.reduce((sum, { count }) => sum + Number(count), 0),
      expected,
    )
    assert.equal(unknown.count, 2 * expected)
    assert.equal(unknown.kinds, unknown.list.length)
    const last = blocks.slice(0, at1.stop + 1).findLast((block, i) => i >= at1.upgrade && tradesIn([block]) > 0)!
    assert.equal(unknown.last_seen?.slice(0, 19), isoOf(last))
  })

  test('the metric has a series for each kind, and the alarm fires within the hour and is silent after it', async () => {
    const text = await (await monitor('/metrics')).text()
    const count =
      /^ti_unknown_total\{program="pump",what="event",why="unknown",discriminator="0badc0ffee0badc0",length="24"\} (\d+)$/m.exec(
        text,
      )?.[1]
    assert.equal(Number(count), trades(at1.stop))
    const seen = Number(/^ti_unknown_seen_timestamp_seconds (\S+)$/m.exec(text)?.[1])
    const rules = list(at(yaml(read('deploy/prometheus/alerts.yml'))[0], 'groups')).flatMap((group) =>
      list(at(group, 'rules')),
    )
    const rule = rules.find((one) => at(one, 'alert') === 'ProgramUpgraded')
    const [, bound] = /^time\(\) - ti_unknown_seen_timestamp_seconds < (\d+)$/.exec(String(at(rule, 'expr'))) ?? []
    const fires = (time: number): boolean => time - seen < Number(bound)
    assert.deepEqual([fires(seen), fires(seen + 3_599), fires(seen + 3_601)], [true, true, false])
    const never = 0
    assert.equal(blocks[0]!.time - never < Number(bound), false, 'silent where nothing was ever seen')
  })

  test('the status page is told the same', async () => {
    const session = await ask('/app/session', { 'sec-fetch-site': 'same-origin' })
    const cookie = session.headers.get('set-cookie')!.split(';')[0]!
    const answer = await ask('/app/status', { 'sec-fetch-site': 'same-origin', cookie })
    const status = AppStatus.parse(((await answer.json()) as { data: unknown }).data)
    const { unknown } = (await (await monitor('/readyz')).json()) as Readyz
    assert.deepEqual(status.unknown, unknown)
  })

  test('the command lists it beside the running service, and writes a capture that shows it again', async () => {
    const listed = await command('unknown', '--data-dir', dataDir)
    assert.match(listed, /^program +what +name or discriminator/)
    assert.match(listed, /^pump +event +0badc0ffee0badc0 +24 +unknown/m)
    assert.match(listed, /^pump +event +TradeEvent bddb7fd34ee661ee +\d+ +length/m)
    const kinds = JSON.parse(await command('unknown', '--data-dir', dataDir, '--json')) as UnknownKind[]
    const capture = join(dir, 'sent.capture')
    assert.match(
      await command('unknown', '--data-dir', dataDir, '--capture', capture),
      new RegExp(`${kinds.length} kinds$`, 'm'),
    )
    const again = join(dir, 'again')
    const replayed = JSON.parse(await command('replay', capture, '--data-dir', again, '--json'))
    assert.equal(replayed.skipped['unknown_event:pump'], 1)
    const book = createUnknownBook({ kinds: 100, lengths: 100, bytes: 2_000 })
    const decoder = createDecoder({ unknown: book })
    for await (const item of (await openSource(`capture:${capture}?speed=0`)).items(
      EMPTY,
      new AbortController().signal,
    ))
      if (item.kind === 'raw') decoder.decodeBlock(item.block)
    const ids = (all: readonly UnknownKind[]) =>
      all.map((k) => `${k.discriminator} ${k.length} ${k.why} ${k.bytes} ${k.firstSlot} ${k.signature}`).sort()
    assert.deepEqual(ids(book.kinds()), ids(kinds))
  })

  test('a restart goes on counting, and counts nothing twice', async () => {
    service.child.kill('SIGTERM')
    assert.equal((await service.exit).code, 0)
    await start()
    const before = (await (await monitor('/readyz')).json()) as Readyz
    assert.equal(before.unknown.count, 2 * trades(at1.stop))
    const last = blocks.length - 1
    const { unknown } = await readyzAt(blocks[last]!.slot)
    assert.ok(trades(last) > trades(at1.stop))
    assert.equal(unknown.count, 2 * trades(last))
  })
})
