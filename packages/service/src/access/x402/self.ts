import { AsyncLocalStorage } from 'node:async_hooks'
import {
  type Address,
  getBase58Decoder,
  getBase64EncodedWireTransaction,
  getTransactionDecoder,
  type KeyPairSigner,
} from '@solana/kit'
import { type PendingSettlementStore, x402Facilitator } from '@x402/core/facilitator'
import type { PaymentPayload, PaymentRequirements, SettleResponse } from '@x402/core/types'
import { type FacilitatorSvmSigner, SettlementCache, TransactionOnchainFailureError } from '@x402/svm'
import { ExactSvmScheme } from '@x402/svm/exact/facilitator'
import type { Logger } from '../../base/log.ts'
import { RpcFailure } from '../solana-rpc.ts'
import { type Chain, CONFIRM_MS, settlementOf } from './chain.ts'
import type { Facilitator, Order, Readiness, RecordSignature, Settlement } from './facilitator.ts'
import { signerOf } from './keypair.ts'
import type { Ledger } from './ledger.ts'
import { MAINNET, type Network } from './network.ts'
import { quietly } from './sdk-console.ts'
import { feeOf, readTransaction, TRANSACTION_COST } from './transaction.ts'

/** lamports below which the fee payer takes no payments: what keeps its account alive, and 60 fees */
const FEE_PAYER_FLOOR_LAMPORTS = 2_000_000
/** lamports of fees a day (UTC) that are spent whatever comes in: 20,000 payments; and more for each unit of USDC that was
 * paid today: 1.2 times the fee of a payment of $0.01, so that what earns its fee is never refused */
const FEE_LAMPORTS_PER_DAY = 200_000_000
const FEE_LAMPORTS_PER_UNIT = 1.2

/** State of one call into the package, for its signer callbacks. */
interface SdkCall {
  readonly record: RecordSignature | null
  /** the signature was about to be written, so it may have been sent */
  attempted: boolean
  signature: string | null
  /** the node did not answer, so the package's conclusion is void */
  unreachable: boolean
}

interface SelfOptions {
  /** 64 bytes of the fee payer's keypair, a hot key that should hold little SOL and nothing else */
  readonly feePayerSecret: Uint8Array
  /** wallet of the seller */
  readonly payTo: string
  readonly chain: Chain
  readonly ledger: Ledger
  readonly logger: Logger
  readonly now: () => number
  /** that of the offers; left out: mainnet */
  readonly network?: Network
  /** refuses nodes of other networks than mainnet */
  readonly mainnet: boolean
  /** milliseconds to wait for a confirmation; for tests */
  readonly confirmMs?: number
}

/**
 * Verifies and settles in this process with our own fee payer. The package's V2 scheme with its caps handles V1 payments too,
 * because its V1 scheme has none. The signature is in the ledger before the transaction is sent.
 */
export async function createSelfFacilitator(options: SelfOptions): Promise<Facilitator> {
  const { chain, logger, payTo, mainnet } = options
  const signer = await signerOf(options.feePayerSecret)
  const calls = new AsyncLocalStorage<SdkCall>()
  const scheme = new ExactSvmScheme(sdkSigner(signer, options, calls), new SettlementCache(), {
    maxPriorityFeeMicroLamports: TRANSACTION_COST.microLamports,
    maxComputeUnits: TRANSACTION_COST.computeUnits,
    maxRequiredSignatures: TRANSACTION_COST.signatures,
    pendingSettlementStore: pendingStore(options.ledger),
  })
  const facilitator = new x402Facilitator().register((options.network ?? MAINNET).v2, scheme)

  const sdk = <T>(call: SdkCall, run: () => Promise<T>): Promise<T> => calls.run(call, () => quietly(logger, run))
  const newCall = (record: RecordSignature | null): SdkCall => ({
    record,
    attempted: false,
    signature: null,
    unreachable: false,
  })

  async function settle(order: Order, record: RecordSignature): Promise<Settlement> {
    const call = newCall(record)
    const given = argumentsOf(order)
    const answer: SettleResponse | null = await sdk(call, () => facilitator.settle(...given)).catch(() => null)
    const { signature } = call
    if (answer?.success === true) return { kind: 'landed', signature: answer.transaction }
    if (signature !== null) {
      const landing = await chain.landing(signature).catch(() => 'unsure' as const)
      return settlementOf(landing, signature) ?? { kind: 'open', reason: 'settlement_pending', signature }
    }
    // the write may have succeeded, so the ledger must be read
    if (call.attempted || answer?.errorReason === 'duplicate_settlement') {
      return { kind: 'open', reason: 'settlement_pending', signature: null }
    }
    const reason = call.unreachable ? 'node_unreachable' : (answer?.errorReason ?? 'settlement_failed')
    return { kind: 'refused', reason, proof: 'unsent' }
  }

  async function check(): Promise<Readiness> {
    try {
      const problem =
        (await networkProblem(chain, mainnet)) ??
        (await chain.sellerProblem(payTo)) ??
        feePayerProblem(signer.address, await chain.lamports(signer.address)) ??
        (await budgetProblem(options))
      return { ready: problem === null, reason: problem }
    } catch (error) {
      const why = error instanceof RpcFailure ? error.message : (error as Error).name
      return { ready: false, reason: `the Solana node or the ledger does not answer as expected: ${why}` }
    }
  }

  return {
    feePayer: () => signer.address,
    signsFirst: true,
    funds: chain.funds,
    async verify(order) {
      const call = newCall(null)
      const given = argumentsOf(order)
      const answer = await sdk(call, () => facilitator.verify(...given))
      if (answer.isValid) return { valid: true }
      if (call.unreachable) throw new Error('the Solana node does not answer')
      return { valid: false, reason: answer.invalidReason ?? 'verification_failed' }
    },
    settle,
    async lookup(order) {
      const { signature } = order
      if (signature === null) return { kind: 'refused', reason: 'settlement_not_sent', proof: 'unsent' }
      return chain.outcome({ ...order, signature })
    },
    check,
  }
}

