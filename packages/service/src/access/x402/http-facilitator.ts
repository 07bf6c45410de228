import { keyFromBase58, sigFromBase58 } from '@ti/core/base/base58.ts'
import { z } from 'zod'
import { parseJson } from '../../base/bounded-text.ts'
import type { Asking } from '../../observe/outbound/outbound.ts'
import type { Refusal } from '../../observe/outbound/reasons.ts'
import { type Chain, CONFIRM_MS, settlementOf } from './chain.ts'
import type { Facilitator, OpenOrder, Order, Readiness, Settlement, Verification } from './facilitator.ts'
import { SETTLE_MS, VERIFY_MS } from './facilitator.ts'
import { MAINNET, type Requirements, requirements, SCHEME } from './network.ts'
import { isSignedBy, readTransaction, type TransactionFacts } from './transaction.ts'

/** bytes of a facilitator's answer */
export const ANSWER_BYTES = 65_536

interface HttpFacilitatorOptions {
  /** may contain a key; never shown */
  readonly url: string
  readonly payTo: string
  readonly outbound: Asking
  /** to check signatures and the seller's account ourselves; null: only the facilitator is asked */
  readonly chain: Chain | null
  /** for tests */
  readonly timeoutMs?: { readonly verify: number; readonly settle: number }
  /** milliseconds for which the node is polled about a settled payment; for tests */
  readonly confirmMs?: number
}

const Text = z.string().max(500).nullish()
const Verified = z.object({ isValid: z.boolean(), invalidReason: Text })
const Settled = z.object({ success: z.boolean(), errorReason: Text, transaction: z.string().max(200).nullish() })
const Supported = z.object({
  kinds: z.array(z.object({ x402Version: z.number(), scheme: z.string(), network: z.string(), extra: z.unknown() })),
  signers: z.record(z.string(), z.array(z.string())).nullish(),
})
const Extra = z.object({ feePayer: z.string() })

/** The facilitator did not answer, or not in JSON. */
class FacilitatorFailure extends Error {
  override readonly name = 'FacilitatorFailure'
  /** no connection was made, so nothing arrived */
  readonly unsent: boolean

  constructor(message: string, unsent = false) {
    super(message)
    this.unsent = unsent
  }
}

/** Reasons for which no connection was made. */
const NO_CONNECTION: ReadonlySet<string> = new Set(['connect', 'dns'])

/**
 * Verifies and settles through another service. Its answers carry no proof: without our own node it is trusted; with one, a
 * success counts once the transaction is on chain. A settlement request without a clear refusal stays open until then.
 */
