import { setImmediate } from 'node:timers/promises'
import { key } from '@ti/core/base/base58.ts'
import type { Key } from '@ti/core/base/ids.ts'
import { TOKEN_2022_TEXT, TOKEN_TEXT } from '@ti/core/model/programs.ts'
import type { RawTransaction } from '@ti/core/model/raw.ts'
import { associatedTokenKey } from '../base/token-account.ts'

/** accounts derived before the event loop has its turn: 0.4 ms each; and those compared for one list, two derivations each,
 * to learn to which token program its mints belong */
export const DERIVATIONS = 16
export const COMPARISONS = 200

/** A mint and an owner, which together determine a token account. */
export interface Holding {
  readonly mint: Key
  readonly owner: Key
}

/** Token accounts of holders: a plain `Transfer` names them and not the mint. */
export type FollowedHolders = ReturnType<typeof createFollowedHolders>

const TOKEN_PROGRAMS = [TOKEN_2022_TEXT, TOKEN_TEXT].map(key)

/** At most `most` are followed. */
export function createFollowedHolders(most: number) {
  /** token programs of the list's mints; null: not known yet */
  let programs = new Map<Key, Key | null>()
  /** mints whose program is not known, and rows that may still be compared before the next list */
  let unknown = 0
  let comparisons = 0
  /** account by mint and owner */
  let derived = new Map<string, Key>()
  let accounts: ReadonlySet<Key> = new Set()
  let version = 0
  let round = 0

  function learn(mint: Key, account: Key, owner: Key): void {
    if (comparisons <= 0) return
    comparisons--
    const program = TOKEN_PROGRAMS.find((one) => associatedTokenKey(owner, mint, one) === account)
    // an account that is not the associated one says nothing
    if (program === undefined) return
    programs.set(mint, program)
    unknown--
  }

  const isNamed = (keys: RawTransaction['keys'], rows: RawTransaction['postTokens']): boolean =>
    rows.some(({ account }) => account < keys.length && accounts.has(keys[account]!))

  function expect(holdings: readonly Holding[]): void {
    const before = programs
    programs = new Map()
    for (const { mint } of holdings) if (!programs.has(mint)) programs.set(mint, before.get(mint) ?? null)
    unknown = 0
    for (const program of programs.values()) if (program === null) unknown++
    comparisons = COMPARISONS
  }

  return {
    /**
     * Replaces the list, most important first. Resolves when its accounts are derived, a few at a time. Those of a mint whose
     * token program is not known yet are left out until `observe` has seen the mint and the list is set again.
     */
    async set(given: readonly Holding[]): Promise<void> {
      const own = ++round
      const holdings = given.slice(0, most)
      expect(holdings)
      const kept = new Map<string, Key>()
      let derivations = 0
      for (const { mint, owner } of holdings) {
        const program = programs.get(mint)
        if (program === null || program === undefined) continue
        const name = mint + owner
        let account = derived.get(name)
        if (account === undefined) {
          account = associatedTokenKey(owner, mint, program)
          if (++derivations % DERIVATIONS === 0) await setImmediate()
          // a newer list has come meanwhile
          if (own !== round) return
        }
        kept.set(name, account)
      }
      derived = kept
      const now = new Set(kept.values())
      if (now.size !== accounts.size || [...now].some((account) => !accounts.has(account))) version++
      accounts = now
    },
    /** Learns from a transaction which token programs mints of the list belong to. Whether it moved tokens of these accounts. */
    observe({ keys, preTokens, postTokens }: RawTransaction): boolean {
      if (unknown > 0) {
        for (const { account, mint, owner } of postTokens) {
          if (owner === null || account >= keys.length || programs.get(mint) !== null) continue
          learn(mint, keys[account]!, owner)
        }
      }
      // an account that was emptied and closed is in the first list only
      return accounts.size > 0 && (isNamed(keys, postTokens) || isNamed(keys, preTokens))
    },
    has: (account: Key): boolean => accounts.has(account),
    /** most important first */
    first: (count: number): Key[] => [...accounts].slice(0, count),
    /** number of token accounts, and of changes of the list */
    get size(): number {
      return accounts.size
    },
    get version(): number {
      return version
    },
  }
}
