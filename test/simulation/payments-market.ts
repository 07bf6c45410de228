import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { generateKeyPairSigner, type KeyPairSigner } from '@solana/kit'
import { base58Encode } from '@ti/core/base/base58.ts'
import type { SandboxChain } from '@ti/sandbox/chain.ts'
import { memo, transferTransaction } from '../support/payments-fixtures.ts'
import type { Program } from './payments-program.ts'
import { type Ask, ask, type Good, type Paper, type Verdict, WAYS, type Way } from './payments-wire.ts'

/** A payment that was signed, and all that whoever holds it has seen of it. */
export interface Sale {
  readonly paper: Paper
  /** hex SHA-256 of the message */
  readonly hash: string
  readonly buyer: string
  /** what it was presented for; the first is what it was signed for */
  readonly goods: Good[]
  /** for each answer with data, the id of the request that it was made for */
  readonly answers: string[]
  /** a client left before an answer to it was whole */
  left: boolean
  /** it was sent as a payment, not only beside a key */
  presented: boolean
  refusal: string | null
}

export type Random = () => number

/** how long a client goes on asking; both are bounds */
export interface Patience {
  readonly tries: number
  readonly ms: number
}

/** Buyers, their payments, and what they were told. */
export interface Market {
  readonly sales: Sale[]
  /** answers by kind, and what else happened */
  readonly tally: Map<string, number>
  /** what must not be */
  readonly problems: string[]
  /** wallets of all buyers and what each was given, USDC units */
  readonly wallets: Map<string, bigint>
  /** every text that must not be in a log */
  readonly secrets: Set<string>
  /** calls so far, answered or not */
  readonly calls: number
  count(what: string): void
  buyer(random: Random): KeyPairSigner
  /** a buyer of its own with just so much money */
  poorBuyer(units: number): Promise<KeyPairSigner>
  fund(wallet: string, units: number): void
  sign(buyer: KeyPairSigner, good: Good, random: Random): Promise<Sale>
  /** one call that has nothing to do with a sale */
  call(wanted: Omit<Ask, 'from' | 'patienceMs'>, random: Random): Promise<Verdict>
  /** presents the payment once */
  present(sale: Sale, good: Good, random: Random, more?: Partial<Ask>): Promise<Verdict>
  /** repeats the identical payment until it has data or a clean refusal, or for `patience`; whether it has an end */
  follow(sale: Sale, good: Good, random: Random, patience: Patience, first?: Partial<Ask>): Promise<boolean>
}

export interface MarketOptions {
  readonly program: Program
  readonly chain: SandboxChain
  readonly payTo: string
  readonly feePayer: string
  /** buyers with enough for everything */
  readonly rich: number
  /** milliseconds a client waits for an answer */
  readonly patienceMs: number
}

const FUNDS = 100_000_000

