import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { key } from '@ti/core/base/base58.ts'
import { type Key, ZERO_KEY } from '@ti/core/base/ids.ts'
import { createDecoder } from '@ti/core/decode/block.ts'
import { createEngine, type Engine } from '@ti/core/engine/engine.ts'
import { priceOf } from '@ti/core/engine/tokens.ts'
import { LAUNCHPAD, VENUE } from '@ti/core/model/events.ts'
import { METEORA_DAMM_AUTHORITY, METEORA_DBC, METEORA_DBC_AUTHORITY, WRAPPED_SOL } from '@ti/core/model/programs.ts'
import type { RawTokenBalance, RawTransaction } from '@ti/core/model/raw.ts'
import { createStreams } from '@ti/core/query/streams.ts'
import { decodeEntry, encodeEntry } from '@ti/service/log/codec.ts'
import { hex, join, keyOf, sigOf, token, u8, u64, WHO } from '../../support/encode.ts'
import { createMemoryStore, type MemoryStore } from '../../support/memory-store.ts'
import * as meteora from '../../support/meteora.ts'
import { METEORA_DAMM } from '../../support/programs.ts'

/** A launch on Meteora's curve from creation to trades in its pool, as transactions, through decoder, log and engine. */

const SUPPLY = 1_000_000_000_000_000
const { mint, pool, creator } = WHO
const [ann, bob, eve, dan] = [101, 102, 103, 104].map(keyOf) as [Key, Key, Key, Key]
const TOKENS = key(meteora.TOKEN_PROGRAM_TEXT)
const FEE = 100n

interface World {
  readonly engine: Engine
  readonly store: MemoryStore
  /** what the chain says everybody holds, vaults included */
  readonly held: Map<Key, number>
  readonly curve: meteora.Piece
  readonly counts: ReadonlyMap<string, number>
  slot(...transactions: RawTransaction[]): void
  /** a transaction after which balances changed by `moves` */
  tx(payer: Key, calls: Parameters<typeof meteora.transaction>[1], moves: readonly [Key, number][]): RawTransaction
  swap(
    who: Key,
    isBuy: boolean,
    amount: bigint,
    also?: { complete?: boolean; gift?: readonly [Key, number] },
  ): RawTransaction
}

function createWorld(): World {
  const store = createMemoryStore()
  const engine = createEngine({ reader: store, walletsCached: 64 })
  const decoder = createDecoder({ resolvePool: () => undefined })
  const held = new Map<Key, number>()
  const curve = meteora.pieceOf(30e9, 1.073e15)
  let slot = 441_000_000
  let seq = 0
  let signed = 0
  /** each owner's token account is a key of the transaction */
  const rows = (owners: Iterable<Key>, keys: Key[]): RawTokenBalance[] =>
    [...owners].flatMap((owner) => {
      const account = `account ${owner.slice(0, 16)}`.padEnd(32) as Key
      if (!keys.includes(account)) keys.push(account)
      return held.has(owner) ? [token(keys.indexOf(account), mint, owner, held.get(owner)!)] : []
    })
  const world: World = {
    ...{ engine, store, held, curve, counts: decoder.counts },
    slot(...transactions) {
      const block = { slot: slot + 1, parent: slot, time: 1_790_000_000 + slot * 0.4, transactions }
      slot++
      const entry = decodeEntry(seq, encodeEntry(decoder.decodeBlock(block)))
      assert.ok(engine.apply(seq++, entry))
      store.write(engine.changes())
      engine.committed()
    },
    tx(payer, calls, moves) {
      const owners = new Set(moves.map(([owner]) => owner))
      const made = meteora.transaction(payer, calls)
      const keys = [...made.keys]
      const preTokens = rows(owners, keys)
      for (const [owner, amount] of moves) held.set(owner, (held.get(owner) ?? 0) + amount)
      const postTokens = rows(owners, keys)
      return { ...made, keys, preTokens, postTokens, signature: sigOf(signed++), index: -1 }
    },
    swap(who, isBuy, amount, { complete = false, gift } = {}) {
      const { swap, tokens } = quoted(curve, isBuy, amount)
      const more = complete ? [meteora.dbc(meteora.evtCurveComplete(pool))] : []
      const call = meteora.swapCall(meteora.swapAccounts(mint, WRAPPED_SOL, who), swap, more)
      const moved = isBuy ? tokens : -tokens
      const moves: [Key, number][] = [
        [METEORA_DBC_AUTHORITY, -moved],
        [who, moved],
      ]
      if (gift !== undefined) moves.push([who, -gift[1]], [gift[0], gift[1]])
      return world.tx(who, [call], moves)
    },
  }
  engine.apply(seq++, {
    kind: 'facts',
    time: 1_790_000_000,
    byOperator: true,
    facts: [{ kind: 'sol_price', usd: 200 }],
  })
  return world
}

