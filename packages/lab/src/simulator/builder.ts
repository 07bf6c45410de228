import type { Key, Sig } from '@ti/core/base/ids.ts'
import type { RawInnerGroup, RawInstruction, RawTokenBalance, RawTransaction } from '@ti/core/model/raw.ts'
import type { Program } from './programs.ts'

interface TokenAccount {
  readonly index: number
  readonly mint: Key
  readonly owner: Key
  readonly decimals: number
  /** Null if the account does not exist then. */
  readonly before: number | null
  after: number | null
}

/** Hash slots for the keys of one transaction, several times the largest number. */
const PLACES = 1_024
/** Lamports of accounts that only take part: programs, configurations, mints. */
const PROGRAM_LAMPORTS = 1_141_440

/**
 * Builds one transaction, and after `start` the next. Keys get their index on first use, and lamports and tokens move
 * between accounts, so balances before and after are consistent by construction.
 */
export interface Builder {
  start(): void
  /** Adds an account. The first call with lamports sets its balance. */
  account(key: Key, lamports?: number): number
  pay(from: Key, to: Key, lamports: number): void
  /** Removes lamports from the known accounts: the network's fee. */
  burn(from: Key, lamports: number): void
  holds(account: Key, mint: Key, owner: Key, decimals: number, before: number | null): void
  /** Creates tokens. */
  mint(account: Key, tokens: number): void
  moveTokens(from: Key, to: Key, tokens: number): void
  closeTokens(account: Key): void
  /** Adds an instruction, or with `depth` > 1 an inner one of the last instruction. */
  call(program: Program, depth: number, accounts: readonly Key[], data: Buffer): void
  log(line: string): void
  finish(signature: Sig, index: number, failed: { readonly payer: Key; readonly fee: number } | null): RawTransaction
}

export function createBuilder(): Builder {
  // index of each key of this transaction: a hash table over the keys' bytes, which are nearly random
  const places = new Int32Array(PLACES)
  const stamps = new Int32Array(PLACES)
  let stamp = 0
  let keys: Key[] = []
  let before: number[] = []
  let after: number[] = []
  let known: boolean[] = []
  /** by account index, and in order of first use */
  let holdings: (TokenAccount | undefined)[] = []
  let held: TokenAccount[] = []
  let instructions: RawInstruction[] = []
  let groups: { outer: number; instructions: RawInstruction[] }[] = []
  let logs: string[] = []

  const account = (key: Key, lamports?: number): number => {
    let place = (key.charCodeAt(1) | (key.charCodeAt(2) << 8)) & (PLACES - 1)
    while (stamps[place] === stamp) {
      const index = places[place]!
      if (keys[index] === key) {
        if (lamports !== undefined && !known[index]) {
          // added before, as an account of a call
          after[index]! += lamports - before[index]!
          before[index] = lamports
          known[index] = true
        }
        return index
      }
      place = (place + 1) & (PLACES - 1)
    }
    const index = keys.length
    stamps[place] = stamp
    places[place] = index
    keys.push(key)
    before.push(lamports ?? PROGRAM_LAMPORTS)
    after.push(lamports ?? PROGRAM_LAMPORTS)
    known.push(lamports !== undefined)
    return index
  }
  const tokensOf = (key: Key) => holdings[account(key)]!

  return {
    start() {
      stamp++
      holdings = []
      held = []
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
      const index = account(key)
      if (holdings[index] !== undefined) return
      const holding = { index, mint, owner, decimals, before: tokens, after: tokens }
      holdings[index] = holding
      held.push(holding)
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
      const postBalances = failed === null ? after : before.slice()
      if (failed !== null) postBalances[account(failed.payer)]! -= failed.fee
      return {
        signature,
        index,
        version: 'legacy',
        config: null,
        tables: [],
        failed: failed !== null,
        keys,
        // the payer of the fee comes first
        signers: 1,
        instructions,
        inner: groups satisfies RawInnerGroup[],
        logs,
        preBalances: before,
        postBalances,
        preTokens: balances(held, 'before'),
        postTokens: balances(held, failed === null ? 'after' : 'before'),
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
