import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import { associatedTokenAccount } from '../../base/token-account.ts'
import { createSolanaRpc, RpcFailure, type SolanaRpc } from '../solana-rpc.ts'
import { EXPIRED, EXPIRY_MS, FAILED_ON_CHAIN, type OpenOrder, type Settlement } from './facilitator.ts'
import { MAINNET } from './network.ts'
import { readTransaction } from './transaction.ts'

/** milliseconds of the wait for a confirmation (mainnet: 1 to 3 s), between two polls for it, and of one RPC call */
export const CONFIRM_MS = 20_000
const POLL_MS = 250
const RPC_MS = 8_000
/** latest transactions of a payer among which one without a known signature is looked for */
const SEARCH_ROWS = 50

/** The chain's knowledge of a transaction: absent, landed, failed, or not certain yet. */
export type Landing = 'absent' | 'landed' | 'failed' | 'unsure'

/** The chain for settlement, read through one node. Every method throws if the node does not answer. */
export interface Chain {
  /** throws if the simulation fails; does not check signatures */
  simulate(transaction: string): Promise<void>
  /** returns the signature */
  send(transaction: string): Promise<string>
  landing(signature: string): Promise<Landing>
  /** polls until it landed or failed, or for `ms` */
  wait(signature: string, ms: number): Promise<Landing>
  /**
   * Searches the payer's latest transactions for a message that landed or failed and returns its signature. Null proves
   * nothing.
   */
  find(hash: string, payer: string): Promise<string | null>
  lamports(wallet: string): Promise<number>
  /** smallest units in each of at most 100 token accounts, in one call; 0 if it does not exist or cannot pay */
  funds(accounts: readonly string[]): Promise<readonly bigint[]>
  /** reason why a wallet cannot be paid; null: none */
  sellerProblem(wallet: string): Promise<string | null>
  genesisHash(): Promise<string>
  /** the outcome of a sent transaction; resends it while it may still land */
  outcome(order: OpenOrder & { readonly signature: string }): Promise<Settlement>
}

interface ChainOptions {
  readonly rpcUrl: string
  /** mint of what is paid with; left out: USDC of mainnet */
  readonly asset?: string
  readonly now: () => number
  readonly rpc?: SolanaRpc
  /** milliseconds to wait for a confirmation, and between two polls; for tests */
  readonly confirmMs?: number
  readonly pollMs?: number
}

const withValue = <T extends z.ZodType>(value: T) => z.object({ context: z.object({ slot: z.number() }), value })

const Status = z.object({ err: z.unknown(), confirmationStatus: z.string().nullish() }).nullable()
const Statuses = withValue(z.array(Status).length(1))
const Simulation = withValue(z.object({ err: z.unknown() }))
const Flag = withValue(z.boolean())
const Lamports = withValue(z.number())
const AccountData = z.object({ data: z.tuple([z.string(), z.literal('base64')]) }).nullable()
const Account = withValue(AccountData)
const Accounts = withValue(z.array(AccountData))

const History = z.array(z.object({ signature: z.string() })).max(SEARCH_ROWS)
const Wire = z.object({ transaction: z.tuple([z.string(), z.literal('base64')]) }).nullable()

type StatusAnswer = z.infer<typeof Statuses>

/** offsets in a token account of the SPL Token program */
const TOKEN_ACCOUNT = { bytes: 165, amount: 64, state: 108, initialised: 1 } as const

const CONFIRMED = { commitment: 'confirmed' } as const

