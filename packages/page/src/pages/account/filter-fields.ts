import type { TOKEN_FIELDS } from '@ti/core/contract/filter.ts'

type Fields = typeof TOKEN_FIELDS
type Described = { readonly [Name in keyof Fields]: readonly [type: Fields[Name], means: string] }

/** Fields of a condition, with their types and meanings. */
export const FILTER_FIELDS: Described = {
  score: ['number', 'quality score, 0 to 10'],
  mcap: ['number', 'market cap, USD'],
  age_slots: ['number', 'slots since the launch, 0.4 s each'],
  trades: ['number', 'trades so far'],
  holders: ['number', 'wallets that hold it'],
  bundled_pct: ['number', '% of owned supply with coordinated groups'],
  dirty_pct: ['number', '% of owned supply with suspicious wallets'],
  dumpers_pct: ['number', '% of owned supply with wallets whose sales move the price'],
  alpha_hands_pct: ['number', '% of owned supply with wallets that pick winners'],
  conviction: ['number', 'how firmly holders hold, 0 to 100'],
  deployer_pct: ['number', '% of supply with its deployer'],
  snipers_pct: ['number', '% of supply with buyers of the first 3 s'],
  fresh_pct: ['number', '% of supply with wallets that were new when they bought'],
  top_10_pct: ['number', '% of supply with the ten largest holders'],
  curve_pct: ['number', '% of the launchpad’s curve that is filled'],
  kols: ['number', 'tracked KOL wallets that hold it'],
  actors: ['number', 'crews known from other tokens in it'],
  bad_actors: ['number', 'of these, crews with a drained or rugged launch'],
  graduated: ['flag', 'it left its launchpad’s curve'],
  dex_paid: ['flag', 'a DEX listing order was confirmed'],
  drained: ['flag', 'most of the money in its market has left'],
  rugged: ['flag', 'its inner circle took that money'],
  copied: ['flag', 'its image or a link belonged to an earlier token'],
  colour: ['text', 'of the verdict: "green", "yellow", "red" or "neutral"'],
  launchpad: ['text', 'for example "pumpfun"'],
  deployer: ['text', 'the wallet that launched it'],
  symbol: ['text', ''],
  name: ['text', ''],
  mint: ['text', ''],
}

export const FILTER_OPERATORS: Readonly<Record<'number' | 'text' | 'flag', string>> = {
  number: '== != < <= > >=',
  text: '== != in ["a", "b"]',
  flag: 'alone, or == true',
}

/** longest condition that the service accepts, characters */
export const FILTER_LENGTH = 1_000

export const FILTER_EXAMPLES: readonly string[] = [
  'score >= 6 and holders >= 30 and bundled_pct <= 10',
  'kols >= 2 and not rugged',
  'launchpad == "pumpfun" and mcap > 30000 and dirty_pct < 25',
]
