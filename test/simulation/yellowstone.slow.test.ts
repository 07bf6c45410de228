import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { key } from '@ti/core/base/base58.ts'
import { type Key, type Sig, ZERO_KEY } from '@ti/core/base/ids.ts'
import { createDecoder } from '@ti/core/decode/block.ts'
import type { Block } from '@ti/core/model/entries.ts'
import { LAUNCHPAD_PROGRAMS } from '@ti/core/model/programs.ts'
import type { RawTransaction } from '@ti/core/model/raw.ts'
import { decodeEntry } from '@ti/service/log/codec.ts'
import { createFollowed } from '@ti/service/source/followed.ts'
import { sizeOf } from '@ti/service/source/yellowstone/size.ts'
import { createYellowstone, YELLOWSTONE, type YellowstoneBounds } from '@ti/service/source/yellowstone/yellowstone.ts'
import { withVersions } from '../fakes/transaction-wire.ts'
import { chainOf, createFakeFiller, type FakeChain, LAUNCHPADS, simulateChain } from '../fakes/yellowstone-chain.ts'
import { createVirtualClock, type VirtualClock } from '../fakes/yellowstone-clock.ts'
import { createFakeNode, type Faults } from '../fakes/yellowstone-node.ts'
import { createFakeTransport } from '../fakes/yellowstone-transport.ts'
import { seeds } from '../support/chance.ts'
import { keyOf } from '../support/encode.ts'
import { seededRandom } from '../support/random.ts'
import { drawFaults } from './yellowstone-faults.ts'
import { withHistory } from './yellowstone-history.ts'
import { checkGaps, sourceOf, stateHash, type Told, tell } from './yellowstone-run.ts'

const SCHEDULES = 200
const SLOT_MS = 400
const TOKEN_2022 = key('TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb')
const SEEDS = seeds(SCHEDULES, 1_000)

let chain: FakeChain
let clean: string
let cleanEntries: readonly Buffer[]
let cleanBytes: Buffer

before(async () => {
  const simulated = await simulateChain({ slots: 120, seed: 7, tps: 6 })
  chain = chainOf(withVersions(withHistory(simulated.blocks), 7))
  const { entries } = await tell(sourceOf(chain.blocks), chain)
  clean = await stateHash(entries)
  cleanEntries = entries
  cleanBytes = Buffer.concat(entries)
})

/** The same entries fold to the same state: only others are folded. */
const stateOf = async (entries: readonly Buffer[]): Promise<string> =>
  Buffer.concat(entries).equals(cleanBytes) ? clean : stateHash(entries)

interface Scene {
  readonly clock: VirtualClock
  readonly nodes: ReturnType<typeof createFakeNode>[]
  readonly source: ReturnType<typeof createYellowstone>
}

interface SceneOptions {
  readonly chain: FakeChain
  readonly random: () => number
  readonly faults: readonly Partial<Faults>[]
  /** null: there is no filler */
  readonly lacks: ((slot: number) => boolean) | null
  readonly flaky?: number
  readonly latencyMs?: number
  readonly bounds?: Partial<YellowstoneBounds>
}

function setUp({ chain, random, faults, lacks, flaky = 0, latencyMs = 50, bounds }: SceneOptions): Scene {
  const start = chain.blocks[0]!.time * 1000
  const clock = createVirtualClock(start)
  const head = (): number => chain.first + 5 + Math.floor((clock.now() - start) / SLOT_MS)
  const nodes = faults.map((own) => createFakeNode({ chain, clock, head, random, faults: own }))
  const source = createYellowstone({
    name: 'yellowstone:fake',
    endpoints: nodes.map(createFakeTransport),
    filler: lacks === null ? null : createFakeFiller(chain, { clock, head, random, flaky, latencyMs, lacks }),
    accounts: LAUNCHPADS,
    followed: createFollowed(LAUNCHPAD_PROGRAMS),
    clock,
    random,
    bounds: { ...YELLOWSTONE, ...bounds },
  })
  return { clock, nodes, source }
}

/** A day of its clock is enough for anything here: what is not done then never ends. */
async function run(scene: Scene, chain: FakeChain, onItem: () => Promise<void> | void = () => {}): Promise<Told> {
  const stop = new AbortController()
  const late = scene.clock.sleep(86_400_000, stop.signal).then(() => {
    if (!stop.signal.aborted) throw new Error(`stuck: ${JSON.stringify(describe(scene))}`)
    return null
  })
  try {
    const told = await Promise.race([tell(scene.source, chain, { onItem }), late])
    return told as Told
  } finally {
    stop.abort()
    scene.clock.stop()
  }
}

const describe = ({ source }: Scene) => {
  const { counts, ...rest } = source.status!()
  return { ...rest, ...Object.fromEntries(counts) }
}

