import { createHash } from 'node:crypto'
import { keyToBase58 } from '@ti/core/base/base58.ts'
import type { Key, Sig } from '@ti/core/base/ids.ts'
import { type ChainEvent, LAUNCHPAD, QUOTE, VENUE } from '@ti/core/model/events.ts'
import type { Fact } from '@ti/core/model/facts.ts'
import { createCaptureWriter } from '@ti/service/source/capture/writer.ts'

/** What runs says so here. */
export const RAN = '__ran'
const RUN = `window.${RAN}=1`

export interface Launch {
  readonly name: string
  readonly symbol: string
  readonly description: string
  readonly image: string
  readonly twitter: string
  readonly telegram: string
  readonly website: string
}

/** Tokens whose every text is written by somebody who means harm. */
export const LAUNCHES: readonly Launch[] = [
  {
    name: `<script>${RUN}</script>`,
    symbol: `<img src=x onerror=${RUN}>`,
    description: `</p><svg/onload=${RUN}><a href="javascript:${RUN}">free</a>`,
    image: `javascript:${RUN}`,
    twitter: `javascript:${RUN}//x.com`,
    telegram: `data:text/html,<script>${RUN}</script>`,
    website: 'https://bank.example@evil.example/',
  },
  {
    name: '\u202egnp.exe \u2066שלום\u2067 \u202b',
    symbol: '\u202eDSU\u202d$',
    description: `\u202e${'reversed '.repeat(40)}`,
    image: `data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" onload="${RUN}"/>`,
    twitter: ` \tJaVa\nScRiPt:${RUN}`,
    telegram: '//evil.example/x',
    website: `https://evil.example/"onmouseover="${RUN}`,
  },
  {
    name: 'W'.repeat(400),
    symbol: 'Z\u0335\u0321\u0322\u0327\u0328'.repeat(60),
    description: 'w'.repeat(4_000),
    image: 'https://evil.example/pixel.png',
    twitter: `vbscript:${RUN}`,
    telegram: `blob:https://evil.example/${RUN}`,
    website: `https://${'long.'.repeat(40)}example/`,
  },
]

/** of wallets that have a name */
export const WALLET_NAME = `"><img src=x onerror=${RUN}>\u202e`

const FIRST_SLOT = 300_000_000
const BUYERS = 14
const SUPPLY = 1e15

const keyOf = (text: string): Key => createHash('sha256').update(text).digest().toString('latin1') as Key
export const mintOf = (launch: number): Key => keyOf(`mint ${launch}`)
export const mintAddress = (launch: number): string => keyToBase58(mintOf(launch))
export const deployerAddress = keyToBase58(keyOf('deployer'))
export const namedAddress = keyToBase58(keyOf('buyer 0'))

const signature = (text: string): Sig => createHash('sha512').update(text).digest().toString('latin1') as Sig
const at = (text: string) => ({ sig: signature(text), txIndex: 0, outer: 0, inner: 0 })

function createOf(launch: number, { name, symbol }: Launch): ChainEvent {
  return {
    ...at(`create ${launch}`),
    kind: 'create',
    launchpad: LAUNCHPAD.pumpfun,
    mint: mintOf(launch),
    pool: keyOf(`curve ${launch}`),
    creator: keyOf('deployer'),
    user: keyOf('deployer'),
    payer: null,
    signed: true,
    name,
    symbol,
    uri: `javascript:${RUN}`,
    nameNorm: `name ${launch}`,
    symbolNorm: `symbol ${launch}`,
    quote: QUOTE.SOL,
    supply: SUPPLY,
    decimals: 6,
    quoteReserve: 30e9,
    baseReserve: 1.073e15,
    mayhem: false,
  }
}

/** A buy of 0.3 SOL and a bit, on the curve as earlier buys left it. */
function buyOf(launch: number, buyer: number, quoteBefore: number): ChainEvent & { readonly quoteReserve: number } {
  const quoteAmount = 300_000_000 + buyer * 1_234_567
  const quoteReserve = quoteBefore + quoteAmount
  const product = 30e9 * 1.073e15
  const baseReserve = Math.floor(product / quoteReserve)
  const tokenAmount = Math.floor(product / quoteBefore) - baseReserve
  return {
    ...at(`buy ${launch} ${buyer}`),
    kind: 'trade',
    venue: VENUE.pump,
    mint: mintOf(launch),
    pool: keyOf(`curve ${launch}`),
    user: keyOf(`buyer ${buyer}`),
    isBuy: true,
    quote: QUOTE.SOL,
    quoteAmount,
    userQuote: Math.floor(quoteAmount * 1.0125),
    tokenAmount,
    quoteReserve,
    baseReserve,
    quoteBefore: -1,
    realToken: baseReserve - 279_900_000_000_000,
    supply: -1,
    decimals: 6,
    creator: keyOf('deployer'),
    mayhem: false,
    payer: keyOf(`buyer ${buyer}`),
    tipper: null,
    solBefore: 20e9,
    solAfter: 20e9 - quoteAmount,
    hop: false,
    account: -1,
    held: 0,
  }
}

const factsOf = (launch: number, { name: _, symbol: __, ...links }: Launch): Fact => {
  const norm = (what: string) => `${what} ${launch}`
  return {
    kind: 'metadata',
    mint: mintOf(launch),
    ...links,
    twitterNorm: norm('twitter'),
    telegramNorm: norm('telegram'),
    websiteNorm: norm('website'),
  }
}

/** Writes a market of hostile tokens that was traded just now: everybody buys every token, in slots of their own. */
export async function writeHostileMarket(
  path: string,
  texts: readonly Launch[] = LAUNCHES,
  walletName = WALLET_NAME,
): Promise<void> {
  const writer = await createCaptureWriter(path, {
    created_at: '2026-01-01T00:00:00Z',
    source: 'test',
    chain: null,
    holds: 'harm',
  })
  const launches = texts.map((_, launch) => launch)
  const slots = launches.length * (BUYERS + 1)
  const start = Date.now() / 1000 - slots * 0.4
  let slot = FIRST_SLOT
  const block = async (event: ChainEvent): Promise<void> => {
    slot += 1
    await writer.write({
      kind: 'decoded',
      slot,
      parent: slot - 1,
      time: start + (slot - FIRST_SLOT) * 0.4,
      events: [event],
    })
  }
  await writer.write({
    kind: 'facts',
    time: start,
    facts: [
      { kind: 'sol_price', usd: 150 },
      { kind: 'kol', wallet: keyOf('buyer 0'), name: walletName },
    ],
  })
  for (const launch of launches) await block(createOf(launch, texts[launch]!))
  await writer.write({ kind: 'facts', time: start, facts: texts.map((one, launch) => factsOf(launch, one)) })
  const reserves = launches.map(() => 30e9)
  for (let buyer = 0; buyer < BUYERS; buyer++)
    for (const launch of launches) {
      const buy = buyOf(launch, buyer, reserves[launch]!)
      reserves[launch] = buy.quoteReserve
      await block(buy)
    }
  await writer.finish()
}
