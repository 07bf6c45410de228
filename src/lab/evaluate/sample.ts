import type { ActorResult } from './actors.ts'
/** When a token is judged: so many seconds after its creation, or at its migration. */
export type Decision = 't60' | 't300' | 't900' | 'migration'

/** What became of it. `falls_20m`: below 0.3 × the migration price within 20 minutes of migrating. */
export type Label = 'graduated_24h' | 'survives_3h' | 'rugged_1h' | 'falls_20m'

export type Colour = 'green' | 'yellow' | 'red' | 'neutral'

/** One token at one decision time, as it was served then. */
export interface Sample {
  /** base58 */
  readonly mint: string
  /** base58; bootstrap clusters */
  readonly deployer: string | null
  readonly createdSlot: number
  readonly decision: Decision
  readonly slot: number
  /** served score, mcap USD, trades so far */
  readonly score: number
  readonly mcap: number
  readonly trades: number
  readonly buyers: number
  /** every single metric by its name in the API; null = no reading */
  readonly metrics: Readonly<Record<string, number | null>>
  /**
   * the raw score (before caps and shrinkage) without each metric, for leave-one-out; the entry `none` is the raw score
   * with all of them, which the others are compared with
   */
  readonly withoutMetric: Readonly<Record<string, number>>
  /** served colours by rating name */
  readonly ratings: Readonly<Record<string, Colour>>
  /** null = the log ends before it is known */
  readonly labels: Readonly<Record<Label, boolean | null>>
}

/** What the simulator planted in one token, by wallet (base58). */
export interface PairTruth {
  readonly mint: string
  readonly bundles: readonly { readonly type: string; readonly wallets: readonly string[] }[]
  readonly snipers: readonly string[]
  /** leader and follower */
  readonly copies: readonly (readonly [string, string])[]
  readonly washers: readonly string[]
}

/**
 * Confirmed groups as the service knew them at the end of the token's first hour, and the same with families A and J
 * hidden. One for every token whose first hour lies in the log, also where there are no groups: a token without one
 * counts as not looked at.
 */
export interface PairFound {
  readonly mint: string
  readonly groups: readonly (readonly string[])[]
  readonly hidden: readonly (readonly string[])[] | null
}

/** What can and cannot be said from other material: a heading and plain lines. */
export interface RealNote {
  readonly title: string
  readonly lines: readonly string[]
}

/** Everything one pass over a log collected. */
export interface Evaluation {
  readonly source: {
    readonly simulated: boolean
    readonly name: string
    readonly dataHash: string
    /** first and last */
    readonly slots: readonly [number, number]
    readonly trades: number
    readonly tokens: number
  }
  readonly formulasVersion: string
  readonly samples: readonly Sample[]
  /** null or left out: nobody knows the people */
  readonly actors?: ActorResult | null
  /** null: nobody knows (a real log) */
  readonly truth: readonly PairTruth[] | null
  readonly found: readonly PairFound[]
  readonly integrity: {
    /** one per run over the same log */
    readonly stateHashes: readonly string[]
    /** answers compared between the log cut short and the whole one */
    readonly prefix: { readonly cuts: number; readonly differing: number } | null
  }
  readonly real: readonly RealNote[]
}
