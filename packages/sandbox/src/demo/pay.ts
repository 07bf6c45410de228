import { generateKeyPairSigner, type KeyPairSigner } from '@solana/kit'
import { keyFromBase58 } from '@ti/core/base/base58.ts'
import { PLAY } from '@ti/service/access/x402/network.ts'
import { OperatorError } from '@ti/service/base/errors.ts'
import type { Run } from '@ti/service/cli/definition.ts'
import { wrongUsage } from '@ti/service/cli/parse.ts'
import { addressOf } from '@ti/service/cli/service-address.ts'
import {
  decodePaymentResponseHeader,
  type PaymentRequired,
  wrapFetchWithPayment,
  x402Client,
  x402HTTPClient,
} from '@x402/fetch'
import { ExactSvmScheme } from '@x402/svm/exact/client'
import { ExactSvmSchemeV1 } from '@x402/svm/exact/v1/client'
import { FAUCET } from '../params.ts'
import { tokenAmount } from '../render-account.ts'
import { findSandbox, REQUEST_MS, said, say } from './sandbox.ts'
import { lamportsOf, subscribeInSandbox } from './subscribe.ts'

const FUNDED = 1_000_000n
const SPEND_CAP = '$0.05'

export const demoPay: Run = async (given, io) => {
  const [mint] = given.operands
  const url = addressOf(given)
  if (mint !== undefined && keyFromBase58(mint) === null) throw wrongUsage(`${mint} is no mint: base58 of 32 bytes`)
  const print = (line: string) => io.result(`${line}\n`)
  const reference = given.text('subscribe')
  if (reference === undefined) {
    await payInSandbox({ url, mint: mint ?? null, version: given.has('v1') ? 1 : 2, print })
    return
  }
  if (mint !== undefined) throw wrongUsage('name no MINT beside --subscribe')
  const lamports = lamportsOf(given.text('sol') ?? '1', BigInt(FAUCET.lamports))
  if (keyFromBase58(reference) === null || lamports === null) {
    throw wrongUsage('--subscribe takes the reference (base58 of 32 bytes), --sol an amount')
  }
  await subscribeInSandbox({ url, reference, lamports, print })
}

export interface Demo {
  /** URL of the service, without a trailing slash. */
  readonly url: string
  readonly mint: string | null
  readonly version: 1 | 2
  print(line: string): void
}

/** Buys and prints. Throws an OperatorError if there is no sandbox or a purchase failed. */
export async function payInSandbox(demo: Demo): Promise<void> {
  const { print } = demo
  const sandbox = await findSandbox(demo.url)
  const buyer = await generateKeyPairSigner()
  await sandbox.rpc('sandbox_faucet', [buyer.address, { usdc: FUNDED.toString() }])
  const balances = async (): Promise<readonly [bigint, bigint]> => [
    await sandbox.tokens(buyer.address),
    await sandbox.tokens(sandbox.payTo),
  ]
  const inWords = ([ofBuyer, ofSeller]: readonly [bigint, bigint]) => `buyer ${usdc(ofBuyer)}, seller ${usdc(ofSeller)}`

  print('This is a sandbox: a chain inside the service. No real money moves.\n')
  print(`buyer    ${buyer.address}  a new wallet, ${usdc(FUNDED)} from the faucet`)
  print(`seller   ${sandbox.payTo}`)
  const before = await balances()
  print(`before   ${inWords(before)}\n`)

  const buy = createBuyer(demo, sandbox.rpcUrl, buyer)
  let { mint } = demo
  if (mint === null) {
    print('No mint was given. Buying the list of new tokens to find one:')
    mint = pickMint(await buy('/v1/tokens/new'), print)
  }
  printSnapshot(await buy(`/v1/tokens/${mint}`), print)

  const after = await balances()
  print(`after    ${inWords(after)}`)
  print(`spent    ${usdc(before[0] - after[0])}; the seller received ${usdc(after[1] - before[1])}`)
}

