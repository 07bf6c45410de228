import { join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { UNKNOWN } from '@ti/core/decode/unknown.ts'
import type { RawBlock, RawTransaction } from '@ti/core/model/raw.ts'
import { createSimulator } from '@ti/lab/simulator/simulator.ts'
import { median, ROOT } from './service.ts'
import type { BenchRow } from './types.ts'

/**
 * Compares decoding by this program with another build, alternating in this process: `node --import tsx
 * bench/decode-against.ts OTHER_ROOT [ROUNDS]`, or `BENCH_AGAINST=OTHER_ROOT npm run bench -- decode`. Both must be
 * built. The result is the median ratio of CPU times of short rounds, so that other load hardly matters.
 */
const BAR = 0.95
const ROUNDS = 120
const WARM_UP = 20
const SLOTS = 60

interface Build {
  /** Events of the blocks, read by a decoder of its own, as the service reads them. */
  decode(blocks: readonly RawBlock[], noting: boolean): number
  readonly pumpswap: string
}

interface Modules {
  createDecoder(options?: object): { decodeBlock(block: RawBlock): { readonly events: readonly unknown[] } }
  PUMPSWAP: string
  createUnknownBook?(bounds: object): object
}

async function load(root: string): Promise<Build> {
  const parts = ['decode/block', 'model/programs', 'decode/programs', 'decode/unknown'].map((name) =>
    import(pathToFileURL(join(root, 'packages/core/src', `${name}.ts`)).href).catch((error: Error) => {
      // older builds lack unknown kinds, or have the programs' ids elsewhere
      if (name !== 'decode/block') return {}
      throw error
    }),
  )
  const { createDecoder, PUMPSWAP, createUnknownBook }: Modules = Object.assign({}, ...(await Promise.all(parts)))
  return {
    pumpswap: PUMPSWAP,
    decode(blocks, noting) {
      const unknown = noting ? createUnknownBook?.(UNKNOWN) : undefined
      const decoder = createDecoder(unknown === undefined ? {} : { unknown })
      return blocks.reduce((sum, block) => sum + decoder.decodeBlock(block).events.length, 0)
    },
  }
}

async function simulated(): Promise<RawBlock[]> {
  const blocks: RawBlock[] = []
  const source = createSimulator({ seed: 3, speed: 0, slots: SLOTS })
  for await (const item of source.items({ slot: -1, time: 0, facts: 0 }, new AbortController().signal))
    if (item.kind === 'raw') blocks.push(item.block)
  // materialises logs, which are created on access
  return blocks.map((block) => ({ ...block, transactions: block.transactions.map((tx) => ({ ...tx, logs: tx.logs })) }))
}

/** The blocks with each transaction changed; each build's own PumpSwap key stays in place. */
const changed = (blocks: readonly RawBlock[], change: (tx: RawTransaction) => RawTransaction): RawBlock[] =>
  blocks.map((block) => ({ ...block, transactions: block.transactions.map(change) }))

const fitted = (blocks: readonly RawBlock[], from: Build, to: Build): RawBlock[] =>
  changed(blocks, (tx) => ({
    ...tx,
    keys: tx.keys.map((key) => (key === from.pumpswap ? (to.pumpswap as typeof key) : key)),
  }))

/** User CPU time of one run, microseconds. */
function spent(task: () => number): number {
  const { user } = process.cpuUsage()
  task()
  return process.cpuUsage().user - user
}

export async function benchAgainst(root: string, rounds = ROUNDS): Promise<BenchRow[]> {
  const [now, then] = await Promise.all([load(ROOT), load(resolve(root))])
  const blocks = (await simulated()).filter(({ transactions }) => transactions.length > 0)
  const cases: Readonly<Record<string, readonly RawBlock[]>> = {
    'inner instructions': changed(blocks, (tx) => ({ ...tx, logs: null })),
    'logs alone': changed(blocks, (tx) => ({
      ...tx,
      inner: null,
      keys: [],
      instructions: [],
      preTokens: [],
      postTokens: [],
    })),
  }
  const rows: BenchRow[] = []
  for (const [name, ours] of Object.entries(cases))
    for (const noting of [false, true]) {
      const theirs = fitted(ours, now, then)
      const events = [now.decode(ours, noting), then.decode(theirs, noting)]
      const ratios: number[] = []
      for (let round = -WARM_UP; round < rounds; round++) {
        const tasks = [() => now.decode(ours, noting), () => then.decode(theirs, noting)]
        // the second one finds warm caches, so the order alternates
        const order = round % 2 === 0 ? [0, 1] : [1, 0]
        const times: number[] = []
        for (const i of order) times[i] = spent(tasks[i]!)
        if (round >= 0 && times[0]! > 0) ratios.push(times[1]! / times[0]!)
      }
      const ratio = median(ratios)
      rows.push({
        name: `decoding of ${name}${noting ? ', unknown kinds noted' : ''}, CPU time against another build`,
        ratio,
        bar: BAR,
        pass: ratio >= BAR,
        detail: `${events[0]} events (${events[1]}), ${ratios.length} rounds; quarters ${quarters(ratios)}`,
      })
    }
  return rows
}

function quarters(ratios: readonly number[]): string {
  const sorted = [...ratios].sort((a, b) => a - b)
  return [0.25, 0.75].map((share) => sorted[Math.floor(sorted.length * share)]!.toFixed(3)).join(' and ')
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [root, rounds] = process.argv.slice(2)
  if (root === undefined) throw new Error('the root of another build is missing')
  for (const { name, ratio, pass, detail } of await benchAgainst(root, Number(rounds ?? ROUNDS)))
    console.log(`${pass ? 'pass' : 'FAIL'}  ${ratio.toFixed(3)} ×  ${name}\n      ${detail}`)
}
