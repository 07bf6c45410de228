import assert from 'node:assert/strict'
import { test } from 'node:test'
import { key } from '@ti/core/base/base58.ts'
import type { Key } from '@ti/core/base/ids.ts'
import { createDecoder } from '@ti/core/decode/block.ts'
import { LAUNCHPAD_PROGRAMS, PUMP, TOKEN_2022_TEXT, TOKEN_TEXT } from '@ti/core/model/programs.ts'
import type { RawBlock, RawTransaction } from '@ti/core/model/raw.ts'
import { chainOf, LAUNCHPADS } from '../../../../../test/fakes/yellowstone-chain.ts'
import { createVirtualClock } from '../../../../../test/fakes/yellowstone-clock.ts'
import { createFakeNode } from '../../../../../test/fakes/yellowstone-node.ts'
import { createFakeTransport } from '../../../../../test/fakes/yellowstone-transport.ts'
import { rawTx } from '../../../../../test/support/encode.ts'
import { associatedTokenKey } from '../../base/token-account.ts'
import { createFollowed } from '../followed.ts'
import type { Holding } from '../followed-holders.ts'
import { createYellowstone, YELLOWSTONE } from './yellowstone.ts'

const START_MS = 1_760_000_000_000
const FIRST = 1_000
const BLOCKS = 80
/** places in the chain: a trade that shows the mint's token program, and the transfer */
const TRADE = 3
const SENDING = 60
const PROGRAMS = { 'the token program': key(TOKEN_TEXT), 'Token-2022': key(TOKEN_2022_TEXT) }

const named = (name: string): Key => name.padEnd(32, '.') as Key
const [BUYER, SENDER, RECEIVER, MINT, CURVE] = ['buyer', 'sender', 'receiver', 'mint', 'curve'].map(named) as Key[]

const transaction = (keys: readonly Key[], rest: Partial<RawTransaction>): RawTransaction =>
  rawTx({ version: 'legacy', inner: [], keys, ...rest })

const row = (account: number, owner: Key, amount: number) => ({ account, mint: MINT!, owner, amount, decimals: 6 })

/** A chain in which SENDER sends all it has to RECEIVER by `Transfer`, which names two accounts and their owner, no mint. */
function chainWith(program: Key) {
  const accountOf = (owner: Key): Key => associatedTokenKey(owner, MINT!, program)
  const traded = transaction([BUYER!, accountOf(BUYER!), named('no associated account'), PUMP], {
    // the first row teaches nothing: the account is not where the program would have it
    postTokens: [row(2, CURVE!, 900), row(1, BUYER!, 100)],
  })
  const sent = transaction([SENDER!, accountOf(SENDER!), accountOf(RECEIVER!), program], {
    instructions: [{ program: 3, accounts: Uint8Array.of(1, 2, 0), data: Buffer.of(3, 44, 1, 0, 0, 0, 0, 0, 0) }],
    preTokens: [row(1, SENDER!, 300)],
    postTokens: [row(1, SENDER!, 0), row(2, RECEIVER!, 300)],
  })
  const blocks: RawBlock[] = Array.from({ length: BLOCKS }, (_, i) => ({
    ...{ slot: FIRST + i, parent: FIRST + i - 1, time: START_MS / 1000 },
    transactions: i === TRADE ? [traded] : i === SENDING ? [sent] : [],
  }))
  return chainOf(blocks)
}

/** What comes of the transfer where `holdings` are followed from the first blocks on, set again after the trade. */
async function received(program: Key, holdings: readonly Holding[]) {
  const chain = chainWith(program)
  const clock = createVirtualClock(START_MS)
  const head = (): number => FIRST + 5 + Math.floor((clock.now() - START_MS) / 400)
  const node = createFakeNode({ chain, clock, head, random: () => 0.5 })
  const source = createYellowstone({
    name: 'yellowstone:fake',
    endpoints: [createFakeTransport(node)],
    filler: null,
    accounts: LAUNCHPADS,
    followed: createFollowed(LAUNCHPAD_PROGRAMS),
    clock,
    random: () => 0.5,
    bounds: YELLOWSTONE,
  })
  const stop = new AbortController()
  const decoder = createDecoder()
  try {
    for await (const item of source.items({ slot: FIRST - 1, time: START_MS / 1000, facts: 0 }, stop.signal)) {
      assert.equal(item.kind, 'raw')
      if (item.kind !== 'raw') continue
      const { slot } = item.block
      if (slot === FIRST || slot === FIRST + TRADE + 2) await source.followHolders!(holdings)
      if (slot !== FIRST + SENDING) continue
      const { followed, counts } = source.status!()
      const events = decoder.decodeBlock(item.block).events
      return { events, followed, only: counts.get('of_holders_only') ?? 0 }
    }
    throw new Error('the block never came')
  } finally {
    stop.abort()
    clock.stop()
  }
}

for (const [name, program] of Object.entries(PROGRAMS)) {
  test(`a plain Transfer of ${name} is seen where its sender is followed`, async () => {
    const { events, followed, only } = await received(program, [{ mint: MINT!, owner: SENDER! }])
    assert.deepEqual(
      events.map((event) => event.kind === 'balance' && [event.mint, event.owner, event.after]),
      [
        [MINT, SENDER, 0],
        [MINT, RECEIVER, 300],
      ],
    )
    assert.deepEqual([followed, only], [{ mints: 0, holders: 1, funders: 0 }, 1])
  })
}

test('nothing comes of it where somebody else is followed, or nobody', async () => {
  const other = await received(PROGRAMS['Token-2022'], [{ mint: MINT!, owner: BUYER! }])
  assert.deepEqual([other.events, other.followed, other.only], [[], { mints: 0, holders: 1, funders: 0 }, 0])
  const nobody = await received(PROGRAMS['Token-2022'], [])
  assert.deepEqual([nobody.events, nobody.followed, nobody.only], [[], { mints: 0, holders: 0, funders: 0 }, 0])
})
