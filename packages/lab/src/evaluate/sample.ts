import type { Family } from '@ti/core/model/bundles.ts'
import type { ActorResult } from './actors.ts'
import type { Case } from './cases.ts'
import type { Question } from './questions.ts'
import type { RugResult } from './rugs.ts'
import type { SmartMoney } from './smart.ts'

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

/** Who held a token in its first hour, and on which pairs of them evidence was noticed. */
export interface PairEvidence {
  readonly mint: string
  readonly wallets: number
  readonly pairs: readonly { readonly a: string; readonly b: string; readonly families: readonly Family[] }[]
}

/** What can and cannot be said from other material: a heading and plain lines. */
export interface RealNote {
  readonly title: string
  readonly lines: readonly string[]
}

/** One log that was folded. */
export interface SourceNote {
  readonly simulated: boolean
  readonly name: string
  /** SHA-256 of the events and facts, without what depends on when the file was made */
  readonly dataHash: string
  /** first and last */
  readonly slots: readonly [number, number]
  readonly trades: number
  readonly tokens: number
  readonly integrity: Integrity
  readonly smart: SmartMoney
  /** null without truth */
  readonly actors: ActorResult | null
  /** outcomes of each question by the fold's own count, and by the log's trades */
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
  /** one per run over the same log */
  readonly stateHashes: readonly string[]
  /** answers compared between the log cut short and the whole one */
  readonly prefix: { readonly cuts: number; readonly differing: number } | null
}

/** Of all tokens, at all ages and at the end of the log: how often a verdict was green that must not be. */
export interface Greens {
  readonly dead: number
  readonly deadGreen: number
  readonly phantom: number
  readonly phantomGreen: number
}

/** The market with three times the graduations from a slot on; in order of when the answers were due. */
export interface Regime {
  readonly name: string
  readonly fromSlot: number
  /** graduated within the log, of those launched before and after */
  readonly launches: { readonly before: readonly [number, number]; readonly after: readonly [number, number] }
  readonly cases: readonly Case[]
}

/** Everything the passes over the logs collected. */
export interface Evaluation {
  readonly command: string
  readonly formulasVersion: string
  readonly sources: readonly SourceNote[]
  readonly cases: readonly Case[]
  /** null: nobody knows (a real log) */
  readonly truth: readonly PairTruth[] | null
  readonly found: readonly PairFound[]
  readonly rugs: RugResult | null
  readonly greens: Greens
  readonly regime: Regime | null
  readonly real: readonly RealNote[]
}
