import { createCounts } from '@ti/core/base/counts.ts'
import { EXAMPLE_ADDRESSES, EXAMPLES, FREE_EXAMPLES } from '@ti/core/contract/examples.ts'
import { FURTHER_EXAMPLES } from '@ti/core/contract/examples-who.ts'
import { openApiText } from '@ti/core/contract/openapi.ts'
import { createOperations, type Operation } from '@ti/core/query/operations.ts'
import type { Query, Rendered } from '@ti/core/query/query.ts'
import { readsOf } from '@ti/core/query/reads.ts'
import type { KeyCheck, Keys } from '@ti/service/access/keys.ts'
import { createClientAddress, createTlsCheck } from '@ti/service/access/rate-limits/client-address.ts'
import { createMemoryWindows } from '@ti/service/access/rate-limits/windows.ts'
import type { Cashier } from '@ti/service/access/x402/types.ts'
import { createLogger } from '@ti/service/base/log.ts'
import { createMetrics } from '@ti/service/base/metrics.ts'
import { createHttpFace, type ServiceStatus } from '@ti/service/faces/http/face.ts'
import type { Listener } from '@ti/service/faces/http/listener.ts'
import type { Follow } from '@ti/service/faces/http/stream-route.ts'
import type { Route } from '@ti/service/faces/router.ts'

const renderedAt = '2026-10-01T01:25:24.000000Z'
const rendered = (value: unknown): Rendered => ({ bytes: Buffer.from(JSON.stringify(value)), renderedAt, slot: 500 })

/** Answers with the examples of the contract, for the example's addresses. */
export function fakeQuery(): Query {
  const { mint, trader, deployer } = EXAMPLE_ADDRESSES
  const { data: snapshot } = EXAMPLES.snapshot
  const { data: actor } = FURTHER_EXAMPLES.actor
  return {
    snapshot: (asked, groups) =>
      asked === mint ? rendered(Object.fromEntries(groups.map((group) => [group, snapshot[group]]))) : null,
    trades: (asked) => (asked === mint ? rendered(EXAMPLES.trades.data) : null),
    list: (name) => rendered(EXAMPLES[name].data),
    accuracy: () => rendered(FREE_EXAMPLES.accuracy.data),
    trader: (address) => (address === trader ? rendered(EXAMPLES.trader.data) : null),
    deployer(address, limit, offset) {
      if (address !== deployer) return null
      const page = EXAMPLES.deployer.data.slice(offset, offset + limit)
      return {
        data: rendered(page),
        summary: Buffer.from(JSON.stringify(EXAMPLES.deployer.summary)),
        returned: page.length,
      }
    },
    who: (asked) => (asked === mint ? rendered(FURTHER_EXAMPLES.who.data) : null),
    check: (asked) => (asked === mint ? rendered(FURTHER_EXAMPLES.check.data) : null),
    verdict: (asked) => (asked === mint ? rendered(FURTHER_EXAMPLES.who.data.verdict) : null),
    explain: (asked) => (asked === mint ? rendered(FURTHER_EXAMPLES.explain.data) : null),
    actor: (id) => ([`${actor.no}`, actor.id].includes(id) ? rendered(actor) : null),
    named: () => null,
    positions: (asked, limit) =>
      asked === trader
        ? {
            data: rendered(FURTHER_EXAMPLES.positions.data.slice(0, limit)),
            summary: Buffer.from(JSON.stringify(FURTHER_EXAMPLES.positions.summary)),
            ...{ returned: 1, next: null },
          }
        : null,
    history: (asked, limit, cursor) =>
      asked === mint && cursor === null
        ? { data: rendered(FURTHER_EXAMPLES.history.data.slice(0, limit)), returned: 1, next: null }
        : null,
    traderWindows: (asked) => (asked === trader ? rendered(FURTHER_EXAMPLES.trader_windows.data) : null),
    deployerWindows: (asked) => (asked === deployer ? rendered(FURTHER_EXAMPLES.deployer_windows.data) : null),
    tracked: (mints) => mints.filter((one) => one === mint).length,
    batch(mints, groups) {
      if (!mints.includes(mint)) return null
      const part = Object.fromEntries(groups.map((group) => [group, snapshot[group]]))
      return rendered({
        tokens: [{ mint, slot: 500, snapshot: part }],
        not_found: mints.filter((one) => one !== mint),
      })
    },
    newest: () => ({ seq: 10, slot: FURTHER_EXAMPLES.who.data.slot }),
    settled: (work) => work(),
  }
}

