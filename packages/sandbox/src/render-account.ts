import { AccountState, getMintDecoder, getTokenDecoder, TOKEN_PROGRAM_ADDRESS } from '@solana-program/token'
import { type Config, wholeOf } from './params.ts'
import { badParams } from './rpc-error.ts'
import { bytesToBase58 } from './transactions.ts'
import { type Account, TOKEN_ACCOUNT_BYTES, type Vm } from './vm.ts'

/** Accounts in the formats of an RPC node. */

export interface TokenAmount {
  readonly amount: string
  readonly decimals: number
  readonly uiAmount: number
  readonly uiAmountString: string
}

export function tokenAmount(units: bigint, decimals: number): TokenAmount {
  const digits = units.toString().padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  const rest = digits.slice(digits.length - decimals).replace(/0+$/, '')
  const uiAmountString = rest === '' ? whole : `${whole}.${rest}`
  return { amount: units.toString(), decimals, uiAmount: Number(uiAmountString), uiAmountString }
}

interface TokenAccount {
  readonly mint: string
  readonly owner: string
  readonly amount: bigint
  readonly decimals: number
  readonly state: string
}

export function tokenAccount(vm: Vm, account: Account | null): TokenAccount | null {
  if (account?.owner !== TOKEN_PROGRAM_ADDRESS || account.data.length !== TOKEN_ACCOUNT_BYTES) return null
  const { mint, owner, amount, state } = getTokenDecoder().decode(account.data)
  const decimals = mintDecimals(vm.account(mint))
  return decimals === null ? null : { mint, owner, amount, decimals, state: AccountState[state].toLowerCase() }
}

/** bytes of a mint's account in the token program */
const MINT_BYTES = 82

const mintDecimals = (account: Account | null): number | null =>
  account?.owner === TOKEN_PROGRAM_ADDRESS && account.data.length === MINT_BYTES
    ? getMintDecoder().decode(account.data).decimals
    : null

export function renderAccount(vm: Vm, account: Account | null, config: Config): object | null {
  if (account === null) return null
  return {
    lamports: Number(account.lamports),
    owner: account.owner,
    executable: account.executable,
    rentEpoch: 0,
    space: account.data.length,
    data: renderData(vm, account, config),
  }
}

/** The largest data in a base58 answer, as with nodes, because encoding takes quadratic time. */
const BASE58_DATA_BYTES_MAX = 128

function renderData(vm: Vm, account: Account, { encoding, dataSlice }: Config): unknown {
  const bytes = slice(account.data, dataSlice)
  if (encoding === 'base64') return [Buffer.from(bytes).toString('base64'), 'base64']
  if (encoding === 'jsonParsed') return parsed(vm, account) ?? [Buffer.from(account.data).toString('base64'), 'base64']
  if (encoding !== undefined && encoding !== 'base58') throw badParams('encoding: base58, base64 or jsonParsed')
  if (bytes.length > BASE58_DATA_BYTES_MAX) throw badParams('too much data for base58, use base64')
  return encoding === undefined ? bytesToBase58(bytes) : [bytesToBase58(bytes), 'base58']
}

function slice(data: Uint8Array, wanted: unknown): Uint8Array {
  if (wanted === undefined || wanted === null) return data
  const { offset, length } = wanted as { offset?: unknown; length?: unknown }
  const from = Number(wholeOf(offset, 0n, 1n << 31n, 'dataSlice.offset'))
  return data.subarray(from, from + Number(wholeOf(length, 0n, 1n << 31n, 'dataSlice.length')))
}

function parsed(vm: Vm, account: Account): object | null {
  const space = account.data.length
  const token = tokenAccount(vm, account)
  if (token !== null) {
    const { mint, owner, amount, decimals, state } = token
    const info = { mint, owner, state, isNative: false, tokenAmount: tokenAmount(amount, decimals) }
    return { program: 'spl-token', space, parsed: { type: 'account', info } }
  }
  if (mintDecimals(account) === null) return null
  const { decimals, supply, isInitialized } = getMintDecoder().decode(account.data)
  const info = { decimals, supply: supply.toString(), isInitialized, mintAuthority: null, freezeAuthority: null }
  return { program: 'spl-token', space, parsed: { type: 'mint', info } }
}
