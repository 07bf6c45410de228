import type { Key, Sig } from '../../base/ids.ts'
import type { RawInnerGroup, RawInstruction, RawTokenBalance, RawTransaction } from '../types.ts'
import type { Program } from './programs.ts'

interface TokenAccount {
  readonly index: number
  readonly mint: Key
  readonly owner: Key
  readonly decimals: number
  /** null: the account does not exist then */
  readonly before: number | null
  after: number | null
}

/** Lamports of accounts that only take part: programs, configurations, mints. */
const PROGRAM_LAMPORTS = 1_141_440

/**
 * One transaction in the making, and after `start` the next: keys get their index when first named, lamports and tokens move between accounts, so
 * that balances before and after add up by construction.
 */
export interface Builder {
  start(): void
  /** Names an account. Its lamports are those of the first time it is named with any. */
  account(key: Key, lamports?: number): number
  pay(from: Key, to: Key, lamports: number): void
  /** Lamports that leave the accounts we know: the network's fee. */
  burn(from: Key, lamports: number): void
  holds(account: Key, mint: Key, owner: Key, decimals: number, before: number | null): void
  /** Tokens that come out of nothing. */
  mint(account: Key, tokens: number): void
  moveTokens(from: Key, to: Key, tokens: number): void
  closeTokens(account: Key): void
  /** An instruction of the transaction, or with `depth` > 1 one that runs under the last of those. */
  call(program: Program, depth: number, accounts: readonly Key[], data: Buffer): void
  log(line: string): void
  finish(signature: Sig, index: number, failed: { readonly payer: Key; readonly fee: number } | null): RawTransaction
}

export function createBuilder(): Builder {
  const indices = new Map<Key, number>()
  const holdings = new Map<Key, TokenAccount>()
  let keys: Key[] = []
  let before: number[] = []
  let after: number[] = []
  let known: boolean[] = []
  let instructions: RawInstruction[] = []
  let groups: { outer: number; instructions: RawInstruction[] }[] = []
  let logs: string[] = []

  const account = (key: Key, lamports?: number): number => {
    let index = indices.get(key)
    if (index === undefined) {
      index = keys.length
      indices.set(key, index)
      keys.push(key)
      before.push(lamports ?? PROGRAM_LAMPORTS)
      after.push(lamports ?? PROGRAM_LAMPORTS)
      known.push(lamports !== undefined)
    } else if (lamports !== undefined && !known[index]) {
      // named before, as an account of some call
      after[index]! += lamports - before[index]!
      before[index] = lamports
      known[index] = true
    }
    return index
  }
  const tokensOf = (key: Key) => holdings.get(key)!

  return {
    start() {
      indices.clear()
      holdings.clear()
      keys = []
      before = []
      after = []
      known = []
      instructions = []
      groups = []
      logs = []
    },
    account,
    pay(from, to, lamports) {
      after[account(from)]! -= lamports
      after[account(to)]! += lamports
    },
    burn(from, lamports) {
      after[account(from)]! -= lamports
    },
    holds(key, mint, owner, decimals, tokens) {
      if (holdings.has(key)) return
      holdings.set(key, { index: account(key), mint, owner, decimals, before: tokens, after: tokens })
    },
    mint(key, tokens) {
      const holding = tokensOf(key)
      holding.after = (holding.after ?? 0) + tokens
    },
    moveTokens(from, to, tokens) {
      const source = tokensOf(from)
      const target = tokensOf(to)
      source.after = (source.after ?? 0) - tokens
      target.after = (target.after ?? 0) + tokens
    },
    closeTokens(key) {
      tokensOf(key).after = null
    },
    call(program, depth, accounts, data) {
      const list = Buffer.allocUnsafe(accounts.length)
      for (let i = 0; i < list.length; i++) list[i] = account(accounts[i]!)
      const instruction = { program: account(program.key), accounts: list, data }
      if (depth === 1) {
        instructions.push(instruction)
        return
      }
      const outer = instructions.length - 1
      if (groups.at(-1)?.outer !== outer) groups.push({ outer, instructions: [] })
      groups.at(-1)!.instructions.push(instruction)
    },
    log: (line) => {
      logs.push(line)
    },
    finish(signature, index, failed) {
      const all = [...holdings.values()]
      const postBalances = failed === null ? after : before.slice()
      if (failed !== null) postBalances[indices.get(failed.payer)!]! -= failed.fee
      return {
        signature,
        index,
        failed: failed !== null,
        keys,
        instructions,
        inner: groups satisfies RawInnerGroup[],
        logs,
        preBalances: before,
        postBalances,
        preTokens: balances(all, 'before'),
        postTokens: balances(all, failed === null ? 'after' : 'before'),
      }
    },
  }
}

function balances(accounts: readonly TokenAccount[], when: 'before' | 'after'): RawTokenBalance[] {
  const rows: RawTokenBalance[] = []
  for (const { index, mint, owner, decimals, [when]: amount } of accounts) {
    if (amount !== null) rows.push({ account: index, mint, owner, amount, decimals })
  }
  return rows
}