export const fakeOperations = (change: Partial<Query> = {}) => createOperations(readsOf({ ...fakeQuery(), ...change }))

export const READY: ServiceStatus = {
  ready: true,
  starting: false,
  chain: null,
  reason: null,
  lagSlots: 2,
  seq: 10,
  slot: 500,
}

/** Keys of a test, by what each is; the real ones have tests of their own. */
export const KEYS = {
  pro: `sk_live_${'p'.repeat(43)}`,
  free: `sk_live_${'f'.repeat(43)}`,
  revoked: `sk_live_${'r'.repeat(43)}`,
  expired: `sk_live_${'e'.repeat(43)}`,
} as const

export function fakeKeys(): Keys {
  const found = (plan: 'pro' | 'free'): KeyCheck => ({ ok: true, id: `key_${plan}`, account: `acc_${plan}`, plan })
  const known = new Map<string, KeyCheck>([
    [KEYS.pro, found('pro')],
    [KEYS.free, found('free')],
    [KEYS.revoked, { ok: false, reason: 'revoked' }],
    [KEYS.expired, { ok: false, reason: 'expired' }],
  ])
  const check: Keys['check'] = (authorization) => {
    if (authorization === undefined || authorization === '') return { ok: false, reason: 'absent' }
    const key = /^bearer (sk_live_[\w-]{43})$/i.exec(authorization)?.[1]
    if (key === undefined) return { ok: false, reason: 'malformed' }
    return known.get(key) ?? { ok: false, reason: 'unknown' }
  }
  return {
    check,
    follow: (authorization) => ({ found: check(authorization), again: () => check(authorization) }),
    streamToken: () => null,
    refresh: async () => {},
    size: known.size,
    counts: createCounts(),
    close() {},
  }
}

export interface FakeChanges {
  readonly query?: Partial<Query>
  /** instead of those over the query */
  readonly operations?: readonly Operation[]
  readonly status?: () => ServiceStatus
  readonly validateResponses?: boolean
  readonly level?: 'debug'
  readonly cashier?: Cashier
  /** clock of the rate windows, milliseconds */
  readonly now?: () => number
  readonly trustedProxies?: readonly string[]
  readonly publicUrl?: string
  readonly contact?: string
  readonly routes?: readonly Route[]
  readonly follow?: Follow
  /** where to listen; any free one unless it is given */
  readonly port?: number
  /** one that the caller closes */
  readonly listener?: Listener
  /** a limit that fuzzing does not reach */
  readonly unlimited?: boolean
}

export interface FakeService {
  readonly baseUrl: string
  /** a Pro key */
  readonly key: string
  readonly logged: string[]
  /** text of its metrics */
  metrics(): Promise<string>
  close(): Promise<void>
}

/** The real face over a fake query and fake keys; windows are real, their clock stands unless it is given. */
export async function startFake(change: FakeChanges = {}): Promise<FakeService> {
  const logged: string[] = []
  const windows = createMemoryWindows(change.now ?? (() => 0))
  const metrics = createMetrics()
  const face = createHttpFace({
    operations: change.operations ?? fakeOperations(change.query),
    keys: fakeKeys(),
    windows: change.unlimited === true ? { take: (subject) => windows.take(subject, 1e9) } : windows,
    clientAddress: createClientAddress(change.trustedProxies ?? []),
    isTls: createTlsCheck(change.trustedProxies ?? []),
    contact: change.contact ?? null,
    cashier: change.cashier ?? null,
    routes: change.routes ?? [],
    follow: change.follow ?? null,
    ...(change.listener !== undefined && { listener: change.listener }),
    status: change.status ?? (() => READY),
    logger: createLogger(change.level ?? 'info', { write: (line: string) => void logged.push(line) }),
    metrics,
    publicUrl: change.publicUrl ?? 'https://api.example.com',
    openApi: openApiText({ formulasVersion: '1' }),
    validateResponses: change.validateResponses ?? true,
  })
  const { port } = await face.listen('127.0.0.1', change.port ?? 0)
  return { baseUrl: `http://127.0.0.1:${port}`, key: KEYS.pro, logged, metrics: metrics.text, close: face.close }
}
