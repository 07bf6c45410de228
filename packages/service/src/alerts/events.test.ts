import assert from 'node:assert/strict'
import { test } from 'node:test'
import { base58Encode, keyToBase58 } from '@ti/core/base/base58.ts'
import { shortAddress } from '@ti/core/base/format.ts'
import type { Key, Sig } from '@ti/core/base/ids.ts'
import { COLOUR, VERDICT_CODES } from '@ti/core/base/verdict-codes.ts'
import { FEE_CHANGE, type FeeChange } from '@ti/core/model/events.ts'
import type { TokenEventRow, TradeRow } from '@ti/core/model/rows.ts'
import type { Token, Wallet } from '@ti/core/model/state.ts'
import { indexWatches } from '../../../../test/support/watchers.ts'
import type { WatchRow } from '../access/sql/schema.ts'
import type { Alert } from './alert.ts'
import { type AlertEvent, alertId, draftOf, type Happening, ofState, ofTokenEvent, ofTrade } from './events.ts'
import type { WatchIndex } from './watch-index.ts'
import { alertWords } from './words.ts'

const key = (name: string): Key => name.padEnd(32, '.') as Key
const MINT = key('mint')
const WALLETS = ['deployer', 'trader', 'stranger'].map(key)
const [DEPLOYER, TRADER] = [0, 1]
const token = (change: Partial<Token> = {}): Token =>
  ({
    ...{ id: 4, mint: MINT, decimals: 6, deployer: DEPLOYER, name: 'Na\u202eme', symbol: 'SYM\n', mcap: 9_000 },
    ...{ drainedSlot: -1, ruggedSlot: -1, launch: { changes: [] }, ...change },
  }) as Token
const records = (about = token()) => ({
  score: () => 3.1,
  token: () => about,
  wallet: (id: number) => ({ address: WALLETS[id]! }) as Wallet,
})
const trade = (change: Partial<TradeRow>): TradeRow =>
  ({
    ...{ no: 10, token: 4, wallet: TRADER, isBuy: true, lamports: 2e9, tokens: 5e6, mcap: 9_000, group: -1 },
    ...{ slot: 70, time: 1_000, sig: '', ...change },
  }) as TradeRow
const event = (kind: string): TokenEventRow =>
  ({ kind, seq: 3, token: 4, slot: 70, time: 1_000, mcap: 8_000 }) as TokenEventRow

function watch(kind: WatchRow['kind'], address: string, change: Partial<WatchRow> = {}): WatchRow {
  return {
    ...{ id: `watch_${kind}`, account_id: 'acct_1', name: 'n', kind, target: base58Encode(address), min_lamports: 0 },
    ...{ paused: false, from_trade: 0, from_event: 0, from_slot: 0, minute: 0, sent: 0, folded: 0 },
    ...{ created_at: new Date(0), changed: 1, ...change },
  }
}
const index = (...rows: WatchRow[]): WatchIndex =>
  indexWatches(rows, {
    ...{ globals: { nextToken: 0, nextWallet: 0 }, ...records() },
    tokenId: (mint) => (mint === MINT ? 4 : undefined),
    walletId: (address) => (WALLETS.includes(address) ? WALLETS.indexOf(address) : undefined),
    founderOf: () => undefined,
  })
const all = index(watch('token', MINT), watch('wallet', WALLETS[TRADER]!), watch('deployer', WALLETS[DEPLOYER]!))
const said = (found: readonly Happening[]): string[] => found.map(({ watch, event }) => `${watch.kind} ${event}`).sort()

test('who hears of a trade', () => {
  const of = (change: Partial<TradeRow>): string[] => said(ofTrade(trade(change), all, records()))
  assert.deepEqual(of({}), ['wallet bought'])
  assert.deepEqual(of({ isBuy: false }), ['wallet sold'])
  assert.deepEqual(of({ isBuy: false, group: 1 }), ['token group_sold', 'wallet sold'])
  assert.deepEqual(of({ isBuy: false, wallet: DEPLOYER }), ['deployer deployer_sold', 'token deployer_sold'])
  assert.deepEqual(of({ isBuy: false, wallet: DEPLOYER, group: 1 }), ['deployer deployer_sold', 'token deployer_sold'])
  assert.deepEqual(of({ wallet: DEPLOYER }), [])
  assert.deepEqual(of({ wallet: 2, isBuy: false }), [])
  // a deployer that sells another's token is a trader there
  assert.deepEqual(said(ofTrade(trade({ isBuy: false, wallet: DEPLOYER }), all, records(token({ deployer: 2 })))), [])
})

