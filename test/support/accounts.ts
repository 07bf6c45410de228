import { type Address, isOffCurveAddress } from '@solana/kit'

/**
 * Who holds what, by token account, from answers to getTransaction: a second implementation of the ledger, slow and exact, which
 * uses no code of ours.
 */
export interface NodeTransaction {
  readonly slot: number
  readonly blockTime?: number
  readonly transaction: {
    readonly signatures: readonly string[]
    readonly message: {
      readonly header?: { readonly numRequiredSignatures: number }
      readonly accountKeys: readonly (string | { readonly pubkey: string })[]
    }
  }
  readonly meta: {
    readonly err: unknown
    readonly preTokenBalances?: readonly TokenRow[]
    readonly postTokenBalances?: readonly TokenRow[]
    readonly loadedAddresses?: { readonly writable: readonly string[]; readonly readonly: readonly string[] }
  }
}

export interface TokenRow {
  readonly accountIndex: number
  readonly mint: string
  owner?: string
  readonly uiTokenAmount: { readonly amount: string; readonly decimals: number }
}

interface TokenAccount {
  readonly mint: string
  readonly owner: string
  readonly amount: bigint
}

export interface AccountLedger {
  apply(tx: NodeTransaction): void
  /** Base units by owner, of owners with any. */
  held(mint: string): Map<string, bigint>
  /** Base units that left all accounts: burned, or withheld as fees of transfers, and not paid out later. */
  burned(mint: string): bigint
  /** Base units that accounts had when they were first seen, or that moved while nobody looked; 0 if every movement was seen. */
  unseen(mint: string): bigint
}

export function createAccountLedger(): AccountLedger {
  const accounts = new Map<string, TokenAccount>()
  const unseen = new Map<string, bigint>()
  const lost = new Map<string, bigint>()
  const minted = new Set<string>()

  const move = (mint: string, amount: bigint): void => {
    if (amount !== 0n) unseen.set(mint, (unseen.get(mint) ?? 0n) + amount)
  }

  /** The first tokens of a mint come from nowhere; later ones are withheld fees that somebody collects. */
  const lose = (mint: string, amount: bigint): void => {
    if (amount >= 0n || minted.has(mint)) lost.set(mint, (lost.get(mint) ?? 0n) + amount)
    minted.add(mint)
  }

  return {
    apply(tx) {
      if (tx.meta.err !== null) return
      const keys = keysOf(tx)
      const before = rowsOf(keys, tx.meta.preTokenBalances)
      for (const key of keys) {
        const known = accounts.get(key)
        const row = before.get(key)
        if (known !== undefined && row === undefined) move(known.mint, -known.amount)
        if (row !== undefined) move(row.mint, row.amount - (known?.amount ?? 0n))
        accounts.delete(key)
      }
      const rows = rowsOf(keys, tx.meta.postTokenBalances)
      for (const [key, row] of rows) accounts.set(key, row)
      for (const mint of new Set([...before.values(), ...rows.values()].map((row) => row.mint)))
        lose(mint, sumOf(before, mint) - sumOf(rows, mint))
    },
    held(mint) {
      const owners = new Map<string, bigint>()
      for (const account of accounts.values())
        if (account.mint === mint && account.amount > 0n)
          owners.set(account.owner, (owners.get(account.owner) ?? 0n) + account.amount)
      return owners
    },
    burned: (mint) => lost.get(mint) ?? 0n,
    unseen: (mint) => unseen.get(mint) ?? 0n,
  }
}

const sumOf = (rows: ReadonlyMap<string, TokenAccount>, mint: string): bigint =>
  [...rows.values()].reduce((all, row) => (row.mint === mint ? all + row.amount : all), 0n)

export const signersOf = (tx: NodeTransaction): string[] =>
  keysOf(tx).slice(0, tx.transaction.message.header!.numRequiredSignatures)

function keysOf({ transaction, meta }: NodeTransaction): string[] {
  const { writable = [], readonly = [] } = meta.loadedAddresses ?? {}
  const listed = transaction.message.accountKeys.map((one) => (typeof one === 'string' ? one : one.pubkey))
  return [...listed, ...writable, ...readonly]
}

function rowsOf(keys: readonly string[], rows: readonly TokenRow[] = []): Map<string, TokenAccount> {
  return new Map(
    rows.map(({ accountIndex, mint, owner, uiTokenAmount }) => {
      if (owner === undefined) throw new Error(`a token account of ${mint} without its owner`)
      return [keys[accountIndex]!, { mint, owner, amount: BigInt(uiTokenAmount.amount) }]
    }),
  )
}

/** Whether a key is an address that a program derived: nobody can sign with it. */
export const isProgramsOwn = (address: string): boolean => isOffCurveAddress(address as Address)

/** What people hold; what programs hold is not in it. */
export const heldByPeople = (held: ReadonlyMap<string, bigint>): Map<string, bigint> =>
  new Map([...held].filter(([owner]) => !isProgramsOwn(owner)))
