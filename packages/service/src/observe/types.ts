import type { Counts } from '@ti/core/base/counts.ts'
import type { Key, Sig } from '@ti/core/base/ids.ts'
import type { Fact, LaunchFact } from '@ti/core/model/facts.ts'

/** The facts that the service lacks. Calls are read-only, synchronous and cheap: some a second, at most `limit` items each. */
export interface MissingFacts {
  /** live tokens whose metadata are not known, newest and most traded first */
  tokensWithoutMetadata(limit: number): readonly { readonly mint: Key; readonly uri: string }[]
  /** tokens with metadata and an image whose hash is not known, in the same order */
  tokensWithoutImageHash(limit: number): readonly { readonly mint: Key; readonly image: string }[]
  /** tokens not known as paid, in the same order */
  tokensUnpaid(limit: number): readonly { readonly mint: Key }[]
  /** wallets whose first funder is not known, in order of how much the answer matters; `before`: a slot by which they had tokens */
  walletsWithoutFunder(limit: number): readonly { readonly wallet: Key; readonly before: number }[]
  /** tokens whose largest balances are due, largest market first */
  tokensToCheck(limit: number): readonly { readonly mint: Key }[]
  /** deployers of young launches whose payments before them are not known, largest market first */
  deployersToTrace(limit: number): readonly { readonly deployer: Key; readonly createdSlot: number }[]
  /** tokens whose creation is not known, in the order of metadata */
  tokensWithoutLaunch(limit: number): readonly WithoutLaunch[]
  /** up to which everything is folded */
  slot(): number
  /**
   * influencers as the log knows them. Without it, a list is reported in full after a start, and wallets removed while the
   * service was down keep their names
   */
  kols?(): Iterable<{ readonly wallet: Key; readonly name: string }>
}

/** A token that was first met after its creation, by the transaction `met`; empty if the source gave no signature. */
export interface WithoutLaunch {
  readonly mint: Key
  readonly met: Sig
}

/** Reads the creation of a mint from a node's answer to `getTransaction`; null if the transaction is not its creation. */
export type ReadCreation = (answer: unknown, mint: Key) => LaunchFact | null

/** Takes what was found into the log. `observedAtSeconds`: Unix seconds. */
export type Report = (facts: readonly Fact[], observedAtSeconds: number) => void

export interface ObserverStatus {
  readonly name: string
  /** subjects that could be requested now and wait for capacity, budget or their turn; at most observeLook */
  readonly waiting: number
  readonly inFlight: number
  /** outcomes by name since the start */
  readonly counts: Counts
}

export interface Observer {
  start(): void
  /** ends requests in flight; afterwards nothing is reported */
  close(): Promise<void>
  status(): ObserverStatus
}
