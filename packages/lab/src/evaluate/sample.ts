import type { Family } from '@ti/core/model/bundles.ts'
import type { ActorResult } from './actors.ts'
import type { Case } from './cases.ts'
import type { Question } from './questions.ts'
import type { RugResult } from './rugs.ts'
import type { SmartMoney } from './smart.ts'

/** The simulator's truth about one token; wallets in base58. */
export interface PairTruth {
  readonly mint: string
  readonly bundles: readonly { readonly type: string; readonly wallets: readonly string[] }[]
  readonly snipers: readonly string[]
  /** Leader and follower. */
  readonly copies: readonly (readonly [string, string])[]
  readonly washers: readonly string[]
}

/**
 * Confirmed groups at the end of the token's first hour, and the same with families A and J hidden. There is one for
 * every token whose first hour is in the log, even without groups; other tokens count as not evaluated.
 */
export interface PairFound {
  readonly mint: string
  readonly groups: readonly (readonly string[])[]
  readonly hidden: readonly (readonly string[])[] | null
}

/** The number of holders in a token's first hour, and the pairs with evidence. */
export interface PairEvidence {
  readonly mint: string
  readonly wallets: number
  readonly pairs: readonly { readonly a: string; readonly b: string; readonly families: readonly Family[] }[]
}

/** Findings from other data, and their limits: a heading and plain lines. */
export interface RealNote {
  readonly title: string
  readonly lines: readonly string[]
}

/** One folded log. */
export interface SourceNote {
  readonly simulated: boolean
  readonly name: string
  /** SHA-256 of the events and facts, independent of when the file was made. */
  readonly dataHash: string
  /** First and last. */
  readonly slots: readonly [number, number]
  readonly trades: number
  readonly tokens: number
  readonly integrity: Integrity
  readonly smart: SmartMoney
  /** Null without truth. */
  readonly actors: ActorResult | null
  /** Outcomes of each question, counted by the fold and from the log's trades. */
  readonly counted: {
    readonly fold: Readonly<Record<Question, Counted>>
    readonly trades: Readonly<Record<Question, Counted>>
  }
}

export interface Counted {
  readonly n: number
  readonly hits: number
}

interface Integrity {
  /** One per run over the same log. */
  readonly stateHashes: readonly string[]
  /** Answers compared between the truncated and the whole log. */
  readonly prefix: { readonly cuts: number; readonly differing: number } | null
}

/** Verdicts that were green but must not be, over all tokens, at all ages and at the end of the log. */
export interface Greens {
  readonly dead: number
  readonly deadGreen: number
  readonly phantom: number
  readonly phantomGreen: number
}

/** A market with three times the graduations from a slot on, in the order in which answers were due. */
export interface Regime {
  readonly name: string
  readonly fromSlot: number
  /** Graduations within the log, of launches before and after the change. */
  readonly launches: { readonly before: readonly [number, number]; readonly after: readonly [number, number] }
  readonly cases: readonly Case[]
}

/** Everything collected by the passes over the logs. */
export interface Evaluation {
  readonly command: string
  readonly formulasVersion: string
  readonly sources: readonly SourceNote[]
  readonly cases: readonly Case[]
  /** Null for a real log, of which the truth is unknown. */
  readonly truth: readonly PairTruth[] | null
  readonly found: readonly PairFound[]
  readonly rugs: RugResult | null
  readonly greens: Greens
  readonly regime: Regime | null
  readonly real: readonly RealNote[]
}
