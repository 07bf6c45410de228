import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Query } from '@ti/core/query/query.ts'
import type { KeyCheck, Keys } from '@ti/service/access/keys.ts'
import { type Windows, windowOf } from '@ti/service/access/rate-limits/windows.ts'
import type { Readiness } from '@ti/service/access/refusals.ts'
import { MAINNET, requirements } from '@ti/service/access/x402/network.ts'
import type { Cashier, Outcome, Payment, PricedCall, Receipt, Work } from '@ti/service/access/x402/types.ts'
import type { WatchServices } from '@ti/service/alerts/watch-json.ts'
import { createLogger } from '@ti/service/base/log.ts'
import { createMetrics, type Metrics } from '@ti/service/base/metrics.ts'
import { createMcpFace } from '@ti/service/faces/mcp/face.ts'
import { fakeOperations } from '../../support/fake-service.ts'
import { FEE_PAYER, PAY_TO } from '../../support/payments-fixtures.ts'
import { sharedWith } from '../../support/shared.ts'

/** One key of each kind; what a key is worth is its name. */
export const KEYS = {
  pro: 'key-pro',
  free: 'key-free',
  unknown: 'key-x',
  revoked: 'key-revoked',
  expired: 'key-expired',
}

function checkKey(authorization: string | undefined): KeyCheck {
  if (authorization === undefined) return { ok: false, reason: 'absent' }
  const name = authorization.replace('Bearer ', '')
  if (name === KEYS.pro || name === KEYS.free) {
    return { ok: true, id: name, account: 'a', plan: name === KEYS.pro ? 'pro' : 'free' }
  }
  return { ok: false, reason: name === KEYS.revoked ? 'revoked' : name === KEYS.expired ? 'expired' : 'unknown' }
}

const fakeKeys = { check: checkKey } as Keys

/** What the next payments come to; the last one stays. */
export type Fate = Exclude<Outcome<never>['kind'], 'paid' | 'free'> | 'settle'

export interface FakeCashier extends Cashier {
  readonly seen: { readonly payment: Payment; readonly call: PricedCall }[]
  /** calls that were paid for */
  paid: number
  fate: Fate
  /** held before it settles, while set */
  hold: Promise<void> | null
}

export const RECEIPT: Receipt = { success: true, transaction: '5sig', network: MAINNET.v2, payer: 'buyer' }
export const FAILED: Receipt = { ...RECEIPT, success: false, transaction: '', errorReason: 'insufficient_funds' }

/** Takes every payment as the fate says; a payment is good for one call. */
export function createFakeCashier(): FakeCashier {
  const settled = new Set<string>()

  async function settle<T>(payment: Payment, made: Work<T>, gone: () => boolean): Promise<Outcome<T>> {
    if (!made.charge) return { kind: 'free', answer: made.answer }
    if (cashier.hold !== null) await cashier.hold
    if (gone()) return { kind: 'gone' }
    settled.add(payment.hash)
    cashier.paid++
    return { kind: 'paid', answer: made.answer, receipt: RECEIPT }
  }

  const cashier: FakeCashier = {
    seen: [],
    paid: 0,
    fate: 'settle',
    hold: null,
    quote({ amount, resource, description }) {
      const offer = requirements(PAY_TO, FEE_PAYER, amount)
      const about = { url: resource, description, mimeType: 'application/json' }
      const v2 = { x402Version: 2, error: 'Payment required', resource: about, accepts: [offer] } as const
      return { accepts: [], v2, header: '' }
    },
    isOfKnownPayer: async () => false,
    async pay(payment, call, client, work) {
      cashier.seen.push({ payment, call })
      if (settled.has(payment.hash)) return { kind: 'refused', message: 'this payment was already used' }
      switch (cashier.fate) {
        case 'settle':
          return settle(payment, await work(AbortSignal.timeout(10_000)), client.gone)
        case 'refused':
          return { kind: 'refused', message: 'insufficient_funds', receipt: FAILED }
        case 'uncertain':
          return { kind: 'uncertain', message: 'settlement is open', receipt: FAILED, retryAfterS: 3 }
        case 'unavailable':
          return { kind: 'unavailable', message: 'payments cannot be taken now', retryAfterS: 4 }
        case 'gone':
          return { kind: 'gone' }
      }
    },
    status: () => ({ mode: 'self', ready: true, reason: null, open: 0 }),
    close: async () => {},
  }
  return cashier
}

export interface McpService {
  readonly url: URL
  readonly logged: string[]
  readonly metrics: Metrics
  /** what was counted, with its limit, where the test brought no windows of its own: then nothing is ever over */
  readonly subjects: string[]
  /** statuses of all answers, in order */
  readonly statuses: number[]
  close(): Promise<void>
}

export interface McpServiceOptions {
  readonly cashier?: Cashier | null
  readonly windows?: Windows
  readonly keys?: Keys
  readonly query?: Partial<Query>
  readonly watches?: WatchServices
  readonly status?: () => Readiness
  readonly allowedHosts?: readonly string[]
}

/** Watches that are only listed as tools, never used. */
export const LISTED_WATCHES = { book: {}, alertStore: {} } as WatchServices

/** The face behind a plain server, with everything around it invented; it logs all it can. */
export async function startMcp(options: McpServiceOptions = {}): Promise<McpService> {
  const logged: string[] = []
  const statuses: number[] = []
  const metrics = createMetrics()
  let ids = 0
  const subjects: string[] = []
  const wide: Windows = {
    take(subject, limit, calls = 1) {
      if (calls > 0) subjects.push(`${subject} ${limit}`)
      return windowOf(limit, calls, 0, 0)
    },
  }
  const face = createMcpFace({
    operations: fakeOperations(options.query),
    keys: options.keys ?? fakeKeys,
    watches: options.watches,
    windows: options.windows ?? wide,
    shared: sharedWith({}),
    clientAddress: () => '203.0.113.7',
    cashier: options.cashier === undefined ? createFakeCashier() : options.cashier,
    status: options.status ?? (() => ({ ready: true, starting: false, reason: null })),
    logger: createLogger('trace', { write: (line: string) => void logged.push(line) }),
    metrics,
    publicUrl: 'https://api.example.com',
    allowedHosts: options.allowedHosts ?? [],
    newRequestId: () => `req_${ids++}`,
    record: (status) => void statuses.push(status),
    validateResponses: true,
  })
  const server = createServer((request, response) => {
    face.route.handle(request, response, [], '')
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  return {
    url: new URL(`http://127.0.0.1:${port}/mcp`),
    logged,
    metrics,
    subjects,
    statuses,
    async close() {
      await face.close()
      server.closeAllConnections()
      await new Promise<void>((done) => server.close(() => done()))
    },
  }
}