async function networkProblem(chain: Chain, mainnet: boolean): Promise<string | null> {
  const genesis = MAINNET.v2.slice(MAINNET.v2.indexOf(':') + 1)
  const fits = !mainnet || (await chain.genesisHash()).startsWith(genesis)
  return fits ? null : 'SOLANA_RPC_URL is not a node of Solana mainnet: payments there have no value'
}

function feePayerProblem(wallet: string, lamports: number): string | null {
  const floor = FEE_PAYER_FLOOR_LAMPORTS
  if (lamports >= floor) return null
  return `the fee payer ${wallet} holds ${lamports} lamports, payments need ${floor}: send it SOL, 0.1 pays for thousands of calls`
}

const DAY_MS = 86_400_000

/** Limits the fees of a day (UTC) across processes of the ledger: a fixed sum, plus a share of income. */
async function budgetProblem({ ledger, now }: SelfOptions): Promise<string | null> {
  const midnight = new Date(Math.floor(now() / DAY_MS) * DAY_MS)
  const { units, feeLamports } = await ledger.since(midnight)
  if (feeLamports < FEE_LAMPORTS_PER_DAY + units * FEE_LAMPORTS_PER_UNIT) return null
  return `the fees of today have reached ${feeLamports} lamports: payments are taken again after midnight UTC`
}

const argumentsOf = ({ requirements, transaction }: Order): [PaymentPayload, PaymentRequirements] => {
  const accepted = { ...requirements, extra: { ...requirements.extra } }
  return [{ x402Version: 2, accepted, payload: { transaction } }, accepted]
}

/** Uses the largest possible fee for an unreadable transaction. */
function feeOfWire(transaction: string): number {
  const read = readTransaction(transaction)
  return read.ok ? feeOf(read.facts) : TRANSACTION_COST.lamports
}

const transactionDecoder = getTransactionDecoder()

/** JSON-RPC */
const INVALID_PARAMS = -32_602

/** Implements the package's interface to chain and key. */
function sdkSigner(
  signer: KeyPairSigner,
  { chain, confirmMs = CONFIRM_MS }: SelfOptions,
  calls: AsyncLocalStorage<SdkCall>,
): FacilitatorSvmSigner {
  return {
    getAddresses: () => [signer.address],
    async signTransaction(transaction: string, feePayer: Address) {
      const call = calls.getStore()
      if (call === undefined || call.record === null) throw new Error('nothing is signed outside a settlement')
      if (feePayer !== signer.address) throw new Error('not our fee payer')
      const decoded = transactionDecoder.decode(Buffer.from(transaction, 'base64'))
      const signable = { content: new Uint8Array(decoded.messageBytes), signatures: {} }
      const [ours] = await signer.signMessages([signable])
      const own = ours![signer.address]!
      const signature = getBase58Decoder().decode(own)
      const signed = getBase64EncodedWireTransaction({
        ...decoded,
        signatures: { ...decoded.signatures, [signer.address]: own },
      })
      call.attempted = true
      await call.record(signature, { transaction: signed, feeLamports: feeOfWire(transaction) })
      call.signature = signature
      return signed
    },
    async simulateTransaction(transaction: string) {
      try {
        await chain.simulate(transaction)
      } catch (error) {
        const call = calls.getStore()
        // a transaction that the node cannot parse is the payer's fault; any other missing result is the node's
        const unread = error instanceof RpcFailure && error.code === INVALID_PARAMS
        if (error instanceof RpcFailure && !unread && call !== undefined) call.unreachable = true
        throw error
      }
    },
    sendTransaction: (transaction: string) => chain.send(transaction),
    async confirmTransaction(signature: string) {
      const landing = await chain.wait(signature, confirmMs)
      if (landing === 'failed') throw new TransactionOnchainFailureError('the transaction failed on chain')
      if (landing !== 'landed') throw new Error('no confirmation yet')
    },
  }
}

/** Lets a repeated settlement use the existing signature instead of signing again. */
function pendingStore(ledger: Ledger): PendingSettlementStore {
  return {
    async get(key: string) {
      const row = await ledger.find(Buffer.from(key, 'base64').toString('hex'))
      return row?.signature ?? undefined
    },
    // the signature is written before sending and stays; the ledger decides when it ends
    async set() {},
    async delete() {},
  }
}
