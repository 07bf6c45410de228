import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { TokenEventRow, TradeRow } from '@ti/core/model/rows.ts'
import type { Position, Token } from '@ti/core/model/state.ts'
import { drained } from '../../../../test/support/drained.ts'
import {
  actor,
  changes,
  commit,
  emptyDir,
  type Given,
  globals,
  keyOf,
  position,
  token,
  trade,
  wallet,
} from '../../../../test/support/store-scene.ts'
import { encodeEntry } from '../log/codec.ts'
import { openStore } from './open.ts'
import type { Store } from './store.ts'
import { checkState } from './verify.ts'

function opened(t: TestContext, dir: string): Store {
  const store = openStore(dir)
  t.after(() => store.close())
  return store
}

const ids = <T>(count: number, of: (id: number) => T): T[] => Array.from({ length: count }, (_, id) => of(id))

test('what was written is read back', (t) => {
  const store = opened(t, emptyDir(t))
  assert.equal(store.globals(), null)
  const [tokens, wallets] = [ids(300, (id) => token(id)), ids(1_500, (id) => wallet(id))]
  const given: Given = { newTokens: tokens, wallets, newWallets: wallets, pools: new Map([[keyOf(9), 299]]) }
  commit(store, { ...given, tokens: [...tokens].reverse() })
  const counted = { nextToken: 300, nextWallet: 1_500 }
  assert.deepEqual(store.globals(), globals(0, counted))
  for (const one of tokens) {
    assert.deepEqual(store.token(one.id), one)
    assert.equal(store.tokenIdByMint(one.mint), one.id)
  }
  for (const one of wallets) {
    assert.deepEqual(store.wallet(one.id), one)
    assert.equal(store.walletIdByAddress(one.address), one.id)
  }
  assert.deepEqual([store.token(300), store.wallet(1_500)], [undefined, undefined])
  assert.deepEqual([store.tokenIdByMint(keyOf(300)), store.walletIdByAddress(keyOf(1_500))], [undefined, undefined])
  assert.deepEqual([store.tokenIdByPool(keyOf(9)), store.tokenIdByPool(keyOf(8))], [299, undefined])
  assert.deepEqual(store.entries(), {
    ...{
      log: 1,
      globals: 1,
      tokens: 300,
      wallets: 1_500,
      trades: 0,
      tokenEvents: 0,
      verdicts: 0,
      readings: 0,
      frames: 0,
      agents: 0,
      actors: 0,
      pools: 1,
    },
    firstUses: 0,
  })
  const { usedBytes, fileBytes } = store.sizes()
  assert.ok(usedBytes > 100_000 && usedBytes <= fileBytes, `${usedBytes} of ${fileBytes}`)
})

test('positions are those of the token, by wallet, and as many as its record says', (t) => {
  const store = opened(t, emptyDir(t))
  const tokens = ids(4, (id) => token(id))
  const all = [position(1, 500), position(0, 2 ** 32 - 1), position(1, 0), position(2, 0), position(1, 7)]
  commit(store, { tokens, newTokens: tokens, positions: all })
  assert.deepEqual(store.positions(1), [all[2], all[4], all[0]])
  assert.deepEqual(store.positions(0), [all[1]])
  assert.deepEqual([store.positions(3), store.positions(4)], [[], []])
  assert.equal(store.positionTotal(), 5)
  assert.deepEqual([...store.positionsFrom(0, 0)], [all[1], all[2], all[4], all[0], all[3]])
  assert.deepEqual([...store.positionsFrom(1, 7)], [all[4], all[0], all[3]])
  assert.deepEqual([0, 1, 3, 9].map(store.positionCount), [1, 3, 0, 0])
  assert.deepEqual(store.positionsAfter(1, -1, 2), [all[2], all[4]])
  assert.deepEqual(store.positionsAfter(1, 7, 2), [all[0]])
  assert.deepEqual(store.positionsAfter(1, 500, 2), [])
  assert.deepEqual(
    [store.positionOf(1, 7), store.positionOf(1, 8), store.positionOf(3, 0)],
    [all[4], undefined, undefined],
  )
  commit(store, { tokens: [tokens[1]!], positions: [position(1, 7, 9)] })
  assert.deepEqual(store.positions(1), [all[2], position(1, 7, 9), all[0]])
  assert.deepEqual(store.positionOf(1, 7), position(1, 7, 9))
})