export function createChain(options: ChainOptions): Chain {
  const { rpcUrl, now, asset = MAINNET.asset, confirmMs = CONFIRM_MS, pollMs = POLL_MS } = options
  const rpc = options.rpc ?? createSolanaRpc({ url: rpcUrl, timeoutMs: RPC_MS })

  async function statuses(signature: string, everywhere: boolean): Promise<StatusAnswer> {
    return Statuses.parse(await rpc('getSignatureStatuses', [[signature], { searchTransactionHistory: everywhere }]))
  }

  async function send(transaction: string): Promise<string> {
    const config = { encoding: 'base64', skipPreflight: true, preflightCommitment: 'confirmed' }
    return z.string().parse(await rpc('sendTransaction', [transaction, config]))
  }

  /** the wallet's associated token account; null bytes: it does not exist */
  async function tokenAccount(wallet: string): Promise<{ readonly address: string; readonly bytes: Buffer | null }> {
    const address = associatedTokenAccount(wallet, asset)
    const { value } = Account.parse(await rpc('getAccountInfo', [address, { ...CONFIRMED, encoding: 'base64' }]))
    return { address, bytes: bytesOf(value) }
  }

  async function wait(signature: string, ms: number): Promise<Landing> {
    const end = performance.now() + ms
    for (;;) {
      const landing = landingOf((await statuses(signature, false)).value[0] ?? null)
      if (landing === 'landed' || landing === 'failed' || performance.now() + pollMs >= end) return landing
      await pause(pollMs)
    }
  }

  /**
   * Decides whether a transaction without a status can never land. A blockhash unknown to the confirmed bank is expired, or so
   * new that this node has not seen it; hence the age. The status is queried afterwards, from a bank at least as new, because a
   * pool of nodes does not answer from one state.
   */
  async function expired(order: OpenOrder & { readonly signature: string }): Promise<Landing> {
    if (now() - order.since.getTime() < EXPIRY_MS) return 'unsure'
    const valid = Flag.parse(await rpc('isBlockhashValid', [order.blockhash, CONFIRMED]))
    if (valid.value) return 'unsure'
    const { context, value } = await statuses(order.signature, true)
    const landing = landingOf(value[0] ?? null)
    return landing === 'absent' && context.slot < valid.context.slot ? 'unsure' : landing
  }

  return {
    send,
    wait,
    async simulate(transaction) {
      const config = { ...CONFIRMED, encoding: 'base64', sigVerify: false, replaceRecentBlockhash: false }
      const { err } = Simulation.parse(await rpc('simulateTransaction', [transaction, config])).value
      if (err !== null && err !== undefined) throw new Error(`simulation failed: ${JSON.stringify(err).slice(0, 200)}`)
    },
    landing: async (signature) => landingOf((await statuses(signature, true)).value[0] ?? null),
    async find(hash, payer) {
      const limit = { ...CONFIRMED, limit: SEARCH_ROWS }
      const config = { ...CONFIRMED, encoding: 'base64', maxSupportedTransactionVersion: 1 }
      for (const { signature } of History.parse(await rpc('getSignaturesForAddress', [payer, limit]))) {
        const wire = Wire.parse(await rpc('getTransaction', [signature, config]))
        const read = wire === null ? null : readTransaction(wire.transaction[0])
        if (read?.ok && read.facts.hash === hash) return signature
      }
      return null
    },
    lamports: async (wallet) => Lamports.parse(await rpc('getBalance', [wallet, CONFIRMED])).value,
    async funds(accounts) {
      const config = { ...CONFIRMED, encoding: 'base64' }
      const { value } = Accounts.parse(await rpc('getMultipleAccounts', [accounts, config]))
      if (value.length !== accounts.length)
        throw new RpcFailure('getMultipleAccounts', 'not an answer for each account')
      return value.map((account) => {
        const bytes = bytesOf(account)
        return isUsable(bytes) ? bytes.readBigUInt64LE(TOKEN_ACCOUNT.amount) : 0n
      })
    },
    async sellerProblem(wallet) {
      const { address, bytes } = await tokenAccount(wallet)
      if (bytes === null) {
        return `the USDC account ${address} of PAY_TO does not exist: create it by sending any amount of USDC to ${wallet}`
      }
      if (isUsable(bytes)) return null
      return `the USDC account ${address} of PAY_TO cannot receive: it is frozen or not a token account`
    },
    genesisHash: async () => z.string().parse(await rpc('getGenesisHash', [])),
    async outcome(order) {
      const { signature } = order
      const open: Settlement = { kind: 'open', reason: 'settlement_pending', signature }
      let landing = landingOf((await statuses(signature, true)).value[0] ?? null)
      if (landing === 'absent') {
        const late = await expired(order)
        if (late === 'absent') return { kind: 'refused', reason: EXPIRED, proof: 'proven' }
        landing = late === 'unsure' ? await again(order) : late
      }
      return settlementOf(landing, signature) ?? open
    },
  }

  /** Resends the same bytes and signature, which the chain accepts once. */
  async function again({ transaction, signature }: OpenOrder & { readonly signature: string }): Promise<Landing> {
    if (transaction !== null) await send(transaction).catch(() => {})
    return wait(signature, confirmMs)
  }
}

const bytesOf = (account: z.infer<typeof AccountData>): Buffer | null =>
  account === null ? null : Buffer.from(account.data[0], 'base64')

const isUsable = (bytes: Buffer | null): bytes is Buffer =>
  bytes?.length === TOKEN_ACCOUNT.bytes && bytes[TOKEN_ACCOUNT.state] === TOKEN_ACCOUNT.initialised

const landingOf = (status: z.infer<typeof Status>): Landing => {
  if (status === null) return 'absent'
  if (status.confirmationStatus !== 'confirmed' && status.confirmationStatus !== 'finalized') return 'unsure'
  return status.err === null || status.err === undefined ? 'landed' : 'failed'
}

/** Maps a landing to a settlement; null: unknown. */
export function settlementOf(landing: Landing, signature: string): Settlement | null {
  if (landing === 'landed') return { kind: 'landed', signature }
  if (landing === 'failed') return { kind: 'refused', reason: FAILED_ON_CHAIN, proof: 'proven' }
  return null
}
