import { z } from 'zod'
import { isHttpUrl, isLiveSource, itemsOf, variable } from './variables.ts'

/** What an operator chooses about outside facts; undefined: the default, null: not looked at. */
export interface ObserveChoice {
  /** base URLs; a path with the content's id is appended */
  readonly ipfsGateways: readonly string[] | undefined
  readonly arweaveGateways: readonly string[] | undefined
  /** base URL of the orders endpoint */
  readonly dexOrdersUrl: string | null | undefined
  /** two or three endpoints for the price of SOL; may carry keys: never shown */
  readonly priceUrls: readonly string[] | undefined
  /** file or http(s) URL of the list of influencers */
  readonly kols: string | null
  /** file or http(s) URL of the list of exchange wallets */
  readonly exchanges: string | null
  /** RPC endpoint for first funders; may carry a key: never shown. Its origin is allowed by itself */
  readonly rpcUrl: string | null
  readonly rpcRequestsPerMinute: number
  /** of the same endpoint for largest balances; 0: they are not requested */
  readonly holdersRequestsPerMinute: number
  /** of the same endpoint for payments of deployers before their launches; 0: they are not requested */
  readonly deployerRequestsPerMinute: number
  /** origins of the operator's own endpoints that are not on the public internet */
  readonly outboundAllow: readonly string[]
}

const urls = (valid: string, least: number) =>
  variable(valid, (text) => itemsOf(text).length >= least && itemsOf(text).every(isHttpUrl))
    .transform(itemsOf)
    .optional()
/** 0: off */
const perMinute = () =>
  variable('a whole number from 0 to 100000', (text) => /^(0|[1-9]\d{0,4})$/.test(text))
    .transform(Number)
    .default(0)
const plain = (text: string): boolean => !text.includes('\0')

const PRICES = 'two or three http or https URLs between commas (one alone is never trusted), or off'

export const OBSERVE_SCHEMA = {
  OBSERVE: z.enum(['auto', 'on', 'off'], 'auto, on or off').default('auto'),
  IPFS_GATEWAYS: urls('http or https URLs between commas', 1),
  ARWEAVE_GATEWAYS: urls('http or https URLs between commas', 1),
  DEX_ORDERS_URL: variable('an http or https URL, or off', (text) => text === 'off' || isHttpUrl(text)).optional(),
  PRICE_URLS: variable(
    PRICES,
    (text) =>
      text === 'off' || (itemsOf(text).length >= 2 && itemsOf(text).length <= 3 && itemsOf(text).every(isHttpUrl)),
  ).optional(),
  KOLS: variable('a file or an http or https URL', plain).optional(),
  EXCHANGES: variable('a file or an http or https URL', plain).optional(),
  FUNDER_RPC_URL: variable('an http or https URL', isHttpUrl).optional(),
  FUNDER_REQUESTS_PER_MINUTE: variable('a whole number from 1 to 100000', (text) => /^[1-9]\d{0,4}$/.test(text))
    .transform(Number)
    .default(120),
  HOLDERS_REQUESTS_PER_MINUTE: perMinute(),
  DEPLOYER_REQUESTS_PER_MINUTE: perMinute(),
  OUTBOUND_ALLOW: urls('origins between commas, like http://10.0.0.5:8899', 1),
} as const

/** These may carry keys. */
export const OBSERVE_SECRETS = ['PRICE_URLS', 'FUNDER_RPC_URL', 'KOLS', 'EXCHANGES', 'DEX_ORDERS_URL'] as const

type Values = z.output<z.ZodObject<typeof OBSERVE_SCHEMA>>

/** `auto` looks outside where the chain is live: a simulated market and a capture bring their own facts. */
export function observeChoice(values: Values, source: string): ObserveChoice | null {
  if (values.OBSERVE === 'off' || (values.OBSERVE === 'auto' && !isLiveSource(source))) return null
  const { DEX_ORDERS_URL: orders, PRICE_URLS: prices } = values
  return {
    ipfsGateways: values.IPFS_GATEWAYS,
    arweaveGateways: values.ARWEAVE_GATEWAYS,
    dexOrdersUrl: orders === 'off' ? null : orders,
    priceUrls: prices === undefined ? undefined : prices === 'off' ? [] : itemsOf(prices),
    kols: values.KOLS ?? null,
    exchanges: values.EXCHANGES ?? null,
    rpcUrl: values.FUNDER_RPC_URL ?? null,
    rpcRequestsPerMinute: values.FUNDER_REQUESTS_PER_MINUTE,
    holdersRequestsPerMinute: values.HOLDERS_REQUESTS_PER_MINUTE,
    deployerRequestsPerMinute: values.DEPLOYER_REQUESTS_PER_MINUTE,
    outboundAllow: values.OUTBOUND_ALLOW ?? [],
  }
}
