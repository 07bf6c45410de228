import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { keyFromBase58, keyToBase58 } from '@ti/core/base/base58.ts'
import type { Key, Sig } from '@ti/core/base/ids.ts'
import { LAUNCHPAD_PROGRAMS } from '@ti/core/model/programs.ts'
import type { RawBlock, RawTransaction } from '@ti/core/model/raw.ts'
import { writeSimulation } from '@ti/lab/cli/simulate.ts'
import type { Clock } from '@ti/service/base/clock.ts'
import type { BlockFiller } from '@ti/service/source/block-filler.ts'
import { openCapture } from '@ti/service/source/capture/capture.ts'
import { seededRandom } from '../support/random.ts'

/** Blocks behind the end. */
const TAIL = 8

/** A chain that was, block by block, as a capture holds it. */
export interface FakeChain {
  /** ascending */
  readonly blocks: readonly RawBlock[]
  readonly first: number
  readonly last: number
  /** slot of a block with some more behind it: as far as a test looks, because a real chain goes on */
  readonly end: number
  block(slot: number): RawBlock | undefined
  /** index of the first block at or after `slot` */
  place(slot: number): number
}

/** The blocks of a simulated market, through a capture file, with more skipped slots than it has itself. */
export async function simulateChain(options: { slots: number; seed: number; tps: number }): Promise<FakeChain> {
  const dir = mkdtempSync(join(tmpdir(), 'yellowstone-'))
  try {
    const file = join(dir, 'chain.capture')
    const { slots, seed, tps } = options
    await writeSimulation(file, { slots, seed: String(seed), tps: String(tps) })
    const capture = await openCapture(file)
    const blocks: RawBlock[] = []
    for await (const item of capture.items({ slot: -1, time: 0, facts: 0 }, new AbortController().signal))
      if (item.kind === 'raw') blocks.push(ofLaunchpads(item.block))
    return chainOf(spread(blocks, seededRandom(seed)))
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}

/** Without what no filter by programs finds: transfers that name no launchpad. */
function ofLaunchpads(block: RawBlock): RawBlock {
  const transactions = block.transactions.filter(({ keys }) => keys.some((key) => LAUNCHPAD_PROGRAMS.includes(key)))
  return { ...block, transactions }
}

/** One leader in ten misses some of his four slots. */
function spread(blocks: readonly RawBlock[], random: () => number): RawBlock[] {
  let parent = blocks[0]!.slot - 1
  return blocks.map(({ time, transactions }) => {
    const slot = parent + 1 + (random() < 0.1 ? 1 + Math.floor(random() * 4) : 0)
    const block = { slot, parent, time, transactions }
    parent = slot
    return block
  })
}

export function chainOf(blocks: readonly RawBlock[]): FakeChain {
  const bySlot = new Map(blocks.map((block) => [block.slot, block]))
  return {
    blocks,
    first: blocks[0]!.slot,
    last: blocks.at(-1)!.slot,
    end: blocks.at(-TAIL)!.slot,
    block: (slot) => bySlot.get(slot),
    place(slot) {
      let place = 0
      let high = blocks.length
      while (place < high) {
        const middle = (place + high) >> 1
        if (blocks[middle]!.slot < slot) place = middle + 1
        else high = middle
      }
      return place
    },
  }
}

/** Programs that are asked for, as a filter names them. */
export const LAUNCHPADS: readonly string[] = LAUNCHPAD_PROGRAMS.map(keyToBase58)

const filteredBefore = new WeakMap<RawBlock, Map<string, RawBlock>>()

/** The block as a filter for these accounts leaves it; the same one each time, because endpoints send it again and again. */
export function filtered(block: RawBlock, accounts: readonly string[]): RawBlock {
  const known = filteredBefore.get(block) ?? new Map<string, RawBlock>()
  filteredBefore.set(block, known)
  const name = accounts.join()
  const before = known.get(name)
  if (before !== undefined) return before
  const { slot, parent, time, transactions } = block
  const wanted: ReadonlySet<Key> = new Set(accounts.map((account) => keyFromBase58(account)!))
  const left = {
    slot,
    parent,
    time,
    transactions: transactions.filter(({ keys }) => keys.some((key) => wanted.has(key))),
  }
  known.set(name, left)
  return left
}

/** A transaction that has nothing to do with launchpads, as whole blocks are full of. */
function noise(slot: number, index: number): RawTransaction {
  const name = `noise ${slot} ${index}`
  return {
    signature: name.padEnd(64, '.') as Sig,
    index,
    version: 'legacy',
    config: null,
    tables: [],
    failed: false,
    signers: 1,
    keys: [name.padEnd(32, 'a') as Key, name.padEnd(32, 'b') as Key],
    instructions: [{ program: 1, accounts: Uint8Array.of(0), data: Buffer.from([1, 2, 3]) }],
    inner: [],
    logs: ['Program x invoke [1]'],
    preBalances: [5, 6],
    postBalances: [4, 7],
    preTokens: [],
    postTokens: [],
  }
}

export interface FakeFiller extends BlockFiller {
  /** slots asked for, in order */
  readonly asked: number[]
}

export interface FillerOptions {
  readonly clock: Clock
  /** newest slot there is now */
  readonly head: () => number
  readonly random: () => number
  /** share of calls that fail by chance */
  readonly flaky?: number
  /** slots that are never to be had */
  readonly lacks?: (slot: number) => boolean
  readonly latencyMs?: number
}

/** Blocks one by one, whole: with everything else that was in them. */
export function createFakeFiller(chain: FakeChain, options: FillerOptions): FakeFiller {
  const { clock, head, random, flaky = 0, lacks = () => false, latencyMs = 50 } = options
  const asked: number[] = []
  return {
    asked,
    async block(slot, signal) {
      asked.push(slot)
      await clock.sleep(latencyMs * (0.5 + random()), signal)
      if (signal.aborted) throw signal.reason
      if (slot > head() || lacks(slot) || random() < flaky) return 'unavailable'
      const block = chain.block(slot)
      if (block === undefined) return 'skipped'
      const { parent, time, transactions } = block
      const end = (transactions.at(-1)?.index ?? -1) + 1
      return { slot, parent, time, transactions: [...transactions, noise(slot, end), noise(slot, end + 1)] }
    },
  }
}
