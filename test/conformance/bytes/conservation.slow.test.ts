import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { CURVE } from '@ti/core/engine/constants.ts'
import { isMigrated } from '@ti/core/engine/tokens.ts'
import { LAUNCHPAD, type TradeEvent, VENUE } from '@ti/core/model/events.ts'
import type { Token } from '@ti/core/model/state.ts'
import { programsAmongPeople } from '../../support/ledger-judge.ts'
import { type Folded, foldEntries, foldMaterial, simulated } from './fold.ts'
import { DATA, listData, NO_DATA, readData } from './idl.ts'
import { completing, storedTransactions } from './real2-oracle.ts'

/**
 * No token is made or lost: what wallets and programs hold, what the curve or the pool still has and what was burned are the
 * supply. Where the material does not show all of it, the gap has a name. And nobody is a person who cannot sign.
 */
const table: string[] = []
after(() => {
  if (table.length > 0) console.log(['material | tokens whole | tokens with a gap, and why', ...table].join('\n'))
})

/** Base units a curve keeps for the pool to come. */
const RESERVED = CURVE.supply - CURVE.realTokenAtStart

/** What lies on the curve or in the pool after the last trade, base units; null where the trades do not say. */
function inMarket(token: Token, trades: readonly TradeEvent[]): number | null {
  const last = trades.filter((trade) => trade.venue !== VENUE.pumpswap || trade.pool === token.pool).at(-1)
  if (isMigrated(token)) return last?.venue === VENUE.pumpswap ? last.baseReserve : RESERVED
  // what was bought of the pool to come comes out of what the curve keeps for it
  if (last?.venue === VENUE.pump && last.realToken === 0 && last.baseReserve < RESERVED) return last.baseReserve
  return last?.venue === VENUE.pump && last.realToken >= 0 ? last.realToken + RESERVED : null
}

interface Sum {
  readonly whole: number
  readonly gaps: Readonly<Record<string, number>>
}

/**
 * Rows of trades show no transfers: who sells what was sent to it sells more than it is known to have, and who sent it seems
 * to have it still. `oversold`: base units sold beyond what wallets had; `missing`: what left the curve in no trade there is.
 */
function flowOf(trades: readonly TradeEvent[]): { oversold: number; missing: number } {
  const balances = new Map<string, number>()
  let oversold = 0
  let flow = 0
  for (const { user, isBuy, tokenAmount } of trades) {
    const balance = (balances.get(user) ?? 0) + (isBuy ? tokenAmount : -tokenAmount)
    flow += isBuy ? tokenAmount : -tokenAmount
    if (balance < 0) oversold -= balance
    balances.set(user, Math.max(0, balance))
  }
  return { oversold, missing: CURVE.realTokenAtStart - trades.at(-1)!.realToken - flow }
}

const UNSEEN_TRANSFERS = 'sold after transfers that rows do not show'
const HELD_BEFORE = 'held by wallets that traded before'
const LEFT_BEFORE = 'to the unit what had left the curve before the first trade seen'

/** What a curve had sold before a trade; -1 where the trade does not say. */
const leftBefore = ({ venue, realToken, isBuy, tokenAmount }: TradeEvent): number =>
  venue === VENUE.pump && realToken >= 0
    ? CURVE.realTokenAtStart - realToken - (isBuy ? tokenAmount : -tokenAmount)
    : -1

/** Why a gap may be there; what has no name may not. */
function reasonOf(token: Token, trades: readonly TradeEvent[], market: number | null, gap: number): string | null {
  if (token.supply === 0) return 'supply unknown'
  if (token.launchpad === LAUNCHPAD.launchlab) return 'on LaunchLab, seen without its launch'
  if (market === null) return 'no trade that states what is left'
  if (trades.length === 0) return HELD_BEFORE
  const { oversold, missing } = flowOf(trades)
  if (oversold > 0 && gap === missing - oversold)
    return missing === 0 ? UNSEEN_TRANSFERS : 'trades missing, and transfers not shown'
  if (oversold > 0 && gap === -oversold) return UNSEEN_TRANSFERS
  if (gap === leftBefore(trades[0]!)) return LEFT_BEFORE
  if (!token.createdKnown || trades[0]!.realToken + trades[0]!.tokenAmount !== CURVE.realTokenAtStart)
    return gap > 0 ? HELD_BEFORE : null
  return null
}

