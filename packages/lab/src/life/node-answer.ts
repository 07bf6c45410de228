import type {
  Address,
  CompiledTransactionMessage,
  CompiledTransactionMessageWithLifetime,
  Transaction,
} from '@solana/kit'
import { base58Encode } from '@ti/core/base/base58.ts'
import { TOKEN_2022_TEXT, TOKEN_TEXT } from '@ti/core/model/programs.ts'
import type { TransactionMetadata } from 'litesvm'

/** Transactions as a node answers getTransaction in the encoding `json`. */

/** What a token account says. */
export interface Holding {
  readonly account: Address
  readonly program: Address
  readonly mint: Address
  readonly owner: Address
  readonly amount: bigint
}

/** Looks up a token account with the decimals of its mint; null if the account is none. */
export type Tokens = (account: Address) => (Holding & { readonly decimals: number }) | null

interface Balances {
  readonly lamports: readonly bigint[]
  readonly tokens: readonly ReturnType<Tokens>[]
}

export interface NodeAnswer {
  readonly slot: number
  readonly blockTime: number
  readonly meta: { readonly err: unknown }
}

interface Ran {
  readonly slot: number
  readonly blockTime: number
  readonly transaction: Transaction
  readonly message: CompiledTransactionMessage & CompiledTransactionMessageWithLifetime
  readonly error: unknown
  readonly meta: TransactionMetadata
  readonly before: Balances
  readonly after: Balances
}

const PROGRAMS = [TOKEN_TEXT, TOKEN_2022_TEXT].map((text) => text as Address)
/** Bytes of a token account without extensions; with some, the next byte says what the account is. */
const ACCOUNT_BYTES = 165
const IS_ACCOUNT = 2

const base58 = (bytes: ArrayLike<number>): string => base58Encode(Buffer.from(bytes as Uint8Array).toString('latin1'))

export function holdingOf(account: Address, program: Address, data: Uint8Array): Holding | null {
  if (!PROGRAMS.includes(program) || data.length < ACCOUNT_BYTES) return null
  if (data.length > ACCOUNT_BYTES && data[ACCOUNT_BYTES] !== IS_ACCOUNT) return null
  const [mint, owner] = [base58(data.subarray(0, 32)) as Address, base58(data.subarray(32, 64)) as Address]
  return { account, program, mint, owner, amount: Buffer.from(data).readBigUInt64LE(64) }
}

/** All token accounts among those of both token programs. */
export const tokensOf = (
  accounts: (program: Address) => readonly { address: Address; program: Address; data: Uint8Array }[],
): Holding[] =>
  PROGRAMS.flatMap(accounts).flatMap(({ address, program, data }) => holdingOf(address, program, data) ?? [])

export function writeAnswer(ran: Ran): NodeAnswer {
  const { slot, blockTime, transaction, message, error, meta, before, after } = ran
  const { header, staticAccounts, instructions, lifetimeToken } = message
  const sum = (all: readonly bigint[]): bigint => all.reduce((total, one) => total + one, 0n)
  return {
    slot,
    blockTime,
    version: 'legacy',
    transaction: {
      signatures: Object.values(transaction.signatures).map((bytes) => base58(bytes!)),
      message: {
        header: {
          numRequiredSignatures: header.numSignerAccounts,
          numReadonlySignedAccounts: header.numReadonlySignerAccounts,
          numReadonlyUnsignedAccounts: header.numReadonlyNonSignerAccounts,
        },
        accountKeys: staticAccounts,
        recentBlockhash: lifetimeToken,
        instructions: instructions.map(({ programAddressIndex, accountIndices = [], data = [] }) => ({
          programIdIndex: programAddressIndex,
          accounts: accountIndices,
          data: base58(data as Uint8Array),
        })),
      },
    },
    meta: {
      err: errorOf(error),
      fee: Number(sum(before.lamports) - sum(after.lamports)),
      preBalances: before.lamports.map(Number),
      postBalances: after.lamports.map(Number),
      preTokenBalances: rowsOf(before.tokens),
      postTokenBalances: rowsOf(after.tokens),
      innerInstructions: innerOf(meta),
      logMessages: meta.logs(),
      computeUnitsConsumed: Number(meta.computeUnitsConsumed()),
      loadedAddresses: { writable: [], readonly: [] },
    },
  } as NodeAnswer
}

const rowsOf = (tokens: Balances['tokens']): object[] =>
  tokens.flatMap((holding, accountIndex) => {
    if (holding === null) return []
    const { mint, owner, program, amount, decimals } = holding
    const uiTokenAmount = { amount: String(amount), decimals, uiAmount: null, uiAmountString: '' }
    return [{ accountIndex, mint, owner, programId: program, uiTokenAmount }]
  })

const innerOf = (meta: TransactionMetadata): object[] =>
  meta
    .innerInstructions()
    .map((inner, index) => ({
      index,
      instructions: inner.map((one) => ({
        programIdIndex: one.instruction().programIdIndex(),
        accounts: [...one.instruction().accounts()],
        data: base58(one.instruction().data()),
        stackHeight: one.stackHeight(),
      })),
    }))
    .filter(({ instructions }) => instructions.length > 0)

/** A node gives more detail; readers of the answer only check whether there is an error. */
function errorOf(error: unknown): object | null {
  if (error === null) return null
  const { index, err } = error as { index?: number; err?: () => unknown }
  const { code } = (err?.call(error) ?? {}) as { code?: number }
  return { InstructionError: [index ?? 0, code === undefined ? 'GenericError' : { Custom: code }] }
}
