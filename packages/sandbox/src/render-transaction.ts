import { TOKEN_PROGRAM_ADDRESS } from '@solana-program/token'
import type { TransactionMetadata } from 'litesvm'
import { MEMO_PROGRAM, SYSTEM_PROGRAM } from './addresses.ts'
import type { Landed } from './history.ts'
import type { Config } from './params.ts'
import { type TokenAmount, tokenAccount, tokenAmount } from './render-account.ts'
import { badParams, RPC_CODE, RpcError } from './rpc-error.ts'
import { bytesToBase58, type Decoded, isSigner, isWritable, type Message, usesLookups } from './transactions.ts'
import type { Vm } from './vm.ts'

/** Transactions in the formats of an RPC node. */

interface TokenBalance {
  readonly accountIndex: number
  readonly mint: string
  readonly owner: string
  readonly programId: string
  readonly uiTokenAmount: TokenAmount
}

interface Balances {
  readonly lamports: readonly bigint[]
  readonly tokens: readonly TokenBalance[]
}

/** Current balances of a transaction's accounts. */
export function balancesOf(vm: Vm, { keys }: Decoded): Balances {
  const accounts = keys.map((key) => vm.account(key))
  const tokens = accounts.flatMap((account, accountIndex) => {
    const token = tokenAccount(vm, account)
    if (token === null) return []
    const { mint, owner, amount, decimals } = token
    const uiTokenAmount = tokenAmount(amount, decimals)
    return [{ accountIndex, mint, owner, programId: TOKEN_PROGRAM_ADDRESS as string, uiTokenAmount }]
  })
  return { lamports: accounts.map((account) => account?.lamports ?? 0n), tokens }
}

/** `meta` of a landed transaction. Transactions conserve lamports, so the difference is the fee. */
export function renderMeta(ran: { err: unknown; meta: TransactionMetadata | null }, before: Balances, after: Balances) {
  const sum = (all: readonly bigint[]): bigint => all.reduce((total, one) => total + one, 0n)
  return {
    err: ran.err,
    status: ran.err === null ? { Ok: null } : { Err: ran.err },
    fee: Number(sum(before.lamports) - sum(after.lamports)),
    preBalances: before.lamports.map(Number),
    postBalances: after.lamports.map(Number),
    preTokenBalances: before.tokens,
    postTokenBalances: after.tokens,
    ...renderRun(ran.meta),
    rewards: [],
    loadedAddresses: { writable: [], readonly: [] },
  }
}

/** Logs, inner instructions and compute units of a run. */
function renderRun(meta: TransactionMetadata | null) {
  const innerInstructions = (meta?.innerInstructions() ?? [])
    .map((inner, index) => ({
      index,
      instructions: inner.map((one) => ({
        programIdIndex: one.instruction().programIdIndex(),
        accounts: [...one.instruction().accounts()],
        data: bytesToBase58(one.instruction().data()),
        stackHeight: one.stackHeight(),
      })),
    }))
    .filter(({ instructions }) => instructions.length > 0)
  return {
    innerInstructions,
    logMessages: meta?.logs() ?? [],
    computeUnitsConsumed: Number(meta?.computeUnitsConsumed() ?? 0n),
  }
}

/** The `value` of a simulateTransaction answer, without requested accounts. */
export function renderSimulation(ran: { err: unknown; meta: TransactionMetadata | null }, inner: boolean) {
  const { innerInstructions, logMessages, computeUnitsConsumed } = renderRun(ran.meta)
  const returned = ran.meta?.returnData()
  const data = returned?.data() ?? new Uint8Array()
  return {
    err: ran.err,
    logs: logMessages,
    unitsConsumed: computeUnitsConsumed,
    innerInstructions: inner ? innerInstructions : null,
    returnData:
      returned === undefined || data.length === 0
        ? null
        : { programId: bytesToBase58(returned.programId()), data: [Buffer.from(data).toString('base64'), 'base64'] },
  }
}