function conserve(name: string, folded: Folded): Sum {
  const { engine, events, store } = folded
  const programs = programsAmongPeople(folded)
  assert.equal(programs.slice(0, 10).join('\n'), '', `${name}: ${programs.length} programs’ accounts among people`)
  const byMint = new Map<string, TradeEvent[]>()
  for (const event of events) {
    if (event.kind !== 'trade') continue
    const list = byMint.get(event.mint)
    if (list === undefined) byMint.set(event.mint, [event])
    else list.push(event)
  }
  const gaps: Record<string, number> = {}
  let whole = 0
  for (let id = 0; id < engine.globals.nextToken; id++) {
    const token = store.token(id)!
    const trades = byMint.get(token.mint) ?? []
    if (trades.length === 0 && !isMigrated(token)) continue
    const held = [...store.positions(id)].reduce((sum, { balance }) => sum + balance, 0)
    const market = inMarket(token, trades)
    const { programs: locked = 0, burned = 0 } = token as Token & { programs?: number; burned?: number }
    const gap = token.supply - held - locked - burned - (market ?? 0)
    assert.ok(locked >= 0 && burned >= 0, name)
    if (gap === 0) {
      whole++
      continue
    }
    const reason = reasonOf(token, trades, market, gap)
    assert.notEqual(
      reason,
      null,
      `${name}: ${gap} base units of token ${id} are nowhere: ${held} held, ${market} in the market`,
    )
    gaps[reason!] = (gaps[reason!] ?? 0) + 1
  }
  const said = Object.entries(gaps).map(([why, n]) => `${why} ${n}`)
  table.push(`${name} | ${whole} | ${said.join(', ') || '-'}`)
  return { whole, gaps }
}

test('simulated markets: nothing is missing but what no block tells', async () => {
  for (const seed of [11, 12, 13]) {
    const { whole } = conserve(`simulated ${seed}`, foldEntries(await simulated(seed, 800)))
    assert.ok(whole > 10, `${whole} tokens`)
  }
})

describe('real captures', { skip: NO_DATA }, () => {
  for (const file of NO_DATA
    ? []
    : [
        ...listData('raw_tx')
          .filter((name) => /^\d\d_/.test(name))
          .map((name) => `raw_tx/${name}`),
        'streams/helius_logs_subscribe_pumpfun.jsonl',
        'streams/pumpportal_session1.jsonl',
        'trades/pumpfun_trades.csv',
      ])
    test(file, async () => {
      conserve(file, await foldMaterial([`${DATA}/${file}`]))
    })

  for (const file of NO_DATA ? [] : listData('real2/transactions')) {
    const stored = storedTransactions(JSON.parse(readData(`real2/transactions/${file}`)))
    if (stored.length === 0) continue
    test(`real2/transactions/${file}`, async () => {
      conserve(`real2/${file}`, await foldMaterial([`${DATA}/real2/transactions/${file}`]))
    })
  }

  test('curves completed with the rest of the order bought from the pool to come', async () => {
    const set = completing()
    const folded = await foldMaterial(set)
    assert.equal(folded.events.filter(({ kind }) => kind === 'complete').length, set.length)
    assert.deepEqual(conserve('real2/completing_txs_20261009', folded), {
      whole: 0,
      gaps: { [LEFT_BEFORE]: set.length },
    })
  })

  test('a whole graduation', async () => {
    const json = (name: string) => JSON.parse(readData(`real2/transactions/${name}.json`))
    const both = await foldMaterial([json('completing_tx_sep20'), json('migrate_tx_sep20')])
    assert.deepEqual(conserve('real2/completing and migrate', both), { whole: 1, gaps: {} })
  })
})