test('trade rows are followed backwards', (t) => {
  const store = opened(t, emptyDir(t))
  const rows = [trade(0, -1), trade(1, -1), trade(2, 0), trade(3, 2)]
  store.transaction(() => {
    store.append(0, encodeEntry({ kind: 'gap', from: 0, to: 0 }))
    store.writeTrades(rows.slice(0, 3))
    const given = changes(store, { trades: rows.slice(3) }, 0)
    store.write({ ...given, globals: { ...given.globals, nextTrade: 4 } })
  })
  assert.deepEqual(store.tradesBack(3, 100), [rows[3], rows[2], rows[0]])
  assert.deepEqual(store.tradesBack(3, 2), [rows[3], rows[2]])
  assert.deepEqual(store.tradesBack(-1, 10), [])
  assert.deepEqual([store.trade(1), store.trade(4)], [rows[1], undefined])
  assert.deepEqual([...store.trades(1)], rows.slice(1))
  for (const no of [1, 3, 5]) assert.throws(() => commit(store, { trades: [trade(no, -1)] }), /not after the newest/)
  assert.throws(() => commit(store, { trades: [trade(4, 3), trade(4, 3)] }), /not after the newest/)
  assert.throws(() => store.tradesBack(7, 10), /chain of trade rows breaks at 7/)
  commit(store, { trades: [trade(4, 3)] })
  assert.deepEqual([...store.trades(4)], [trade(4, 3)])
})

test('token events and frames are found by their seq', (t) => {
  const store = opened(t, emptyDir(t))
  const event = (seq: number): TokenEventRow => ({ kind: 'created', seq, token: 7, slot: 1, time: 2.5, image: null })
  const marks = [
    [1, 0],
    [4, 2 ** 33],
    [2 ** 33, 2 ** 34],
  ] as const
  commit(store, { tokenEvents: [event(1), event(2)], frameMarks: marks.slice(0, 2) })
  commit(store, { tokenEvents: [event(3)], frameMarks: marks.slice(2) })
  assert.deepEqual([...store.tokenEvents(2)], [event(2), event(3)])
  assert.deepEqual([...store.tokenEvents(0)], [event(1), event(2), event(3)])
  assert.deepEqual([...store.tokenEvents(4)], [])
  const found = [0, 1, 3, 4, 5, 2 ** 33 - 1, 2 ** 33, 2 ** 40].map((seq) => store.frameMark(seq)?.[0])
  assert.deepEqual(found, [undefined, 1, 1, 4, 4, 4, 2 ** 33, 2 ** 33])
  assert.deepEqual(store.frameMark(5), marks[1])
  for (const seq of [2, 5]) assert.throws(() => commit(store, { tokenEvents: [event(seq)] }), /not after the newest/)
  assert.throws(() => commit(store, { frameMarks: [[4, 9]] }), /not after the newest/)
})

test('a change of a verdict leads to its event', (t) => {
  const store = opened(t, emptyDir(t))
  const head = { token: 7, slot: 1, time: 2.5 }
  const verdict = { kind: 'verdict', from: 0, colour: 3, code: 1, event: 0, score: 29 } as const
  commit(store, {
    tokenEvents: [
      { kind: 'created', seq: 1, image: null, ...head },
      { ...verdict, seq: 2, no: 1, ...head },
    ],
  })
  commit(store, { tokenEvents: [{ ...verdict, seq: 3, no: 2, ...head }] })
  assert.deepEqual(
    [0, 1, 2, 3].map((no) => store.verdictEvent(no)),
    [undefined, 2, 3, undefined],
  )
})

test('launches of one deployer, newest first, in pages', (t) => {
  const store = opened(t, emptyDir(t))
  const wallets = [2, 3, 1].map((launches, id) => ({ ...wallet(id), launches }))
  commit(store, {
    wallets,
    newWallets: wallets,
    launches: [
      [1, 4],
      [0, 0],
      [1, 900],
      [2, 1],
      [1, 70],
      [0, 2 ** 32 - 1],
    ],
  })
  assert.deepEqual(store.launches(1, 0, 2), [900, 70])
  assert.deepEqual(store.launches(1, 2, 2), [4])
  assert.deepEqual(store.launches(1, 3, 2), [])
  assert.deepEqual(store.launches(0, 0, 10), [2 ** 32 - 1, 0])
  assert.deepEqual(store.launches(3, 0, 10), [])
})