/** The answer of getTransaction. */
export function renderTransaction({ decoded, slot, blockTime, meta }: Landed, config: Config): object {
  const { version } = decoded
  const { maxSupportedTransactionVersion: most } = config
  const isByte = typeof most === 'number' && Number.isInteger(most) && most >= 0 && most < 256
  if (most !== undefined && !isByte) throw badParams('maxSupportedTransactionVersion must be an integer from 0 to 255')
  if (version !== 'legacy' && most === undefined) {
    throw new RpcError(
      RPC_CODE.transactionVersion,
      `Transaction version (${version}) is not supported by the requesting client. ` +
        'Please try the request again with the following configuration parameter: "maxSupportedTransactionVersion": 0',
    )
  }
  const transaction = renderBody(decoded, config.encoding)
  return { slot, blockTime, transaction, meta, ...(most === undefined ? {} : { version }) }
}

function renderBody({ wire, signatures, message }: Decoded, encoding: unknown = 'json'): unknown {
  if (encoding === 'base64') return [Buffer.from(wire).toString('base64'), 'base64']
  if (encoding === 'base58') return [bytesToBase58(wire), 'base58']
  if (encoding !== 'json' && encoding !== 'jsonParsed') {
    throw badParams('encoding: json, jsonParsed, base58 or base64')
  }
  const { staticAccounts, header, lifetimeToken } = message
  const plain = encoding === 'json'
  const accountKeys = plain
    ? staticAccounts
    : staticAccounts.map((pubkey, index) => {
        const [signer, writable] = [isSigner(message, index), isWritable(message, index)]
        return { pubkey, signer, writable, source: 'transaction' }
      })
  return {
    signatures,
    message: {
      ...(plain ? { header: rpcHeader(header) } : {}),
      accountKeys,
      recentBlockhash: lifetimeToken,
      instructions: message.instructions.map((one) =>
        plain ? plainInstruction(one) : parsedInstruction(message, one),
      ),
      ...(message.version === 'legacy' ? {} : { addressTableLookups: [] }),
    },
  }
}

const rpcHeader = (header: Message['header']): object => ({
  numRequiredSignatures: header.numSignerAccounts,
  numReadonlySignedAccounts: header.numReadonlySignerAccounts,
  numReadonlyUnsignedAccounts: header.numReadonlyNonSignerAccounts,
})

type Instruction = Message['instructions'][number]

const dataOf = ({ data }: Instruction): Uint8Array => new Uint8Array(data ?? [])

const plainInstruction = (one: Instruction): object => ({
  programIdIndex: one.programAddressIndex,
  accounts: one.accountIndices ?? [],
  data: bytesToBase58(dataOf(one)),
  stackHeight: 1,
})

/** Parses transfers and memos; other instructions appear as nodes show unparsed ones. */
function parsedInstruction(message: Message, one: Instruction): object {
  const programId = message.staticAccounts[one.programAddressIndex]!
  const accounts = (one.accountIndices ?? []).map((index) => message.staticAccounts[index]!)
  const data = Buffer.from(dataOf(one))
  const known =
    programId === SYSTEM_PROGRAM
      ? parsedTransfer(accounts, data)
      : programId === TOKEN_PROGRAM_ADDRESS
        ? parsedTokenTransfer(accounts, data)
        : programId === MEMO_PROGRAM
          ? { program: 'spl-memo', parsed: data.toString('utf8') }
          : null
  const shown = known ?? { accounts, data: bytesToBase58(data) }
  return { programId, ...shown, stackHeight: 1 }
}

function parsedTransfer([source, destination]: readonly string[], data: Buffer): object | null {
  if (data.length !== 12 || data.readUInt32LE(0) !== 2 || destination === undefined) return null
  const info = { source, destination, lamports: Number(data.readBigUInt64LE(4)) }
  return { program: 'system', parsed: { type: 'transfer', info } }
}

function parsedTokenTransfer(accounts: readonly string[], data: Buffer): object | null {
  const [source, mint, destination, authority] = accounts
  if (data.length !== 10 || data[0] !== 12 || authority === undefined) return null
  const info = { source, mint, destination, authority, tokenAmount: tokenAmount(data.readBigUInt64LE(1), data[9]!) }
  return { program: 'spl-token', parsed: { type: 'transferChecked', info } }
}

/** Memos as in getSignaturesForAddress: `[bytes] text`. */
export function memoOf(message: Message): string | null {
  if (usesLookups(message)) return null
  const memos = message.instructions
    .filter(({ programAddressIndex }) => message.staticAccounts[programAddressIndex] === MEMO_PROGRAM)
    .map((one) => `[${dataOf(one).length}] ${Buffer.from(dataOf(one)).toString('utf8')}`)
  return memos.length === 0 ? null : memos.join('; ')
}
