import type { IncomingMessage } from 'node:http'
import type { AppSession, AppStatus } from '@ti/core/contract/app.ts'
import type { AppQuery } from '@ti/core/query/app.ts'
import type { PageAccess } from '../../access/page-access.ts'
import type { Logger } from '../../base/log.ts'
import { createPoller } from '../../base/poller.ts'
import { createAnswering, type Serve } from '../answering.ts'
import { createFreeDocuments } from '../free-documents.ts'
import { prefersPage, takesPage } from '../negotiate.ts'
import { ALLOWED, isRead, type PageRoutes, type Route } from '../router.ts'
import { type ServiceStatus, sourceJson, unknownJson } from '../status.ts'
import { sendError } from './answer.ts'
import { createApp } from './app.ts'
import type { WebFiles } from './files.ts'
import { createSamples, type Gauges } from './samples.ts'
import { createShare, SHARED, type ShareOptions } from './share/share.ts'
import { createStatic } from './static.ts'

/** characters of the last segment of a path of the page: an address has 44 */
const SEGMENT_LENGTH = 64
/** milliseconds between two samples of the status page, and samples kept: ten minutes */
const STATUS_EVERY_MS = 2_000
const STATUS_SAMPLES = 300

export interface Vitals {
  readonly tokensLive: number
  readonly tokens: number
  readonly wallets: number
  readonly trades: number
  readonly sockets: number
  readonly storeBytes: number
  readonly memoryBytes: number
  readonly uptimeS: number
}

interface WebFaceOptions extends Pick<ShareOptions, 'previews' | 'shared' | 'clientAddress'> {
  /** null: the page was not built */
  readonly files: WebFiles | null
  readonly access: PageAccess
  readonly query: AppQuery
  readonly status: () => ServiceStatus
  readonly vitals: () => Vitals
  readonly sandbox: boolean
  readonly network: AppSession['network']
  readonly publicUrl: string
  readonly logger: Logger
  readonly newRequestId: () => string
  /** counts an answer: status and milliseconds */
  readonly record: (status: number, ms: number) => void
  readonly validateResponses?: boolean
}

/** The page: its files, and the data that it reads outside the public API. */
export interface WebFace extends PageRoutes {
  close(): void
}

export function createWebFace(options: WebFaceOptions): WebFace {
  const { access, shared, query, status, vitals, sandbox, network, publicUrl, logger, newRequestId, record } = options
  const { validateResponses = false } = options
  const files = createStatic(options.files, publicUrl)
  const isReady = (): boolean => status().ready
  const share = createShare({ ...options, isReady }, files.index && { ...files.index, plain: files.page })
  const samples = createSamples(STATUS_SAMPLES)
  const sample = (): void => samples.take(gauges(status(), vitals()), Date.now())
  sample()
  const sampling = createPoller({ what: 'status samples', everyMs: STATUS_EVERY_MS, run: sample })
  const app = createApp({
    access,
    shared,
    query,
    readiness: status,
    status: () => statusJson(status(), vitals(), samples.series()),
    sandbox,
    network,
    publicUrl,
    validateResponses,
  })
  const answering = createAnswering({ newRequestId, logger, record, sendError })
  const free = createFreeDocuments({ ...options, sendError })

  /** A read-only path: every other method gets the page's usual 405. */
  const readOnly = (path: string, serve: Serve, when?: Route['when']): readonly Route[] => [
    { method: 'GET', path, raw: true, handle: answering(serve), ...(when && { when }) },
    { method: '*', path, raw: true, handle: answering(refuseMethod), ...(when && { when }) },
  ]
  const page = (path: string, serve: Serve | null, when: NonNullable<Route['when']>): Route => ({
    method: 'GET',
    path,
    raw: true,
    when,
    handle: answering(free(serve ?? files.page(path))),
  })
  // a page that is not public does not reveal its content in link previews
  const isOpen = access.mode === 'open'
  const shown = isOpen ? SHARED : []
  const lost = answering(free(files.lost))

  return {
    routes: [
      ...app.flatMap(([path, serve]) => readOnly(path, serve)),
      ...shown.flatMap((kind) => readOnly(`/share/${kind}/{id}.png`, share.picture(kind), (_, [id]) => ID.test(id!))),
      ...[...files.files].flatMap(([path, serve]) => readOnly(path, free(serve))),
      ...['/', '/account'].map((path) => page(path, null, wantsPage)),
      ...['/status', '/guide', '/accuracy'].map((path) => page(path, null, mayHavePage)),
      ...shown.map((kind) => page(`/${kind}/{id}`, share.page(kind), namesSomething)),
      ...NAMED.filter((kind) => !shown.some((one) => one === kind)).map((kind) =>
        page(`/${kind}/{id}`, null, namesSomething),
      ),
    ],
    lost: (request) => (isRead(request) && wantsPage(request) && !PROGRAMS.test(request.url ?? '') ? lost : null),
    close: () => void sampling.stop(),
  }
}

const NAMED = ['token', 'trader', 'deployer', 'actor', 'guide'] as const
const ID = new RegExp(`^[A-Za-z0-9_]{1,${SEGMENT_LENGTH}}$`)

/** If programs get another form at the same address, only a client that prefers the page gets it. */
const wantsPage = ({ headers }: IncomingMessage): boolean => prefersPage(headers.accept)
const mayHavePage = ({ headers }: IncomingMessage): boolean => takesPage(headers.accept)
const namesSomething: NonNullable<Route['when']> = (request, [id]) => ID.test(id!) && mayHavePage(request)

const PROGRAMS = /^\/(?:v1|app|assets|share)\//

const refuseMethod: Serve = ({ method }, response, requestId) =>
  sendError(response, 405, `${method} is not supported here: use GET`, requestId, ['allow', ALLOWED])

const gauges = ({ seq, lagSlots }: ServiceStatus, vitals: Vitals): Gauges => {
  const { trades, memoryBytes, storeBytes, sockets } = vitals
  return { seq, lagSlots, trades, memoryBytes, storeBytes, sockets }
}

const statusJson = (now: ServiceStatus, of: Vitals, series: AppStatus['series']): AppStatus => ({
  ready: now.ready,
  reason: now.reason,
  slot: now.slot,
  seq: now.seq,
  lag_slots: now.lagSlots,
  uptime_s: of.uptimeS,
  tokens_live: of.tokensLive,
  tokens: of.tokens,
  wallets: of.wallets,
  sockets: of.sockets,
  store_bytes: of.storeBytes,
  memory_bytes: of.memoryBytes,
  source: now.source ? sourceJson(now.source) : null,
  waiting_outside: now.waitingOutside ?? null,
  unknown: now.unknown ? unknownJson(now.unknown) : null,
  series,
})