export function createHttpFacilitator(options: HttpFacilitatorOptions): Facilitator {
  const { payTo, outbound, chain, confirmMs = CONFIRM_MS } = options
  const url = options.url.replace(/\/+$/, '')
  const { verify: verifyMs, settle: settleMs } = options.timeoutMs ?? {
    verify: VERIFY_MS,
    settle: SETTLE_MS,
  }
  let feePayer: string | null = null

  /** Instead of the package's client: answers are bounded, redirects refused, nothing is printed. */
  async function ask(path: string, ms: number, body: unknown): Promise<unknown> {
    const answer = await outbound.ask({
      url: `${url}${path}`,
      purpose: 'facilitator',
      json: body === null ? null : JSON.stringify(body),
      bytesMax: ANSWER_BYTES,
      timeoutMs: ms,
    })
    if (!answer.ok) throw new FacilitatorFailure(whyOf(answer.reason, ms), NO_CONNECTION.has(answer.reason))
    // a redirect is not followed
    if (answer.status >= 300 && answer.status < 400) throw new FacilitatorFailure(UNREACHABLE)
    const value = parseJson(answer.text)
    if (value === null) throw new FacilitatorFailure('the answer is not JSON')
    return value
  }

  const send = (path: string, ms: number, transaction: string, wanted: Requirements): Promise<unknown> =>
    ask(path, ms, {
      x402Version: 2,
      paymentPayload: { x402Version: 2, accepted: wanted, payload: { transaction } },
      paymentRequirements: wanted,
    })

  /** The signature the facilitator names, if it is the fee payer's over this very message; else null. */
  function signatureOf(transaction: string, named: string | null | undefined): string | null {
    const read = readTransaction(transaction)
    const signature = sigFromBase58(named ?? '')
    if (!read.ok || signature === null) return null
    const { feePayer: signer, message } = read.facts
    return isSignedBy(signer, Buffer.from(signature, 'latin1'), message) ? named! : null
  }

  /** The chain decides, not the facilitator, if a node is configured. */
  async function confirmed(node: Chain, transaction: string, named: string | null): Promise<Settlement> {
    const read = readTransaction(transaction)
    const signature = named ?? (read.ok ? await found(node, read.facts) : null)
    const open: Settlement = { kind: 'open', reason: 'settlement_not_on_chain', signature }
    if (signature === null) return open
    const landing = await node.wait(signature, confirmMs).catch(() => 'unsure' as const)
    return settlementOf(landing, signature) ?? open
  }

  async function settleOnce(transaction: string, wanted: Requirements, first: boolean): Promise<Settlement> {
    const answer = Settled.parse(await send('/settle', settleMs, transaction, wanted))
    const signature = signatureOf(transaction, answer.transaction)
    if (answer.success && chain === null) return { kind: 'landed', signature: signature ?? answer.transaction ?? null }
    if (answer.success) return confirmed(chain!, transaction, signature)
    const reason = answer.errorReason ?? 'settlement_failed'
    const unsent = first && (answer.transaction ?? '') === '' && isRefusedUnsent(reason)
    return unsent ? { kind: 'refused', reason, proof: 'unsent' } : { kind: 'open', reason, signature }
  }

  async function lookup(order: OpenOrder): Promise<Settlement> {
    const { transaction } = order
    const read = transaction === null ? null : readTransaction(transaction)
    const facts = read?.ok ? read.facts : null
    const signature = order.signature ?? (facts === null || chain === null ? null : await found(chain, facts))
    if (signature !== null && chain !== null) {
      const known = await chain.outcome({ ...order, transaction: null, signature })
      if (known.kind !== 'open') return known
    }
    if (facts === null) return { kind: 'open', reason: 'settlement_pending', signature }
    return settleOnce(transaction!, requirements(payTo, facts.feePayer, order.amount), false)
  }

  /** Keeps the offered fee payer as long as the facilitator signs with it. */
  async function learnFeePayer(): Promise<void> {
    const { kinds, signers } = Supported.parse(await ask('/supported', verifyMs, null))
    const kind = kinds.find((one) => one.x402Version === 2 && one.scheme === SCHEME && one.network === MAINNET.v2)
    const named = Extra.safeParse(kind?.extra).data?.feePayer
    if (named === undefined || keyFromBase58(named) === null) {
      throw new FacilitatorFailure(`it does not accept ${SCHEME} payments on ${MAINNET.v2} in version 2`)
    }
    const still = feePayer !== null && Object.values(signers ?? {}).some((list) => list.includes(feePayer!))
    if (!still) feePayer = named
  }

  async function check(): Promise<Readiness> {
    try {
      await learnFeePayer()
    } catch (error) {
      const why = error instanceof FacilitatorFailure ? error.message : 'its answer has an unexpected shape'
      return { ready: false, reason: `the facilitator cannot be used: ${why}. Check FACILITATOR_URL` }
    }
    try {
      const reason = chain === null ? null : await chain.sellerProblem(payTo)
      return { ready: reason === null, reason }
    } catch {
      // the node is only a second check here
      return { ready: true, reason: null }
    }
  }

  return {
    feePayer: () => feePayer,
    signsFirst: false,
    funds: async (accounts) => (chain === null ? accounts.map(() => null) : chain.funds(accounts)),
    async verify({ transaction, requirements: wanted }): Promise<Verification> {
      const { isValid, invalidReason } = Verified.parse(await send('/verify', verifyMs, transaction, wanted))
      return isValid ? { valid: true } : { valid: false, reason: invalidReason ?? 'verification_failed' }
    },
    async settle({ transaction, requirements: wanted }: Order) {
      try {
        return await settleOnce(transaction, wanted, true)
      } catch (error) {
        if (!(error instanceof FacilitatorFailure) || !error.unsent) throw error
        return { kind: 'refused', reason: 'facilitator_unreachable', proof: 'unsent' }
      }
    },
    lookup,
    check,
  }
}

const UNREACHABLE = 'the facilitator cannot be reached'

function whyOf(reason: Refusal, ms: number): string {
  if (reason === 'timeout') return `no answer within ${ms} ms`
  return reason === 'too_large' ? 'the answer is too large' : UNREACHABLE
}

/** Not every node keeps a history: without one the facilitator alone is asked. */
const found = (chain: Chain, { hash, payer }: TransactionFacts): Promise<string | null> =>
  chain.find(hash, payer).catch(() => null)

/**
 * True if the reason means a refusal before sending. This holds only for the first request's answer: later, "the simulation
 * failed" may also describe a landed payment.
 */
export function isRefusedUnsent(reason: string): boolean {
  if (/transaction_failed|pending|duplicate|post_settlement|timeout/.test(reason)) return false
  return /^(invalid_|insufficient_funds|unsupported_scheme)/.test(reason)
}
