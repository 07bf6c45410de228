import { base58Encode, keyToBase58 } from '@ti/core/base/base58.ts'
import type { Key } from '@ti/core/base/ids.ts'
import type { NodeTransaction, TokenRow } from './accounts.ts'
import type { Step, transaction } from './meteora.ts'

/** Answers to getTransaction that tests write or add to. */
export interface Answer extends NodeTransaction {
  readonly transaction: {
    readonly signatures: string[]
    readonly message: {
      readonly header: { readonly numRequiredSignatures: number }
      readonly accountKeys: string[]
      readonly instructions: object[]
    }
  }
  readonly meta: {
    readonly err: unknown
    readonly preBalances: number[]
    readonly postBalances: number[]
    readonly preTokenBalances: TokenRow[]
    readonly postTokenBalances: TokenRow[]
    readonly innerInstructions: object[]
    readonly logMessages: string[]
  }
}

export type Call = Parameters<typeof transaction>[1][number]

const LAMPORTS = 1_000_000_000

/** The place of a key among those of the transaction, where it is added if it is not there. */
export function indexOf({ transaction, meta }: Answer, key: Key): number {
  const { accountKeys } = transaction.message
  const text = keyToBase58(key)
  if (accountKeys.includes(text)) return accountKeys.indexOf(text)
  meta.preBalances.push(LAMPORTS)
  meta.postBalances.push(LAMPORTS)
  return accountKeys.push(text) - 1
}

export function addCalls(answer: Answer, calls: readonly Call[]): void {
  const written = ([program, accounts, data]: Step) => ({
    programIdIndex: indexOf(answer, program),
    accounts: accounts.map((one) => indexOf(answer, one)),
    data: base58Encode(data.toString('latin1')),
  })
  for (const { call, inner } of calls) {
    const index = answer.transaction.message.instructions.push(written(call)) - 1
    const instructions = inner.map((one) => ({ ...written(one), stackHeight: 2 }))
    answer.meta.innerInstructions.push({ index, instructions })
  }
}

/** The change of an owner's tokens, over all its accounts. */
export function changeOf({ meta }: Answer, owner: string): bigint {
  const sum = (rows: readonly TokenRow[]) =>
    rows.reduce((all, row) => all + (row.owner === owner ? BigInt(row.uiTokenAmount.amount) : 0n), 0n)
  return sum(meta.postTokenBalances) - sum(meta.preTokenBalances)
}