test('the chain has transactions of all versions', () => {
  const seen = new Set(chain.blocks.flatMap(({ transactions }) => transactions.map(({ version }) => version)))
  assert.deepEqual([...seen].sort(), [0, 1, 'legacy'])
})

test('the chain has events of all kinds, people and programs with tokens, hops and burns', () => {
  const seen = new Set<string>()
  for (const entry of cleanEntries.map((bytes, i) => decodeEntry(i, bytes)))
    for (const event of entry.kind === 'block' ? entry.events : []) {
      seen.add(event.kind)
      if (event.kind === 'trade' && event.hop) seen.add('hop')
      if (event.kind === 'balance') seen.add(event.program ? 'of a program' : 'of a person')
      if (event.kind === 'balance' && event.owner === ZERO_KEY && event.after > 0) seen.add('burn')
    }
  const kinds = [
    'balance',
    'create',
    'creator',
    'liquidity',
    'shares',
    'trade',
    'burn',
    'hop',
    'of a person',
    'of a program',
  ]
  assert.deepEqual(
    kinds.filter((kind) => !seen.has(kind)),
    [],
  )
})

test(`${SCHEDULES} fault schedules end in the state of the clean run`, async (t) => {
  const sums = new Map<string, number>()
  for (const seed of SEEDS) {
    const random = seededRandom(seed)
    const faults = drawFaults(random, chain)
    const heldBytes = random() < 0.3 ? 200_000 : YELLOWSTONE.heldBytes
    const pauseMs = random() < 0.3 ? random() * 800 : 0
    const flaky = random() < 0.5 ? 0 : random() * 0.5
    const scene = setUp({ chain, random, faults, lacks: () => false, flaky, bounds: { heldBytes } })
    const largest = Math.max(...chain.blocks.map(sizeOf)) * 2
    let held = 0
    const told = await run(scene, chain, async () => {
      held = Math.max(held, scene.source.status!().heldBytes)
      if (pauseMs > 0) await scene.clock.sleep(pauseMs * random(), new AbortController().signal)
    })
    const name = `seed ${seed}: ${JSON.stringify(faults)} ${JSON.stringify(describe(scene))}`
    assert.deepEqual(
      told.items.filter(({ kind }) => kind !== 'raw'),
      [],
      name,
    )
    assert.equal(await stateOf(told.entries), clean, name)
    assert.ok(held <= heldBytes + largest, `${name}: ${held} bytes were held`)
    for (const [event, times] of scene.source.status!().counts) sums.set(event, (sums.get(event) ?? 0) + times)
  }
  t.diagnostic([...sums].map(([event, times]) => `${event} ${times}`).join(', '))
})

test('what nobody has is named by gaps, and nothing else is', async () => {
  for (let seed = 2_000; seed < 2_020; seed++) {
    const random = seededRandom(seed)
    const share = random() * 0.3
    const never = new Set(chain.blocks.filter(() => random() < share).map(({ slot }) => slot))
    const lacks = (slot: number): boolean => never.has(slot)
    const faults = drawFaults(random, chain).map((own) => ({ ...own, lacks, forks: 0 }))
    const heldBytes = random() < 0.3 ? 400_000 : YELLOWSTONE.heldBytes
    const bounds = { heldBytes, rewindMs: 4_000, giveUpMs: 30_000 }
    const scene = setUp({ chain, random, faults, lacks, flaky: random() < 0.5 ? 0 : 0.3, bounds })
    const told = await run(scene, chain)
    const name = `seed ${seed}: ${never.size} blocks, ${JSON.stringify(faults)} ${JSON.stringify(describe(scene))}`
    assert.doesNotThrow(() => checkGaps(told, chain.blocks, lacks), name)
    assert.equal(
      scene.source.status!().missing,
      told.items.reduce((sum, item) => sum + (item.kind === 'gap' ? item.to - item.from + 1 : 0), 0),
      name,
    )
  }
})

test('without a filler every block is told or named by a gap', async () => {
  let gaps = 0
  for (let seed = 3_000; seed < 3_020; seed++) {
    const random = seededRandom(seed)
    const scene = setUp({ chain, random, faults: drawFaults(random, chain), lacks: null })
    const told = await run(scene, chain)
    const name = `seed ${seed}: ${JSON.stringify(describe(scene))}`
    assert.doesNotThrow(() => checkGaps(told, chain.blocks, () => true), name)
    gaps += told.items.filter(({ kind }) => kind === 'gap').length
  }
  assert.ok(gaps > 0, 'no schedule had a gap')
})

test('what one endpoint lacks the other has: nothing is fetched, and no hole is left', async () => {
  const random = seededRandom(1)
  const odd = { lacks: (slot: number) => slot % 2 === 1, disconnect: 0.01 }
  const even = { lacks: (slot: number) => slot % 2 === 0, disconnect: 0.01 }
  const scene = setUp({ chain, random, faults: [odd, even], lacks: () => true, bounds: { graceMs: 20_000 } })
  const told = await run(scene, chain)
  assert.equal(await stateOf(told.entries), clean)
  assert.equal(scene.source.status!().counts.get('unavailable_slots'), undefined)
})