/** A swap on the curve with a fee of 1 %, taken from the quote on both sides. */
function quoted(curve: meteora.Piece, isBuy: boolean, amount: bigint): { swap: meteora.Swap; tokens: number } {
  const fee = (gross: bigint): bigint => gross / FEE
  const net = isBuy ? amount - fee(amount) : amount
  const gross = isBuy ? meteora.buyFrom(curve, net) : meteora.sellTo(curve, amount)
  const output = isBuy ? gross : gross - fee(gross)
  const fees = [isBuy ? fee(amount) : fee(gross), 0n, 0n] as const
  const swap = { pool, isBuy, included: amount, excluded: net, output, root: curve.root, fees }
  return { swap, tokens: Number(isBuy ? output : amount) }
}

/** The creation, and the developer's own purchase in the same transaction. */
function launch(world: World, fields: Partial<meteora.Launch> = {}): void {
  const made = {
    call: 'createSpl',
    creator,
    payer: creator,
    config: meteora.CONFIG,
    quoteMint: WRAPPED_SOL,
    ...fields,
  } as const
  const create: meteora.Step = [
    METEORA_DBC,
    meteora.createAccounts(made),
    meteora.createData(made.call, 'Curve\u200b Cat', 'CUR\u202eVE', 'https://example.org/c.json'),
  ]
  const minted: meteora.Step = [TOKENS, [mint, meteora.BASE_VAULT, METEORA_DBC_AUTHORITY], join(u8(7), u64(SUPPLY))]
  const payload = meteora.dbc(meteora.evtInitializePool(pool, made.creator, mint))
  const { swap, tokens } = quoted(world.curve, true, 1_000_000_000n)
  const buy = meteora.swapCall(meteora.swapAccounts(mint, WRAPPED_SOL, made.payer), swap)
  const calls = [{ call: create, inner: [minted, payload] }, buy]
  world.slot(
    world.tx(made.payer, calls, [
      [METEORA_DBC_AUTHORITY, SUPPLY - tokens],
      [made.payer, tokens],
    ]),
  )
}

function migrate(world: World): void {
  const inner: meteora.Step[] = [
    [METEORA_DAMM, [], hex('955248c5fdfc440f')],
    meteora.damm(meteora.evtDammInitializePool(meteora.DAMM_POOL, mint, WRAPPED_SOL)),
  ]
  const call: meteora.Step = [
    METEORA_DBC,
    meteora.migrationAccounts(mint, WRAPPED_SOL),
    hex(meteora.CALLS.migrateDammV2),
  ]
  const left = world.held.get(METEORA_DBC_AUTHORITY)!
  const moves: [Key, number][] = [
    [METEORA_DBC_AUTHORITY, -left],
    [METEORA_DAMM_AUTHORITY, left],
  ]
  world.slot(world.tx(keyOf(120), [{ call, inner }], moves))
}

