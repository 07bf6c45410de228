import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { keyToBase58 } from '@ti/core/base/base58.ts'
import { SNAPSHOT_GROUPS } from '@ti/core/contract/resources.ts'
import type * as QueryModule from '@ti/core/query/create-query.ts'
import type * as CodecModule from '@ti/service/log/codec.ts'
import type * as NodeModule from '@ti/service/service/node.ts'
import { feedMarket } from '../test/soak/feed.ts'
import { createMarket } from '../test/soak/market.ts'
import type { Figures, Mints, Task } from './against.ts'

/** Runs one measurement of the program in `root`, in a process of its own, and prints its figures as JSON. */
const task: Task = JSON.parse(process.argv[2]!)
const load = (file: string): Promise<unknown> => import(pathToFileURL(join(task.root, 'src', file)).href)
const { openNode } = (await load('service/node.ts')) as typeof NodeModule
const { createQuery } = (await load('query/create-query.ts')) as typeof QueryModule
const { encodeEntry: encode } = (await load('log/codec.ts')) as typeof CodecModule

const SEED = 17
const WARMUP_COMMITS = 100
const ASKED = 300
const AGAIN = 11

const cpuMs = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}
const at = (sorted: readonly number[], share: number): number => sorted[Math.floor(sorted.length * share)]!
const ascending = (values: readonly number[]): number[] => [...values].sort((a, b) => a - b)

/** Prepares a history: `entries` of the market, in commits as large as a replay's. */
async function prepare(dir: string, entries: number): Promise<Figures> {
  const node = await openNode(dir)
  await feedMarket(node, createMarket(SEED, 'mixed'), { end: entries, commitEvents: 20_000, encode })
  const mints = { live: [] as string[], dead: [] as string[] }
  const live = new Set(node.store.liveTokenIds())
  for (let id = node.engine.globals.nextToken - 1; id >= 0; id--) {
    const list = live.has(id) ? mints.live : mints.dead
    if (list.length < ASKED) list.push(keyToBase58(node.store.token(id)!.mint))
  }
  writeFileSync(`${dir}.json`, JSON.stringify(mints))
  await node.close()
  return { live: mints.live.length, dead: mints.dead.length }
}

/** One commit per block, as in a service, with pauses in between. */
async function commits(dir: string, count: number, pauseMs: number): Promise<Figures> {
  const node = await openNode(dir, { serving: true })
  const { store } = node
  const took: number[] = []
  const { transaction } = store
  Object.assign(store, {
    transaction<T>(work: () => T): T {
      const began = performance.now()
      const result = transaction(work)
      took.push(performance.now() - began)
      return result
    },
  })
  const market = createMarket(SEED, 'mixed')
  let cpu = 0
  for (let done = 0; done < count + WARMUP_COMMITS; done++) {
    if (done === WARMUP_COMMITS) cpu = cpuMs()
    await feedMarket(node, market, { end: store.log.newest() + 2, commitEvents: 1, encode })
    await new Promise((next) => setTimeout(next, pauseMs))
  }
  const spent = cpuMs() - cpu
  await node.close()
  const sorted = ascending(took.slice(WARMUP_COMMITS))
  return {
    'live commit p50, ms': at(sorted, 0.5),
    'live commit p99, ms': at(sorted, 0.99),
    'live commit, CPU ms of the process': spent / count,
  }
}

/**
 * Opening with the first answer, then snapshots of tokens not requested before, then the same ones again. Without a
 * checkpoint thread, which would have to be compiled here.
 */
async function answers(dir: string, mints: Mints): Promise<Figures> {
  const [wall, cpu] = [performance.now(), cpuMs()]
  const node = await openNode(dir)
  const { engine, store } = node
  // what one of them rendered is kept, so each round has its own
  const newQuery = () => createQuery({ engine, store, now: () => 0 })
  newQuery().list('new')
  const figures: Record<string, number> = {
    'open and first answer, ms': performance.now() - wall,
    'open and first answer, CPU ms': cpuMs() - cpu,
  }
  for (const kind of ['live', 'dead'] as const) {
    const list = mints[kind]
    if (list.length === 0) continue
    const rounds = Array.from({ length: 1 + AGAIN }, () => {
      const query = newQuery()
      const began = cpuMs()
      for (const mint of list) {
        if (query.snapshot(mint, SNAPSHOT_GROUPS) === null) throw new Error(`${mint} is not known`)
      }
      return ((cpuMs() - began) * 1_000) / list.length
    })
    const [first, ...again] = rounds
    figures[`snapshot of a ${kind} token, the first, CPU µs`] = first!
    figures[`snapshot of a ${kind} token, later ones, CPU µs`] = at(ascending(again), 0.5)
  }
  await node.close()
  return figures
}

async function run(): Promise<Figures> {
  switch (task.kind) {
    case 'prepare':
      return prepare(task.dir, task.entries)
    case 'commits':
      return commits(task.dir, task.count, task.pauseMs)
    case 'answers':
      return answers(task.dir, task.mints)
  }
}

console.log(JSON.stringify(await run()))
process.exit(0)