test('an hour without any endpoint is fetched, and the streams go on behind it', async () => {
  const hours = await simulateChain({ slots: 9_400, seed: 3, tps: 0.4 })
  const outages = [[hours.first + 100, hours.first + 9_100] as const]
  const faults = [
    { outages, window: 150 },
    { outages, window: 150, claims: 'nothing' as const },
  ]
  // longer in all than a hole without progress may stand
  const latencyMs = 300
  const scene = setUp({ chain: hours, random: seededRandom(1), faults, lacks: () => false, flaky: 0.05, latencyMs })
  const told = await run(scene, hours)
  const plain = await tell(sourceOf(hours.blocks), hours)
  assert.equal(await stateHash(told.entries), await stateHash(plain.entries))
  const { counts } = scene.source.status!()
  assert.ok((counts.get('filled_slots') ?? 0) > 7_000, JSON.stringify(describe(scene)))
})

test('of a hole that is too long the oldest part is given up at once', async () => {
  const outages = [[chain.first + 20, chain.first + 120] as const]
  const bounds = { slotsMax: 40 }
  const scene = setUp({ chain, random: seededRandom(1), faults: [{ outages, window: 10 }], lacks: () => false, bounds })
  const told = await run(scene, chain)
  checkGaps(told, chain.blocks, () => true)
  const gaps = told.items.filter((item) => item.kind === 'gap')
  assert.equal(gaps.length, 1)
  const after = told.items[told.items.indexOf(gaps[0]!) + 1]
  assert.equal(after?.kind, 'raw')
  assert.equal(scene.source.status!().counts.get('given_up_at_once'), 1)
})

test('what a stream left out is asked of it once more before it is given up', async () => {
  const streams: number[] = []
  const lost = chain.blocks[60]!.slot
  const scene: Scene = setUp({
    chain,
    random: seededRandom(1),
    faults: [{ lacks: (slot) => slot === lost && streams.push(slot) === 1 }],
    lacks: null,
  })
  const told = await run(scene, chain)
  assert.equal(await stateOf(told.entries), clean)
  assert.equal(scene.source.status!().counts.get('rewinds'), 1)
})

/** The chain with a launch's tokens sent from a buyer to a stranger, and no launchpad beside it, `slots` blocks later. */
function withTransfer(slots: number): { chain: FakeChain; mint: Key; slot: number } {
  const decoder = createDecoder()
  const launch = chain.blocks.flatMap((block, place) =>
    decoder
      .decodeBlock(block)
      .events.flatMap((event) => (event.kind === 'create' ? [{ place, mint: event.mint }] : [])),
  )[0]!
  const { mint, place } = launch
  const keys = [1, 2, 3, 4].map((n) => keyOf(900 + n))
  const balance = (account: number, owner: number, amount: number) => ({
    ...{ account, mint, amount, decimals: 6 },
    owner: keys[owner]!,
  })
  const blocks = chain.blocks.map((block, i) => {
    if (i !== place + slots) return block
    const sent: RawTransaction = {
      ...{ signature: 'sent'.padEnd(64, '.') as Sig, index: 5_000, failed: false, inner: [], logs: [] },
      ...{ version: 'legacy', config: null, tables: [] },
      keys: [...keys, mint, TOKEN_2022],
      signers: 1,
      instructions: [{ program: 5, accounts: Uint8Array.of(2, 4, 3, 0), data: Buffer.of(12) }],
      ...{ preBalances: [], postBalances: [] },
      preTokens: [balance(2, 0, 900)],
      postTokens: [balance(2, 0, 300), balance(3, 1, 600)],
    }
    return { ...block, transactions: [...block.transactions, sent] }
  })
  return { chain: chainOf(blocks), mint, slot: blocks[place + slots]!.slot }
}

test('what is sent of a new launch is followed, as far as the endpoint lets us', async () => {
  const market = withTransfer(40)
  const balancesAt = async (accountsMost: number) => {
    const scene = setUp({
      chain: market.chain,
      random: seededRandom(1),
      faults: [{ accountsMost }],
      lacks: () => false,
    })
    const told = await run(scene, market.chain)
    const entry = told.entries
      .map((bytes, i) => decodeEntry(i, bytes))
      .find((one) => one.kind === 'block' && one.slot === market.slot)
    assert.equal(entry?.kind, 'block')
    const { events } = entry as Block
    return events.filter(
      (event) =>
        event.kind === 'balance' && event.mint === market.mint && event.outer === 0x7fff && event.txIndex === 5_000,
    )
  }
  assert.equal((await balancesAt(1_000)).length, 2)
  // the launchpads alone: nothing but that is missing
  assert.equal((await balancesAt(LAUNCHPADS.length)).length, 0)
})