/** A swap in the pool, whose quote is `reserve` afterwards. */
function poolSwap(world: World, who: Key, piece: meteora.Piece, isBuy: boolean, amount: bigint, reserve: bigint): void {
  const { swap, tokens } = quoted(piece, isBuy, amount)
  const told: meteora.DammSwap = { ...swap, pool: meteora.DAMM_POOL, fees: [swap.fees[0], 0n, 0n, 0n], reserve }
  const accounts = meteora.dammSwapAccounts(mint, WRAPPED_SOL, who)
  const call: meteora.Step = [METEORA_DAMM, accounts, hex(meteora.CALLS.swap)]
  const signed = isBuy ? tokens : -tokens
  const inner = [meteora.damm(meteora.evtDammSwap(told))]
  world.slot(
    world.tx(
      who,
      [{ call, inner }],
      [
        [METEORA_DAMM_AUTHORITY, -signed],
        [who, signed],
      ],
    ),
  )
}

/** Holders as the engine has them are those the chain has, and no vault among them; nothing is lost. */
function assertHolders({ engine, store, held }: World): void {
  const live = engine.tokens.peek(mint)!
  const vaults = [METEORA_DBC_AUTHORITY, METEORA_DAMM_AUTHORITY]
  const truth = [...held].filter(([owner, amount]) => !vaults.includes(owner) && amount >= 1e6)
  const said = [...live.positions.values()].filter(({ balance }) => balance >= 1e6)
  const named = said.map(({ wallet, balance }) => [engine.wallet(wallet).address, balance] as const)
  assert.deepEqual(new Map(named), new Map(truth))
  assert.equal(live.token.holders, truth.length)
  for (const vault of vaults) {
    const id = store.walletIdByAddress(vault)
    assert.ok(id === undefined || !live.positions.has(id), 'a vault is no holder')
  }
  const inVaults = vaults.reduce((sum, vault) => sum + (held.get(vault) ?? 0), 0)
  assert.equal(live.token.owned + inVaults, SUPPLY)
}

const tokenOf = ({ engine }: World) => engine.tokens.peek(mint)!.token
const priceOnCurve = ({ curve }: World): number => {
  const { quote, base } = meteora.depthOf(curve)
  return quote / base
}