/** Performs a GET, pays if the service asks for it, and prints both. */
function createBuyer({ url, version, print }: Demo, rpcUrl: string, buyer: KeyPairSigner) {
  const client = x402Client.fromConfig({
    schemes: [
      version === 1
        ? { network: V1_NETWORK, client: new ExactSvmSchemeV1(buyer, { rpcUrl }), x402Version: 1 }
        : { network: PLAY.v2, client: new ExactSvmScheme(buyer, { rpcUrl }) },
    ],
    spendControls: { maxAmountPerPayment: SPEND_CAP },
  })
  const http = new x402HTTPClient(client).onPaymentRequired(async ({ paymentRequired }) => {
    print(`402      ${offerInWords(paymentRequired)}`)
  })
  // the client prefers the offer in the header, which a V1-only client would not see
  const blind: typeof fetch = async (input, init) => {
    const response = await fetch(input, init)
    if (response.status !== 402) return response
    const headers = new Headers(response.headers)
    headers.delete('payment-required')
    return new Response(response.body, { status: 402, headers })
  }
  const paidFetch = wrapFetchWithPayment(version === 1 ? blind : fetch, http)

  return async (path: string): Promise<unknown> => {
    print(`GET ${path}`)
    const startedMs = performance.now()
    const response = await paidFetch(`${url}${path}`, { signal: AbortSignal.timeout(REQUEST_MS) }).catch(
      (error: unknown) => {
        throw new OperatorError(`${path} could not be bought: ${say((error as Error).message)}`, { cause: error })
      },
    )
    const receipt = response.headers.get('payment-response') ?? response.headers.get('x-payment-response')
    if (receipt !== null) printReceipt(receipt, performance.now() - startedMs, print)
    const body = (await response.json()) as { data?: unknown; error?: { message?: unknown } }
    if (response.status === 200) return body.data
    throw new OperatorError(`${path} was answered ${response.status}: ${say(body.error?.message)}`)
  }
}

/** V1 has short names, but the type allows only the new ones */
const V1_NETWORK = PLAY.v1 as typeof PLAY.v2

function offerInWords({ x402Version, accepts }: PaymentRequired): string {
  const [offer] = accepts as unknown as readonly Record<string, unknown>[]
  const amount = BigInt(String(offer?.amount ?? offer?.maxAmountRequired ?? 0))
  const { feePayer } = (offer?.extra ?? {}) as { feePayer?: unknown }
  const network = offer?.network === PLAY.v2 || offer?.network === PLAY.v1 ? 'the sandbox' : say(offer?.network)
  return (
    `the service asks ${usdc(amount)} on ${network} (x402 version ${x402Version}), paid to ${say(offer?.payTo)}; ` +
    `the network's fee is paid by ${say(feePayer)}`
  )
}

function printReceipt(header: string, tookMs: number, print: Demo['print']): void {
  const { success, transaction, payer, errorReason } = decodePaymentResponseHeader(header)
  const outcome = success ? 'paid' : `failed (${say(errorReason)})`
  print(`receipt  ${outcome} after ${Math.round(tookMs)} ms, payer ${say(payer)}`)
  print(`         transaction ${say(transaction)}`)
}

function pickMint(list: unknown, print: Demo['print']): string {
  const cards = Array.isArray(list) ? list : []
  const [card] = cards as { mint?: unknown; symbol?: unknown }[]
  if (typeof card?.mint !== 'string' || keyFromBase58(card.mint) === null) {
    throw new OperatorError('the list of new tokens is empty (and was not charged): wait a few seconds, or name a MINT')
  }
  print(`answer   a list of ${cards.length}, the newest is ${said(card.symbol)}\n`)
  return card.mint
}

function printSnapshot(data: unknown, print: Demo['print']): void {
  const { meta, score, ratings } = data as Record<string, Record<string, unknown> | undefined>
  print(
    `answer   score ${say(score?.value)} of 10, ${say(ratings?.score)}: ${said(meta?.symbol)} (${said(meta?.name)})\n`,
  )
}

const usdc = (units: bigint): string => `${tokenAmount(units, 6).uiAmountString} USDC`