test('the first token with a text is replaced, within a commit and across', (t) => {
  const store = opened(t, emptyDir(t))
  const use = (norm: string, id: number, field: 'name' | 'twitter' = 'name') => ({ field, norm, token: id })
  commit(store, { firstUses: [use('a', 5), use('a', 3), use('b', 6)] })
  assert.deepEqual([store.firstUse('name', 'a'), store.firstUse('name', 'b')], [3, 6])
  commit(store, { firstUses: [use('a', 1), use('a', 9, 'twitter')] })
  assert.deepEqual([store.firstUse('name', 'a'), store.firstUse('name', 'b')], [1, 6])
  assert.deepEqual([store.firstUse('twitter', 'a'), store.firstUse('symbol', 'a')], [9, undefined])
})

test('tokens enter and leave the live set', (t) => {
  const store = opened(t, emptyDir(t))
  const tokens = ids(2_100, (id) => token(id))
  const live = (...of: [number, boolean][]) => ({ live: new Map(of) })
  commit(store, { tokens, newTokens: tokens, ...live([2_099, true], [700, true], [0, true], [3, true], [1_024, true]) })
  assert.deepEqual(store.liveTokenIds(), [0, 3, 700, 1_024, 2_099])
  commit(store, live([3, false], [5, false], [2_099, false]))
  assert.deepEqual(store.liveTokenIds(), [0, 700, 1_024])
})

test('a commit is all or nothing, and the next one is unharmed', (t) => {
  const store = opened(t, emptyDir(t))
  commit(store, { tokens: [token(0)], newTokens: [token(0)], live: new Map([[0, true]]) })
  const before = store.stateHash()
  const position0 = store.position()
  const failing = () => {
    const given: Given = { tokens: [token(0, 9), token(1)], newTokens: [token(1)], pools: new Map([[keyOf(5), 1]]) }
    const all = changes(store, { ...given, positions: [position(0, 0)], trades: [trade(0, -1)] })
    store.append(1, encodeEntry({ kind: 'gap', from: 3, to: 4 }))
    store.write(all)
    throw new Error('stop')
  }
  assert.throws(() => store.transaction(failing), /stop/)
  assert.equal(store.stateHash(), before)
  assert.deepEqual(store.position(), position0)
  assert.deepEqual(store.globals(), globals(0, { nextToken: 1 }))
  assert.deepEqual([store.token(0), store.token(1), store.trade(0)], [token(0), undefined, undefined])
  assert.deepEqual([store.tokenIdByMint(token(1).mint), store.tokenIdByPool(keyOf(5))], [undefined, undefined])
  assert.deepEqual(store.positions(0), [])
  assert.deepEqual([store.log.newest(), [...store.log.read(1)]], [0, []])
  commit(store, { tokens: [token(1)], newTokens: [token(1)] })
  assert.deepEqual([...store.log.read(1)], [{ seq: 1, entry: { kind: 'gap', from: 1, to: 1 } }])
  assert.deepEqual([store.token(1), store.tokenIdByMint(token(1).mint)], [token(1), 1])
})

test('what no log entry gives is not committed', (t) => {
  const store = opened(t, emptyDir(t))
  assert.throws(() => store.transaction(() => store.write(changes(store))), /the log has no entry 0/)
  assert.deepEqual([store.globals(), store.position().seq], [null, -1])
})

/** Twelve steps of an artificial fold, committed `size` steps at a time. */
function fold(store: Store, size: number): void {
  for (let step = 0; step < 12; step += size) {
    const tokens = new Map<number, Token>()
    const positions = new Map<string, Position>()
    const [trades, newTokens, launches]: [TradeRow[], Token[], [number, number][]] = [[], [], []]
    for (let i = step; i < step + size; i++) {
      const id = i % 5
      const changed = token(id, i)
      if (i < 5) newTokens.push(changed)
      if (i < 5) launches.push([1, id])
      tokens.set(id, changed)
      positions.set(`${id} ${i % 3}`, position(id, i % 3, i))
      trades.push(trade(i, i - 1))
    }
    const live = new Map([[step % 5, true]])
    const given: Given = {
      tokens: [...tokens.values()].reverse(),
      newTokens,
      positions: [...positions.values()],
      trades,
      launches,
      live: step === 0 ? live : new Map(),
      pools: new Map(newTokens.map(({ id }) => [keyOf(1_000 + id), id])),
    }
    const all = changes(store, given, step + size - 1)
    store.transaction(() => {
      for (let i = step; i < step + size; i++) store.append(i, encodeEntry({ kind: 'gap', from: i, to: i }))
      store.write(all)
    })
  }
}