describe('a launch on Meteora’s bonding curve', () => {
  test('from its creation over the completion to trades in the pool it graduated to', () => {
    const world = createWorld()
    launch(world)
    const made = tokenOf(world)
    assert.deepEqual(
      [made.launchpad, made.supply, made.name, made.curve],
      [LAUNCHPAD.meteora_dbc, SUPPLY, 'Curve Cat', pool],
    )
    assert.equal(world.engine.wallet(made.deployer).address, creator)
    assertHolders(world)

    world.slot(world.swap(ann, true, 5_000_000_000n), world.swap(bob, true, 3_000_000_000n))
    world.slot(world.swap(ann, false, BigInt(world.held.get(ann)!) / 3n))
    // what changes hands beside a purchase in its transaction
    world.slot(world.swap(bob, true, 1_000_000_000n, { gift: [dan, 2_000_000_000_000] }))
    assertHolders(world)
    const { mcap, quoteReserve } = tokenOf(world)
    assert.ok(Math.abs(mcap / ((priceOnCurve(world) * SUPPLY * 200) / 1e9) - 1) < 1e-4, `market cap ${mcap}`)
    assert.ok(Math.abs(quoteReserve / meteora.depthOf(world.curve).quote - 1) < 1e-3)

    world.slot(world.swap(eve, true, 60_000_000_000n, { complete: true }))
    assert.ok(tokenOf(world).completeSlot > 0 && tokenOf(world).migratedSlot < 0)
    migrate(world)
    const done = tokenOf(world)
    assert.deepEqual([done.migratedSlot, done.pool], [done.completeSlot + 1, meteora.DAMM_POOL])
    assertHolders(world)

    const { quote: atEnd, base } = meteora.depthOf(world.curve)
    // the pool opens at the curve's last price, far less deep than the curve was
    const piece = meteora.pieceOf(atEnd / 10, base / 10)
    const reserve = BigInt(Math.round(atEnd / 10))
    poolSwap(world, dan, piece, true, 1_000_000_000n, reserve + 990_000_000n)
    poolSwap(world, ann, piece, false, BigInt(world.held.get(ann)!) / 2n, reserve)
    const after = tokenOf(world)
    assert.equal(after.ruggedSlot, -1)
    const { quote, base: poolBase } = meteora.depthOf(piece)
    assert.ok(Math.abs(priceOf(after) / (quote / poolBase) - 1) < 1e-6)
    assert.equal(after.quoteReserve, Number(reserve))
    assertHolders(world)

    // eight swaps, each told once; every one of them in its market
    assert.equal(after.trades, 8)
    const rows = world.store.tradesBack(after.lastTradeNo, 100)
    assert.deepEqual(rows.map(({ venue }) => venue).reverse(), [
      ...new Array(6).fill(VENUE.meteora_dbc),
      ...new Array(2).fill(VENUE.meteora_damm_v2),
    ])
    assert.deepEqual([...world.counts], [])
    const streams = createStreams({ engine: world.engine, store: world.store, bounds: { resumeMessages: 1_000 } })
    const told = streams['tokens:live'].read(0, 100).map(({ payload }) => JSON.parse(payload))
    const graduated = told.filter(({ type }) => type === 'token_graduated')
    assert.equal(graduated.length, 1)
    assert.deepEqual([graduated[0].data.name, graduated[0].data.slot], ['Curve Cat', done.migratedSlot])
    assert.equal(told.find(({ type }) => type === 'token_created').data.launchpad, 'meteora_dbc')
  })

  test('liquidity that leaves the pool is still a rug', () => {
    const world = createWorld()
    launch(world)
    world.slot(world.swap(eve, true, 60_000_000_000n, { complete: true }))
    migrate(world)
    const piece = meteora.pieceOf(20e9, 2e14)
    poolSwap(world, dan, piece, true, 1_000_000_000n, 20_990_000_000n)
    poolSwap(world, ann, meteora.pieceOf(1e9, 1e13), true, 10_000_000n, 1_009_900_000n)
    assert.equal(tokenOf(world).ruggedSlot, tokenOf(world).lastTradeSlot)
  })

  test('a trade of a few lamports moves the price and leaves the depth', () => {
    const world = createWorld()
    launch(world)
    world.slot(world.swap(ann, true, 5_000_000_000n))
    const before = tokenOf(world).quoteReserve
    world.slot(world.swap(bob, true, 2_000n))
    const { quoteReserve } = tokenOf(world)
    assert.ok(Math.abs(quoteReserve / before - 1) < 1e-3, `${before} → ${quoteReserve}`)
    assert.ok(Math.abs(priceOf(tokenOf(world)) / priceOnCurve(world) - 1) < 1e-6)
  })

  test('where the launchpad creates every pool, who pays for it is the launcher, and nobody if the launchpad does', () => {
    const bags = key('BAGSB9TpGrZxQbEsrEznv5jXXdwyP6AXerN8aVRiAmcv')
    for (const [payer, launcher] of [
      [ann, ann],
      [bags, null],
    ] as const) {
      const world = createWorld()
      launch(world, { creator: bags, payer })
      const { launchpad, deployer, launch: facts } = tokenOf(world)
      assert.equal(launchpad, LAUNCHPAD.bags)
      assert.equal(deployer < 0 ? null : world.store.wallet(deployer)!.address, launcher)
      assert.deepEqual([facts.creator, facts.payer], [bags, payer])
      assert.equal(world.store.walletIdByAddress(ZERO_KEY), undefined)
      assertHolders(world)
    }
  })

  test('a token first seen in the pool takes it for its market', () => {
    const world = createWorld()
    world.held.set(METEORA_DAMM_AUTHORITY, SUPPLY)
    poolSwap(world, dan, meteora.pieceOf(20e9, 2e14), true, 1_000_000_000n, 20_990_000_000n)
    const { pool: market, curve, launchpad } = tokenOf(world)
    assert.deepEqual([market, curve, launchpad], [meteora.DAMM_POOL, null, LAUNCHPAD.unknown])
    assertHolders(world)
  })
})