export async function createMarket(options: MarketOptions): Promise<Market> {
  const { program, chain, payTo, feePayer, patienceMs } = options
  const sales: Sale[] = []
  const tally = new Map<string, number>()
  const problems: string[] = []
  const wallets = new Map<string, bigint>()
  const secrets = new Set<string>()
  let calls = 0
  const count = (what: string): void => void tally.set(what, (tally.get(what) ?? 0) + 1)

  function fund(wallet: string, units: number): void {
    wallets.set(wallet, (wallets.get(wallet) ?? 0n) + BigInt(units))
    chain.fund(wallet, { usdc: BigInt(units) })
  }
  async function poorBuyer(units: number): Promise<KeyPairSigner> {
    const buyer = await generateKeyPairSigner()
    fund(buyer.address, units)
    return buyer
  }
  const buyers = await Promise.all(Array.from({ length: options.rich }, () => poorBuyer(FUNDS)))

  /** each from an address of its own, so that the rate windows let everybody through */
  const anyAddress = (random: Random): string =>
    `127.${[250, 250, 250].map((bound) => 1 + Math.floor(random() * bound)).join('.')}`

  async function once(wanted: Omit<Ask, 'from' | 'patienceMs'> & Partial<Ask>, random: Random): Promise<Verdict> {
    calls++
    const verdict = await ask(await program.up(), { from: anyAddress(random), patienceMs, ...wanted })
    count(verdict.kind)
    if (verdict.kind === 'odd') problems.push(`${wanted.good.path} ${wanted.way}: ${verdict.text}`)
    return verdict
  }

  /** what an answer holds is the same for whoever asks, however he pays */
  function compare(good: Good, verdict: Verdict): void {
    if (verdict.kind !== 'data' && verdict.kind !== 'free') return
    if (good.expected !== null && verdict.data !== good.expected)
      problems.push(`${good.path}: other data than expected`)
  }

  async function present(sale: Sale, good: Good, random: Random, more: Partial<Ask> = {}): Promise<Verdict> {
    sale.presented = true
    if (!sale.goods.includes(good)) sale.goods.push(good)
    const way = anyWay(good, random)
    const verdict = await once({ good, way, paper: sale.paper, ...more }, random)
    compare(good, verdict)
    if (verdict.kind === 'left') sale.left = true
    if (verdict.kind === 'free' && good.expected !== '[]') problems.push(`${good.path}: data without a receipt`)
    if (verdict.kind === 'data') {
      if (verdict.payer !== sale.buyer) problems.push('a receipt names another payer')
      sale.answers.push(verdict.madeFor)
    }
    if (verdict.kind === 'refused') sale.refusal = verdict.message
    return verdict
  }

  const follow: Market['follow'] = async (sale, good, random, { tries, ms }, first) => {
    const end = performance.now() + ms
    for (let attempt = 0; attempt < tries && performance.now() < end; attempt++) {
      const verdict = await present(sale, good, random, attempt === 0 ? first : undefined)
      if (verdict.kind === 'data') return true
      if (verdict.kind === 'refused') return true
      await pause(20 + random() * 150)
    }
    return false
  }

  return {
    sales,
    tally,
    problems,
    wallets,
    secrets,
    get calls() {
      return calls
    },
    count,
    fund,
    poorBuyer,
    buyer: (random) => pick(buyers, random),
    async sign(buyer, good, random) {
      const blockhash = await newestBlockhash(chain.rpcUrl)
      const rest = [memo(Array.from({ length: 4 }, () => Math.floor(random() * 2 ** 32).toString(16)).join(''))]
      const transaction = await transferTransaction({ buyer, payTo, feePayer, amount: good.amount, blockhash, rest })
      const paper = { transaction, amount: good.amount, payTo, feePayer }
      const sale = { paper, hash: hashOf(transaction), buyer: buyer.address, goods: [good] }
      const made: Sale = { ...sale, answers: [], left: false, presented: false, refusal: null }
      sales.push(made)
      secrets.add(transaction)
      for (const form of buyersSignature(transaction)) secrets.add(form)
      return made
    },
    call: once,
    present,
    follow,
  }
}

export const pick = <T>(list: readonly T[], random: Random): T => list[Math.floor(random() * list.length)]!

export function pickWeighted<T extends { readonly weight: number }>(list: readonly T[], random: Random): T {
  let left = random() * list.reduce((sum, { weight }) => sum + weight, 0)
  for (const one of list) {
    left -= one.weight
    if (left < 0) return one
  }
  return list.at(-1)!
}

export const anyWay = (good: Good, random: Random): Way => pick(good.tool === null ? WAYS.slice(0, 2) : WAYS, random)

const SIGNATURE = 64

/** hex SHA-256 of the message of a transaction in base64 */
export function hashOf(transaction: string): string {
  const bytes = Buffer.from(transaction, 'base64')
  return createHash('sha256')
    .update(bytes.subarray(1 + SIGNATURE * bytes[0]!))
    .digest('hex')
}

/** of the second slot, in all forms it could be written in */
function buyersSignature(transaction: string): string[] {
  const bytes = Buffer.from(transaction, 'base64').subarray(1 + SIGNATURE, 1 + 2 * SIGNATURE)
  return [base58Encode(bytes.toString('latin1')), bytes.toString('base64'), bytes.toString('hex')]
}

async function newestBlockhash(rpcUrl: string): Promise<string> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getLatestBlockhash', params: [] })
  const answer = await fetch(rpcUrl, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  return ((await answer.json()) as { result: { value: { blockhash: string } } }).result.value.blockhash
}
