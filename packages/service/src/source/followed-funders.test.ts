import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createCounts } from '@ti/core/base/counts.ts'
import { type Key, ZERO_KEY } from '@ti/core/base/ids.ts'
import type { ChainEvent } from '@ti/core/model/events.ts'
import { PUMP } from '@ti/core/model/programs.ts'
import type { RawTransaction } from '@ti/core/model/raw.ts'
import { rawTx, u32, u64 } from '../../../../test/support/encode.ts'
import { createFollowed } from './followed.ts'
import { createFollowedFunders } from './followed-funders.ts'
import { createFollowedHolders } from './followed-holders.ts'
import { createFollowedMints } from './followed-mints.ts'

const named = (name: string): Key => name.padEnd(32, '.') as Key
const [X, D, A, B, C, S, MINT] = ['x', 'd', 'a', 'b', 'c', 's', 'mint'].map(named) as [
  ...[Key, Key, Key, Key, Key, Key, Key],
]
const WIDE = { most: 100, mostOfOne: 100, mostOfBlock: 100 }

/** `from` pays wallets that had nothing. */
function paying(from: Key, to: readonly Key[], more: readonly Key[] = []): RawTransaction {
  const keys = [from, ...to, ZERO_KEY, ...more]
  const program = to.length + 1
  const data = Buffer.concat([u32(2), u64(7)])
  return rawTx({
    ...{ keys, inner: [], version: 'legacy' },
    instructions: to.map((_, i) => ({ program, accounts: Uint8Array.of(0, i + 1), data })),
    preBalances: keys.map((_, i) => (i > 0 && i <= to.length ? 0 : 50)),
    postBalances: keys.map(() => 7),
  })
}

const event = (kind: string, fields: object): ChainEvent => ({ kind, mint: MINT, ...fields }) as never
const trade = (user: Key): ChainEvent => event('trade', { user })

function open(bounds = { exchanges: WIDE, deployers: WIDE }) {
  const funders = createFollowedFunders(bounds)
  const counts = createCounts()
  return { funders, counts, see: (slot: number, ...txs: RawTransaction[]) => funders.observe(txs, slot, counts) }
}

test('a payment comes out when its wallet trades, is given tokens or launches, and only then', () => {
  const { funders, counts, see } = open()
  funders.set({ exchanges: [X], deployers: [D] })
  see(5, paying(X, [A, B]), paying(D, [C]), paying(S, [S]))
  const fact = (wallet: Key, funder: Key) => ({
    ...{ kind: 'funding', wallet, funder, slot: 5, exchange: funder === X, lamports: 7 },
  })
  assert.deepEqual(funders.fundingsOf([trade(S), event('migrate', {})]), [])
  assert.deepEqual(funders.fundingsOf([trade(A), trade(A)]), [fact(A, X)])
  assert.deepEqual(funders.fundingsOf([event('balance', { owner: C })]), [fact(C, D)])
  assert.deepEqual(funders.fundingsOf([event('create', { user: S, creator: B }), trade(A)]), [fact(B, X)])
  assert.deepEqual([...counts], [['payments_seen', 3]])
})

test('the first of two payments stays, whoever made the second', () => {
  const { funders, see } = open()
  funders.set({ exchanges: [X], deployers: [D] })
  see(5, paying(D, [A]))
  see(6, paying(X, [A]), paying(X, [B]), paying(D, [B]))
  assert.deepEqual(
    funders.fundingsOf([trade(A), trade(B)]).map(({ funder, slot }) => [funder, slot]),
    [
      [D, 5],
      [X, 6],
    ],
  )
})

test('deployers fill no book but their own, and what does not fit is counted', () => {
  const { funders, counts, see } = open({ exchanges: WIDE, deployers: { most: 3, mostOfOne: 2, mostOfBlock: 4 } })
  funders.set({ exchanges: [X], deployers: [D, S] })
  see(1, paying(X, [A]))
  const wallets = (from: string) => [0, 1, 2, 3, 4].map((n) => named(`${from}${n}`))
  see(2, paying(D, wallets('p')))
  see(3, paying(S, wallets('q').slice(0, 2)))
  assert.deepEqual(Object.fromEntries(counts), {
    payments_seen: 8,
    'payments_dropped:deployers': 3,
    'payments_forgotten:deployers': 1,
  })
  const out = funders.fundingsOf([A, ...wallets('p'), ...wallets('q')].map(trade))
  assert.deepEqual(
    out.map(({ wallet }) => wallet.replaceAll('.', '')),
    ['a', 'p1', 'q0', 'q1'],
  )
})

test('a list that is the same is no news, and who has just left it is still known by name', () => {
  const { funders } = open()
  const list = { exchanges: [X], deployers: [D] }
  assert.equal(funders.names(paying(X, [])), false)
  funders.set(list)
  funders.set(list)
  assert.deepEqual([funders.version, funders.size, funders.first(1)], [1, 2, [X]])
  funders.set({ exchanges: [X], deployers: [S] })
  assert.deepEqual([funders.version, funders.has(D), funders.has(S)], [2, false, true])
  assert.deepEqual([funders.names(paying(D, [])), funders.names(paying(A, []))], [true, false])
  funders.set({ exchanges: [X], deployers: [S] })
  assert.equal(funders.names(paying(D, [])), false)
})

test('a block goes on without what only the funders brought, and the rest of it is the same', async () => {
  const [mints, holders] = [createFollowedMints(5), createFollowedHolders(5)]
  const followed = createFollowed([PUMP], mints, holders)
  const counts = createCounts()
  mints.add(MINT)
  const only = paying(X, [A])
  const rest = [paying(X, [B], [PUMP]), paying(X, [C], [MINT]), paying(S, [])]
  const block = { slot: 9, parent: 8, time: 1, transactions: [only, ...rest] }
  assert.equal(followed.observe(block, counts), block, 'nobody is followed')
  followed.funders.set({ exchanges: [X], deployers: [] })
  assert.deepEqual(followed.observe(block, counts), { ...block, transactions: rest })
  assert.deepEqual(Object.fromEntries(counts), { of_funders_only: 1, payments_seen: 3 })
  assert.deepEqual(
    followed.funders.fundingsOf([A, B, C].map(trade)).map(({ wallet }) => wallet),
    [A, B, C],
  )
  assert.deepEqual([followed.has(X), followed.has(S)], [true, false])
})