test('a trade below the least, or before the watch counts, is not reported', () => {
  const of = (change: Partial<WatchRow>) =>
    ofTrade(trade({}), index(watch('wallet', WALLETS[TRADER]!, change)), records()).length
  assert.deepEqual(
    [
      { min_lamports: 2e9 },
      { min_lamports: 2e9 + 1 },
      { from_trade: 10 },
      { from_trade: 11 },
      { from_trade: null },
    ].map(of),
    [1, 0, 1, 0, 0],
  )
  assert.equal(of({ paused: true }), 0)
})

test('who hears of an event of a token, once where it is watched twice over', () => {
  const of = (kind: string): string[] => said(ofTokenEvent(event(kind), all, records()))
  assert.deepEqual(of('created'), ['deployer launched', 'token launched'])
  assert.deepEqual(of('graduated'), ['deployer graduated', 'token graduated'])
  assert.deepEqual(of('dex_paid'), ['deployer dex_paid', 'token dex_paid'])
  assert.deepEqual(of('metadata'), [])
  assert.deepEqual(said(ofTokenEvent(event('created'), index(watch('token', MINT, { from_event: 4 })), records())), [])
})

test('a change of the verdict is said to those who watch the token, with both colours and its reason', () => {
  const row = { ...event('verdict'), from: COLOUR.neutral, colour: COLOUR.red, event: 0 }
  const found = ofTokenEvent({ ...row, code: VERDICT_CODES.indexOf('bundled') } as TokenEventRow, all, records())
  assert.deepEqual(said(found), ['token colour_changed'])
  const { title, text, why, slot } = draftOf(found[0]!, { page: 'https://page.example', explorer: null })
  assert.deepEqual([title, slot], ['“SYM” (“Name”): red, was neutral', 70])
  assert.equal(text, '00:16:40 UTC, coordinated wallets hold a lot of it, score 3.1')
  assert.deepEqual(why, { before: 'neutral', after: 'red', code: 'bundled', cause: 'trade', score: 3.1 })
})

test('a token that others took over can be drained and rugged again', () => {
  const ids = [60, 90].map((slot) => {
    const about = token({ drainedSlot: slot, ruggedSlot: slot })
    return ofState(about, 100, trade({}), all).map(({ watch, event, key }) => alertId(watch.id, event, key))
  })
  assert.equal(new Set(ids.flat()).size, 8)
})

test('what became of a token is said from the slot on that it became it', () => {
  const about = token({ drainedSlot: 60, ruggedSlot: 65 })
  const of = (slot: number, watched = all): string[] => said(ofState(about, slot, trade({}), watched))
  assert.deepEqual(of(59), [])
  assert.deepEqual(of(60), ['deployer drained', 'token drained'])
  assert.deepEqual(of(70), ['deployer drained', 'deployer rugged', 'token drained', 'token rugged'])
  assert.deepEqual(of(70, index(watch('token', MINT, { from_slot: 61 }))), ['token rugged'])
})

test('a change of the creator or of the fee owners is said, but not the first creator', () => {
  const at = (how: FeeChange, slot: number, key: Key | null) => ({ how, key, slot, sig: 's'.repeat(64) as Sig })
  const changes = [
    at(FEE_CHANGE.shares_set, 61, null),
    at(FEE_CHANGE.created, 50, WALLETS[0]!),
    at(FEE_CHANGE.takeover, 63, WALLETS[2]!),
  ]
  const found = ofState(token({ launch: { changes } as Token['launch'] }), 70, trade({}), all)
  assert.deepEqual(said(found), [
    ...['deployer creator_changed', 'deployer creator_changed', 'token creator_changed', 'token creator_changed'],
  ])
  assert.equal(new Set(found.map(({ key }) => key)).size, 2)
  const draft = draftOf(found[2]!, { page: 'https://page.example', explorer: null })
  assert.equal(draft.title, '“SYM” (“Name”): changed its creator or who gets its fees')
  assert.deepEqual(draft.why, { what: 'takeover', creator: keyToBase58(WALLETS[2]!), slot: 63 })
})