test('the state hash does not depend on how the state was cut into commits, nor on a restart, nor on the store', async (t) => {
  const hashes: string[] = []
  for (const size of [1, 3, 4, 12]) {
    const dir = emptyDir(t)
    const store = openStore(dir)
    fold(store, size)
    hashes.push(store.stateHash())
    await store.close()
    const again = openStore(dir)
    hashes.push(again.stateHash())
    await again.close()
  }
  assert.deepEqual(new Set(hashes).size, 1, hashes.join(' '))
})

test('the state hash tells every difference', (t) => {
  const hashes = new Set<string>()
  const [tokens, wallets] = [ids(2, (id) => token(id)), ids(2, (id) => wallet(id))]
  const use = (field: 'name' | 'symbol', norm: string, id: number) => ({ firstUses: [{ field, norm, token: id }] })
  const event = { kind: 'created', seq: 1, token: 1, slot: 1, time: 2.5, image: null } as const
  const differences: Given[] = [
    {},
    { tokens: [token(1, 1)] },
    { tokens: [{ ...token(1), name: 'other' }] },
    { tokens: [token(0, 1)] },
    { wallets: [wallet(1, 1)] },
    { wallets: [wallet(0, 1)] },
    { tokens: [token(0)], positions: [position(0, 1)] },
    { tokens: [token(0)], positions: [position(0, 0)] },
    { tokens: [token(1)], positions: [position(1, 0)] },
    { trades: [trade(0, -1)] },
    { tokenEvents: [event] },
    { frameMarks: [[1, 0]] },
    { frameMarks: [[1, 1]] },
    { tokens: [token(2)], newTokens: [token(2)] },
    { tokens: [token(2)], newTokens: [{ ...token(2), mint: keyOf(77) }] },
    { wallets: [wallet(2)], newWallets: [wallet(2)] },
    { wallets: [wallet(2)], newWallets: [{ ...wallet(2), address: keyOf(77) }] },
    { pools: new Map([[keyOf(1), 1]]) },
    { pools: new Map([[keyOf(1), 0]]) },
    { pools: new Map([[keyOf(2), 1]]) },
    use('name', 'a', 1),
    use('name', 'b', 1),
    use('name', 'a', 0),
    use('symbol', 'a', 1),
    { launches: [[0, 1]] },
    { launches: [[1, 0]] },
    { live: new Map([[0, true]]) },
    { live: new Map([[1, true]]) },
    { agents: { agents: [], top: [], rankedPeriod: 5 } },
    { agents: { agents: [], top: [], rankedPeriod: 6 } },
    { actors: [actor(0, 7)], actorEdges: [{ id: 0, edges: [] }] },
    { actors: [actor(0, 8)], actorEdges: [{ id: 0, edges: [] }] },
    { actors: [actor(0, 8)], actorEdges: [{ id: 0, edges: [{ a: 1, b: 2, families: 4, slot: 5, mints: [3] }] }] },
  ]
  const hashOf = (...given: Given[]): string => {
    const store = opened(t, emptyDir(t))
    commit(store, { tokens, newTokens: tokens, wallets, newWallets: wallets })
    for (const one of given) commit(store, one)
    return store.stateHash()
  }
  for (const some of differences) hashes.add(hashOf(some))
  hashes.add(hashOf())
  hashes.add(hashOf({}, {}))
  assert.equal(hashes.size, differences.length + 2)
})

test('actors are read back, and one without its record or whose wallets do not lead to it is noticed', (t) => {
  const store = opened(t, emptyDir(t))
  const member = { ...wallet(0), actor: 0 }
  const one = { ...actor(0, 7), wallets: [0] }
  const edges = { id: 0, edges: [{ a: 0, b: 1, families: 4, slot: 5, mints: [0, 1] }] }
  const given = { wallets: [member], newWallets: [member], actors: [one], actorEdges: [edges] }
  commit(store, given)
  assert.deepEqual(store.actor(0), one)
  assert.deepEqual(store.actorEdges(0), edges)
  assert.equal(store.actor(1), undefined)
  assert.equal(store.entries().actors, 1)
  drained(checkState(store))
  commit(store, { wallets: [wallet(0)] })
  assert.throws(() => drained(checkState(store)), /wallet 0 does not lead to its actor 0/)
  // counted but missing
  commit(store, { actors: [actor(2, 1)], actorEdges: [{ id: 2, edges: [] }] })
  assert.throws(() => store.actor(1), /actors 1 is missing/)
})
