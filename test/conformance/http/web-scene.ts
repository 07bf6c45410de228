import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { TestContext } from 'node:test'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { openApiText } from '@ti/core/contract/openapi.ts'
import type { AppQuery } from '@ti/core/query/app.ts'
import type { Previews } from '@ti/core/query/previews.ts'
import type { Query } from '@ti/core/query/query.ts'
import { createPageAccess, type PageAccess, type Trial } from '@ti/service/access/page-access.ts'
import { createClientAddress } from '@ti/service/access/rate-limits/client-address.ts'
import { createMemoryWindows } from '@ti/service/access/rate-limits/windows.ts'
import type { AccountRow } from '@ti/service/access/sql/schema.ts'
import type { Cashier } from '@ti/service/access/x402/types.ts'
import { createLogger } from '@ti/service/base/log.ts'
import { createMetrics } from '@ti/service/base/metrics.ts'
import type { WebAccess } from '@ti/service/config/options.ts'
import { createHttpFace, type ServiceStatus } from '@ti/service/faces/http/face.ts'
import { createTraffic } from '@ti/service/faces/http/metrics.ts'
import { createRequestIds } from '@ti/service/faces/http/request-id.ts'
import type { Follow } from '@ti/service/faces/http/stream-route.ts'
import type { Route } from '@ti/service/faces/router.ts'
import { createWebFace, type Vitals } from '@ti/service/faces/web/face.ts'
import { readWebFiles, type WebFiles } from '@ti/service/faces/web/files.ts'
import { type Answer, exchange, requestText } from '../../support/exchange.ts'
import { fakeKeys, fakeOperations, READY } from '../../support/fake-service.ts'
import { sharedWith } from '../../support/shared.ts'

export const LOCAL = 'http://127.0.0.1:4000'
export const REMOTE = 'https://api.example.com'

const SCRIPT = `export const words = ${JSON.stringify('a script long enough to be worth compressing '.repeat(60))}`

/** A build of the page, as small as one can be. */
export const BUILD: Readonly<Record<string, string>> = {
  'index.html': `<!doctype html><title>page</title>${'<p>filler that compresses</p>'.repeat(60)}`,
  'assets/main-AbCd1234.js': SCRIPT,
  'assets/tiny-AbCd1234.css': 'a{}',
  'assets/main-AbCd1234.js.map': '{}',
  'favicon.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
  'openapi.json': '{"no":"such"}',
}

/** Writes files below a directory that ends with the test. */
export function folderOf(t: TestContext, files: Readonly<Record<string, string | Buffer>>): string {
  const dir = mkdtempSync(join(tmpdir(), 'web-'))
  t.after(() => rmSync(dir, { recursive: true, force: true }))
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, name)), { recursive: true })
    writeFileSync(join(dir, name), content)
  }
  return dir
}

/** With what the build of the page writes beside each longer file. */
export function compressed(files: Readonly<Record<string, string>>): Record<string, string | Buffer> {
  const dense = Object.entries(files).flatMap(([name, text]) =>
    text.length < 1_024
      ? []
      : [[`${name}.br`, brotliCompressSync(text)] as const, [`${name}.gz`, gzipSync(text)] as const],
  )
  return { ...files, ...Object.fromEntries(dense) }
}

export const buildOf = (t: TestContext, files = BUILD): Promise<WebFiles | null> =>
  readWebFiles(folderOf(t, compressed(files)))

/** Answers that are only known by their text. */
export const NO_APP: AppQuery = {
  explain: () => null,
  line: async () => null,
  past: async () => null,
  search: () => '{"tokens":[],"wallet":null,"people":[],"nothing":null}',
  board: () => '{"columns":[],"launches_5m":0}',
  hidden: () => '[]',
  cards: () => '[]',
  deployer: () => null,
  lives: () => '[]',
  neighbours: async () => null,
}

const VITALS: Vitals = {
  tokensLive: 1,
  tokens: 2,
  wallets: 3,
  trades: 4,
  sockets: 5,
  storeBytes: 6,
  memoryBytes: 7,
  uptimeS: 8,
}

/** People who have signed in, by the value of their cookie, and how often they were looked up. */
export function fakeSessions() {
  const rows = new Map<string, AccountRow>()
  const state = { lookups: 0, failing: false }
  return {
    state,
    /** the headers of somebody with an account on a plan */
    enter(id: string, plan: 'pro' | 'free', secure = false): { cookie: string } {
      const value = id.padEnd(43, '-')
      const paid_until = plan === 'pro' ? new Date(8e15) : null
      rows.set(value, {
        id,
        wallet: 'BXicUfprw9MMBubLHLWG9ayZc6gACBZoYdH5YVq5BTJy',
        reference: '',
        paid_until,
        balance_lamports: 0,
        granted_pro: false,
        created_at: new Date(0),
        changed_at: new Date(0),
      })
      return { cookie: `${secure ? '__Host-' : ''}session=${value}` }
    },
    leave: (id: string) => void rows.delete(id.padEnd(43, '-')),
    signIn: {
      async session(cookies: string | undefined) {
        state.lookups++
        if (state.failing) throw new Error('the database does not answer')
        return rows.get(/session=([\w-]{43})/.exec(cookies ?? '')?.[1] ?? '') ?? null
      },
    },
  }
}