test('a target that nobody had seen is found once it is there', () => {
  const globals = { nextToken: 4, nextWallet: 1 }
  const none = () => undefined
  const ids = { ...records(), globals, tokenId: none, walletId: none, founderOf: none }
  const [wallet, unknown] = [watch('wallet', WALLETS[1]!), watch('deployer', WALLETS[2]!)]
  const watched = indexWatches([watch('token', MINT), wallet, unknown], ids)
  watched.resolve()
  assert.equal(watched.tokens.size + watched.wallets.size, 0)
  Object.assign(globals, { nextToken: 5, nextWallet: 2 })
  watched.resolve()
  watched.resolve()
  assert.equal(watched.tokens.get(4)!.length, 1)
  assert.equal(watched.wallets.get(1)!.length, 1)
  assert.equal(watched.deployers.size, 0)
})

test('an alert: the same id for the same event, names without harm, links where there are any', () => {
  const [sold] = ofTrade(trade({ isBuy: false, sig: 's'.repeat(64) as Sig }), all, records())
  const draft = draftOf(sold!, { page: 'https://page.example', explorer: 'https://explorer.example/tx/' })
  assert.equal(draft.id, alertId(sold!.watch.id, 'sold', sold!.key))
  assert.notEqual(draft.id, alertId(sold!.watch.id, 'bought', sold!.key))
  assert.equal(draft.title, `“SYM” (“Name”): ${shortAddress(keyToBase58(WALLETS[TRADER]!))} sold for 2 SOL`)
  assert.equal(draft.text, '00:16:40 UTC, market cap $9k, 5 tokens')
  assert.deepEqual(draft.why, { sol_amount: 2, mcap: 9_000, token_amount: 5 })
  assert.deepEqual(
    [draft.account, draft.mint, draft.wallet, draft.slot, draft.at],
    ['acct_1', keyToBase58(MINT), keyToBase58(WALLETS[TRADER]!), 70, 1_000_000],
  )
  assert.deepEqual(
    draft.links.map(({ label, url }) => `${label} ${new URL(url).pathname.split('/')[1]}`),
    ['token token', 'wallet trader', 'transaction tx'],
  )
  assert.equal(draftOf(sold!, { page: 'https://page.example', explorer: null }).links.length, 2)
})

test('every event has its words: a time of day, numbers with units, no slot and no name of a field', () => {
  const actor = {
    actor: 'crew-1',
    actor_id: 'act_1',
    how: 'traded',
    wallets: 3,
    tokens: 4,
    launched: 1,
    drained: 1,
    rugged: 0,
    taken_sol: 6.14,
  }
  const said = ([event, why]: readonly [AlertEvent, Alert['why']]) =>
    Object.values(alertWords(event, why, null, 1_000)).join(' | ')
  assert.deepEqual(
    (
      [
        ['rugged', { slot: 60, mcap: 9_000 }],
        ['creator_changed', { what: 'set_creator', creator: 'X', slot: 60 }],
        ['actor_arrived', actor],
        ['condition_met', { score: 7.25, bundled_pct: 3.14, rugged: false, age_slots: 40 }],
        ['summary', { reported: 10, more: 1_200, minute_from: 960 }],
      ] as const
    ).map(said),
    [
      'rugged, insiders took most of what others lost | 00:16:40 UTC, market cap $9k',
      'changed its creator or who gets its fees | 00:16:40 UTC, change: set creator, creator X',
      'crew-1 again | 00:16:40 UTC, traded here, 3 wallets, seen on 4 tokens, 1 launch, 1 drained, 6.14 SOL taken out',
      'meets the condition | 00:16:40 UTC, score 7.25, bundled 3.1%, rugged no, age 16 s',
      '1,200 more events in the minute from 00:16 UTC | 00:16:40 UTC, 10 others reported',
    ],
  )
})
