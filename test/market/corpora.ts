import { existsSync, readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'

/** Real files about whole populations of launches. They lie outside the project: what each can judge is in the methodology. */
const DATA = new URL('../../../shared/data/', import.meta.url)
const CORPORA = new URL('real2/corpora/', DATA)
const LATER = new URL('real3/', DATA)
export const ABSENT =
  existsSync(CORPORA) && existsSync(LATER)
    ? false
    : 'the real files (../shared/data/real2 and real3) are not here: nothing to compare with'

const unzip = (name: string, folder = CORPORA): string =>
  gunzipSync(readFileSync(new URL(name, folder))).toString('utf8')

function csv(text: string): Record<string, string>[] {
  const [head, ...lines] = text.trim().split('\n')
  const names = head!.split(',').map((it) => it.trim())
  return lines.map((line) => Object.fromEntries(line.split(',').map((value, i) => [names[i]!, value.trim()])))
}

/** A trade on a pump curve; SOL without fees, seconds from the window's start. */
export interface CurveTrade {
  readonly mint: string
  readonly user: string
  readonly isBuy: boolean
  readonly sol: number
}

/** Every pump curve trade of 193 slots, 76 seconds. */
export const windowTrades = (): CurveTrade[] =>
  csv(unzip('nullfuturist_swaps.csv.gz')).map((row) => ({
    mint: row.mint!,
    user: row.user!,
    isBuy: row.is_buy === '1',
    sol: Number(row.sol_amount) / 1e9,
  }))

/**
 * A launch from two seconds after its creator had sold 80 % of what he bought: the recorder's trigger, though its columns
 * speak of the first sight. Shares in parts of one, times in seconds.
 */
export interface AfterSale {
  /** of the token when its creator sold */
  readonly age: number
  readonly tradesBefore: number
  readonly tradersBefore: number
  readonly entryCapSol: number
  readonly trades: number
  /** from entry to the last trade, at most twenty minutes */
  readonly life: number
  /** highest, lowest and last market cap against the entry's */
  readonly peak: number
  readonly trough: number
  readonly last: number
  readonly peakAt: number
  /** still traded when the recorder stopped looking */
  readonly alive: boolean
}

/** Silence, seconds, after which the recorder gave a token up, and how long it looked at most. */
export const RECORDER = { entry: 2, silence: 600, window: 1_200 }

export const afterSales = (): AfterSale[] =>
  csv(unzip('pumpportal_mints.csv.gz'))
    .filter((row) => row.buys !== '' && row.age_at_trigger_s !== '')
    .map((row) => {
      const number = (name: string): number => Number(row[name])
      const alive = row.end_reason === 'max_window'
      return {
        age: number('age_at_trigger_s'),
        tradesBefore: number('pre_trades'),
        tradersBefore: number('pre_traders'),
        entryCapSol: number('entry_mc_sol'),
        trades: number('buys') + number('sells'),
        life: Math.max(0, number('duration_s') - (alive ? 0 : RECORDER.silence)),
        peak: 1 + number('peak_pct') / 100,
        trough: 1 + number('trough_pct') / 100,
        last: 1 + number('last_pct') / 100,
        peakAt: number('peak_at_s'),
        alive,
      }
    })

/** Parts of the supply that creators sold who sold out, and sales they needed. */
export const creatorSales = (): { readonly supply: number; readonly sales: number }[] =>
  csv(unzip('creator_sells.csv.gz')).map((row) => ({
    supply: Number(row.tokens_sold) / 1e9,
    sales: Number(row.creator_sells),
  }))

/** The first buyers of tokens that somebody found worth a study: SOL of the first purchase, seconds after the first trade. */
export interface FirstBuyers {
  readonly sol: readonly number[]
  readonly seconds: readonly number[]
}

/** At most so many buyers of each token. */
export const BUYERS = 40

export function firstBuyers(): FirstBuyers[] {
  const byMint = new Map<string, FirstBuyers>()
  for (const line of unzip('trace_buyers.jsonl.gz').trim().split('\n')) {
    const { mint, buyers } = JSON.parse(line) as {
      mint: string
      buyers: { sol_spent_first_buy: number | null; seconds_after_first_curve_tx: number }[]
    }
    if (buyers.length < BUYERS) continue
    byMint.set(mint, {
      sol: buyers.flatMap((one) => one.sol_spent_first_buy ?? []),
      seconds: buyers.map((one) => one.seconds_after_first_curve_tx),
    })
  }
  return [...byMint.values()]
}

/** Fleets that took the whole curve: wallets, share of supply, part of the bags that left by transfer, seconds until then. */
export interface RealFleets {
  readonly wallets: readonly number[]
  readonly supply: readonly number[]
  readonly moved: number
  readonly delays: readonly number[]
}

export function realFleets(): RealFleets {
  const bought = (JSON.parse(unzip('v03_onchain.json.gz')) as { lancements: { part_supply_1e9: number }[] }).lancements
  const exits = (
    JSON.parse(unzip('v07_exit.json.gz')) as {
      lancements: { n_wallets: number; delai_transfert_s_med: number | null; part_transferee: number | null }[]
    }
  ).lancements
  return {
    wallets: exits.map((one) => one.n_wallets),
    supply: bought.map((one) => one.part_supply_1e9),
    moved: exits.filter((one) => (one.part_transferee ?? 0) > 0.5).length / exits.length,
    delays: exits.flatMap((one) => one.delai_transfert_s_med ?? []),
  }
}

/** Launches of 531 seconds of a stream, in order: symbol, creator and his own purchase, SOL. */
export function streamedLaunches(): { readonly symbol: string; readonly own: number; readonly deployer: string }[] {
  const lines = readFileSync(new URL('streams/pumpportal_session1.jsonl', DATA), 'utf8').trim().split('\n')
  return lines
    .map((line) => JSON.parse((JSON.parse(line) as { raw: string }).raw) as Record<string, unknown>)
    .filter(({ txType }) => txType === 'create')
    .map((row) => ({
      symbol: String(row.symbol),
      own: Number(row.solAmount ?? 0),
      deployer: String(row.traderPublicKey),
    }))
}

/** The first five minutes of pools: seconds, wallet, SOL. */
export interface PoolTrade {
  readonly time: number
  readonly wallet: string
  readonly isBuy: boolean
  readonly sol: number
}

export const POOL_SECONDS = 300

export const realPools = (): PoolTrade[][] =>
  readFileSync(new URL('trades/pumpswap_swaps.jsonl', DATA), 'utf8')
    .trim()
    .split('\n')
    .map((line) => {
      const { swaps } = JSON.parse(line) as { swaps: { ts: number; trader: string; side: string; sol: number }[] }
      return swaps.map(({ ts, trader, side, sol }) => ({ time: ts, wallet: trader, isBuy: side === 'buy', sol }))
    })
    .filter((swaps) => swaps.length > 0)

/** Launches in a row of which the presence of wallets is compared: the more there are, the fewer wallets are in a hundredth. */
export const STRETCH = 1_000

/** The traders of each launch, in order of creation, as a watcher saw them in the minutes after: 11 days of September 2024. */
export const daysOfTraders = (): (readonly string[])[] =>
  csv(unzip('whole_days/tokens.csv.gz', LATER))
    .filter(({ day }) => !day!.startsWith('29.11'))
    .sort((a, b) => Number(a.creation_ms) - Number(b.creation_ms))
    .map(({ traders }) => [...new Set(traders!.split(' '))])

/** 59 of the 100 addresses with most launches; medians of each. */
export const serialDeployers = () =>
  csv(readFileSync(new URL('serial_deployers/deployers.csv', LATER), 'utf8')).map((row) => ({
    soldAfter: Number(row.seconds_to_dump_median),
    perDay: 86_400 / Number(row.mean_time_delta),
    traders: Number(row.num_swappers_median),
    volume: Number(row.total_sol_volume_median),
  }))

/** Numbers that others counted over 5 million launches of 2026, with their sources. */
export const marketFacts = () =>
  JSON.parse(readFileSync(new URL('market_facts.json', LATER), 'utf8')) as {
    readonly deployments: { readonly per_day: number }
    readonly sampled_creations: {
      readonly dev_buys_in_the_creating_transaction: { readonly unbought_by_sniper: number }
    }
    readonly one_big_sniper: {
      readonly same_slot: number
      readonly next_slot: number
      readonly hold_seconds: { readonly median: number; readonly p90: number }
      readonly entry_sol_median: number
      readonly sells_per_token_median: number
    }
  }
