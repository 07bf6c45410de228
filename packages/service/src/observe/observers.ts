import { createBucket, perMinute } from '../base/bucket.ts'
import type { Logger } from '../base/log.ts'
import { createBudgetedRpc } from './budgeted-rpc.ts'
import { type Clock, SYSTEM_CLOCK } from './clock.ts'
import type { Gateways } from './content/fetch.ts'
import { createImageObserver } from './content/image.ts'
import { createMetadataObserver } from './content/metadata.ts'
import { createDexPaidObserver } from './dex-paid.ts'
import { createFunderObserver } from './funder/funder.ts'
import { createPayoutsObserver } from './funder/payouts.ts'
import { createLargestObserver } from './largest.ts'
import { createLaunchObserver } from './launch.ts'
import { createKolsObserver, createWatchedList } from './lists/kols.ts'
import { createListReader, type WalletList } from './lists/wallet-list.ts'
import { createOutbound, type Outbound } from './outbound/outbound.ts'
import { readOrigin } from './outbound/target.ts'
import { createPriceObserver } from './price/price.ts'
import type { MissingFacts, ObserveOptions, Observer, ObserverStatus, ReadCreation, Report } from './types.ts'

/** gateways of a kind */
const GATEWAYS = 4

interface ObserversOptions {
  readonly options: ObserveOptions
  readonly missing: MissingFacts
  readonly report: Report
  readonly readCreation: ReadCreation
  readonly logger: Logger
  readonly clock?: Clock
  /** 0 ≤ x < 1 */
  readonly random?: () => number
  /** for tests; the default goes out through the filter with the operator's allowed origins */
  readonly outbound?: Outbound
}

export type Observers = ReturnType<typeof createObservers>

/** All observers. They keep nothing: what is still unknown is requested again after a start. */
export function createObservers(given: ObserversOptions) {
  const { options, missing, report, readCreation, logger, clock = SYSTEM_CLOCK, random = Math.random } = given
  const outbound = given.outbound ?? createOutbound({ allow: allowedOrigins(options) })
  const shared = { missing, report, outbound, logger, around: { clock, random } }
  let exchanges: WalletList | null = options.exchanges === null ? new Map() : null
  const onExchanges = (list: WalletList): void => {
    exchanges = list
  }
  const observers = [...contentObservers(options, shared), ...listObservers(options, shared, onExchanges)]
  if (options.dexOrdersUrl !== null) observers.push(createDexPaidObserver({ ...shared, baseUrl: options.dexOrdersUrl }))
  if (options.priceUrls.length > 0) observers.push(createPriceObserver({ ...shared, urls: options.priceUrls }))
  observers.push(...nodeObservers(options, { ...shared, readCreation }, () => exchanges))

  return {
    start(): void {
      for (const observer of observers) observer.start()
    },
    async close(): Promise<void> {
      const closed = observers.map((observer) => observer.close())
      outbound.close()
      await Promise.all(closed)
    },
    /** wallets of exchanges as the operator names them; null until the list was read */
    exchanges: (): WalletList | null => exchanges,
    /** one entry an observer, and `outbound` with its counts by `purpose:outcome` */
    status: (): readonly ObserverStatus[] => [
      ...observers.map((observer) => observer.status()),
      { name: 'outbound', waiting: 0, inFlight: outbound.inFlight, counts: outbound.counts },
    ],
  }
}

/** The operator's allowed origins, and the RPC endpoint: the operator configures it, and its methods are fixed. */
export function allowedOrigins({ outboundAllow, rpcUrl }: ObserveOptions): string[] {
  return [...outboundAllow, ...(rpcUrl === null ? [] : [rpcUrl])].flatMap((text) => readOrigin(text) ?? [])
}

interface Shared {
  readonly missing: MissingFacts
  readonly report: Report
  readonly outbound: Outbound
  readonly logger: Logger
  readonly around: { readonly clock: Clock; readonly random: () => number }
}

function contentObservers({ ipfsGateways, arweaveGateways }: ObserveOptions, shared: Shared): Observer[] {
  const gateways: Gateways = {
    ipfs: ipfsGateways.slice(0, GATEWAYS),
    arweave: arweaveGateways.slice(0, GATEWAYS),
  }
  return [createMetadataObserver({ ...shared, gateways }), createImageObserver({ ...shared, gateways })]
}

function listObservers(
  { kols, exchanges }: ObserveOptions,
  shared: Shared,
  onExchanges: (list: WalletList) => void,
): Observer[] {
  const observers: Observer[] = []
  const read = (place: string) => ({ place, read: createListReader(place, shared.outbound) })
  if (kols !== null) observers.push(createKolsObserver({ ...shared, ...read(kols) }))
  if (exchanges !== null)
    observers.push(createWatchedList({ ...shared, ...read(exchanges), name: 'exchanges', onList: onExchanges }))
  return observers
}

/** The observers that query an RPC node. */
function nodeObservers(
  options: ObserveOptions,
  shared: Shared & { readonly readCreation: ReadCreation },
  exchanges: () => WalletList | null,
): Observer[] {
  const { rpcUrl, rpcRequestsPerMinute, holdersRequestsPerMinute, deployerRequestsPerMinute } = options
  const { launchRequestsPerMinute } = options
  if (rpcUrl === null) return []
  const { clock } = shared.around
  const rpcOf = (requests: number) =>
    createBudgetedRpc({
      url: rpcUrl,
      outbound: shared.outbound,
      clock,
      budget: createBucket(perMinute(requests), clock.ms),
    })
  const observers = [createFunderObserver({ ...shared, rpc: rpcOf(rpcRequestsPerMinute), exchanges })]
  if (holdersRequestsPerMinute > 0)
    observers.push(createLargestObserver({ ...shared, rpc: rpcOf(holdersRequestsPerMinute) }))
  if (deployerRequestsPerMinute > 0)
    observers.push(createPayoutsObserver({ ...shared, rpc: rpcOf(deployerRequestsPerMinute), exchanges }))
  if (launchRequestsPerMinute > 0)
    observers.push(createLaunchObserver({ ...shared, rpc: rpcOf(launchRequestsPerMinute) }))
  return observers
}