export interface PageChanges {
  /** what the paths below /app/v1 answer from */
  readonly answers?: Query
  readonly mode?: WebAccess
  readonly publicUrl?: string
  readonly files?: WebFiles | null
  readonly query?: AppQuery
  readonly previews?: Previews
  readonly status?: () => ServiceStatus
  readonly cashier?: Cashier
  readonly sessions?: ReturnType<typeof fakeSessions>
  readonly trialOf?: (account: string) => Promise<Trial>
  readonly routes?: (access: PageAccess) => readonly Route[]
  /** asked for after the routes */
  readonly follow?: () => Follow
  readonly trustedProxies?: readonly string[]
  /** before the faces end */
  readonly closing?: () => Promise<void>
}

export type Scene = Awaited<ReturnType<typeof openPage>>

/** What a browser says with a request of a page of the service. */
export const OWN = { 'sec-fetch-site': 'same-origin' }

let clients = 0
/** An address on loopback that nobody has asked from before. */
export const nextAddress = (): string => {
  const n = clients++
  return `127.77.${1 + Math.floor(n / 250)}.${1 + (n % 250)}`
}

/** The real HTTP and web faces over fake keys, a clock that stands unless it is moved, and real windows. */
export async function openPage(t: TestContext, change: PageChanges = {}) {
  let ms = Date.UTC(2026, 9, 1)
  const now = () => ms
  const logged: string[] = []
  const logger = createLogger('debug', { write: (line: string) => void logged.push(line) })
  const metrics = createMetrics()
  const traffic = createTraffic(metrics)
  const windows = createMemoryWindows(now)
  const clientAddress = createClientAddress(change.trustedProxies ?? [])
  const { mode = 'open', publicUrl = LOCAL, sessions = fakeSessions() } = change
  const status = change.status ?? (() => READY)
  const access = createPageAccess({
    mode,
    publicUrl,
    secret: Buffer.alloc(32, 7),
    signIn: sessions.signIn,
    planOf: ({ paid_until }) => ((paid_until?.getTime() ?? 0) > now() ? 'pro' : 'free'),
    trialOf: change.trialOf ?? (async () => ({ leftMs: 600_500, untilMs: ms + 1_000 })),
    windows,
    clientAddress,
    now,
  })
  const newRequestId = createRequestIds()
  const shared = sharedWith({})
  const web = createWebFace({
    files: change.files === undefined ? await buildOf(t) : change.files,
    access,
    query: change.query ?? NO_APP,
    previews: change.previews ?? { of: () => null },
    ...{ shared, clientAddress },
    status,
    vitals: () => VITALS,
    sandbox: true,
    network: null,
    publicUrl,
    logger,
    newRequestId,
    record: traffic.operation('page'),
    validateResponses: true,
  })
  const face = createHttpFace({
    operations: fakeOperations(change.answers),
    keys: fakeKeys(),
    ...{ windows, shared },
    clientAddress,
    cashier: change.cashier ?? null,
    page: access,
    web,
    routes: change.routes?.(access) ?? [],
    follow: change.follow?.() ?? null,
    status,
    logger,
    metrics,
    traffic,
    publicUrl,
    openApi: openApiText({ formulasVersion: '1' }),
    validateResponses: true,
  })
  const { port } = await face.listen('127.0.0.1', 0)
  t.after(async () => {
    await change.closing?.()
    web.close()
    await face.close()
  })
  const baseUrl = `http://127.0.0.1:${port}`
  const host = new URL(publicUrl).host

  async function ask(
    path: string,
    headers: Readonly<Record<string, string>> = {},
    { method = 'GET', from }: { method?: string; from?: string } = {},
  ): Promise<Answer & { json(): ReturnType<typeof JSON.parse> }> {
    const answer = await exchange(baseUrl, requestText(method, path, { host, ...headers }), method !== 'HEAD', from)
    assert.ok(answer !== null, `${method} ${path}: no answer`)
    return { ...answer, json: () => JSON.parse(answer.body.toString()) }
  }

  /** The cookie of a new visitor. */
  async function visit(from?: string): Promise<{ cookie: string }> {
    const answer = await ask('/app/session', OWN, from === undefined ? {} : { from })
    assert.equal(answer.status, 200, answer.body.toString())
    return { cookie: answer.headers.get('set-cookie')!.split(';', 1)[0]! }
  }

  const pass = (by: number): void => {
    ms += by
  }
  return { baseUrl, port, ask, visit, pass, now, logged, sessions, access, metrics, windows }
}
