import type { Address } from '@solana/kit'
import { keyFromBase58 } from '@ti/core/base/base58.ts'
import { plainLine, quoted } from '@ti/core/base/plain-text.ts'
import { OperatorError } from '@ti/service/base/errors.ts'
import { associatedTokenAccount } from '@ti/service/base/token-account.ts'
import { howToStart } from '@ti/service/cli/service-address.ts'
import { SANDBOX_GENESIS_HASH } from '../addresses.ts'

/** `demo-pay`: milliseconds of one request; a settlement is waited for up to 30 s */
export const REQUEST_MS = 60_000

/** The play-money chain of a running service. */
interface Sandbox {
  readonly rpcUrl: string
  readonly payTo: string
  rpc(method: string, params: readonly unknown[]): Promise<unknown>
  /** USDC units. */
  tokens(wallet: string): Promise<bigint>
}

/** Checks with the service, and then with the chain itself, that payments are play money. */
export async function findSandbox(url: string): Promise<Sandbox> {
  const { payments } = (await readJson(`${url}/.well-known/x402`)) as { payments?: Record<string, unknown> }
  if (payments?.mode !== 'sandbox') {
    const mode = payments === undefined ? 'says nothing about payments' : `takes payments in mode ${say(payments.mode)}`
    throw new OperatorError(
      `the service at ${url} ${mode}; demo-pay pays only in a sandbox: start it with PAYMENTS=sandbox`,
    )
  }
  const { rpc_url: rpcUrl, pay_to: payTo, network, asset } = payments
  if (typeof asset !== 'string' || typeof network !== 'string' || keyFromBase58(asset) === null) {
    throw new OperatorError(`the service at ${url} does not say what its sandbox is paid with`)
  }
  if (typeof rpcUrl !== 'string' || typeof payTo !== 'string' || keyFromBase58(payTo) === null) {
    throw new OperatorError(`the service at ${url} does not say where its sandbox chain is`)
  }
  const rpc = (method: string, params: readonly unknown[]) => callRpc(rpcUrl, method, params)
  if ((await rpc('getGenesisHash', [])) !== SANDBOX_GENESIS_HASH) {
    throw new OperatorError(`${rpcUrl} is not a sandbox chain; demo-pay pays only in a sandbox`)
  }
  const tokens = async (wallet: string): Promise<bigint> => {
    const account = associatedTokenAccount(wallet as Address, asset)
    const { value } = (await rpc('getTokenAccountBalance', [account])) as { value: { amount: string } }
    return BigInt(value.amount)
  }
  return { rpcUrl, payTo, rpc, tokens }
}

async function readJson(url: string, init: RequestInit = {}): Promise<unknown> {
  try {
    const response = await fetch(url, { ...init, signal: AbortSignal.timeout(REQUEST_MS) })
    return (await response.json()) ?? {}
  } catch (error) {
    throw new OperatorError(howToStart(url), { cause: error })
  }
}

async function callRpc(url: string, method: string, params: readonly unknown[]): Promise<unknown> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const answer = await readJson(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  const { result, error } = answer as { result?: unknown; error?: { message?: unknown } }
  if (error !== undefined) throw new OperatorError(`the sandbox chain refused ${method}: ${say(error.message)}`)
  return result
}

/** A name that a deployer chose. */
export const said = (value: unknown): string => quoted(String(value ?? 'nothing'), 100)

/** Untrusted text on one line, without characters that control a terminal. */
export const say = (value: unknown): string => plainLine(String(value ?? 'nothing'), 300)
