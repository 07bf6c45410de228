import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { AppSession, AppStatus } from '@ti/core/contract/app.ts'
import type { AppQuery } from '@ti/core/query/app.ts'
import type { PageAccess } from '../../access/page-access.ts'
import type { Logger } from '../../base/log.ts'
import { createPoller } from '../../base/poller.ts'
import { LIMITS } from '../../config/limits.ts'
import { prefersPage, takesPage } from '../negotiate.ts'
import { type ServiceStatus, sourceJson, unknownJson } from '../status.ts'
import { sendError } from './answer.ts'
import { createApp } from './app.ts'
import { createBoard } from './board.ts'
import type { WebFiles } from './files.ts'
import { createSamples, type Gauges } from './samples.ts'
import { createShare, type ShareOptions } from './share/share.ts'
import { createStatic, isPagePath, type ServeFile } from './static.ts'

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

interface WebFaceOptions extends Pick<ShareOptions, 'previews' | 'windows' | 'clientAddress'> {
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

/** The page: its files, and what it reads beside the public interface. */
export interface WebFace {
  /** who answers a request that is the page's; null for all others. Bodies are not read */
  readonly routes: (request: IncomingMessage) => RequestListener | null
  /** the page for a browser whose path nobody answers, null for programs and their paths */
  readonly lost: (request: IncomingMessage) => RequestListener | null
  close(): void
}

type Answering = (request: IncomingMessage, response: ServerResponse, requestId: string) => number | Promise<number>

export function createWebFace(options: WebFaceOptions): WebFace {
  const { access, query, status, vitals, sandbox, network, publicUrl, logger, newRequestId, record } = options
  const { validateResponses = false } = options
  const files = createStatic(options.files, publicUrl)
  const isReady = (): boolean => status().ready
  const share = createShare({ ...options, isReady }, files.index && { ...files.index, plain: files.page })
  const board = files.index && createBoard({ query, isReady, plain: files.index.board, serve: files.index.serve })
  const samples = createSamples(LIMITS.statusEveryMs, LIMITS.statusSamples)
  const sample = (): void => samples.take(gauges(status(), vitals()))
  sample()
  const sampling = createPoller({ what: 'status samples', everyMs: LIMITS.statusEveryMs, run: sample })
  const app = createApp({
    access,
    query,
    readiness: status,
    status: () => statusJson(status(), vitals(), samples.series()),
    sandbox,
    network,
    publicUrl,
    validateResponses,
  })

  const serveApp: Answering = (request, response, requestId) => {
    const { path, search } = parts(request)
    return app({ request, response, requestId, path, search: new URLSearchParams(search) })
  }

  /** The page's own paths; where programs get something else under the same address, only who prefers the page. */
  function answering(request: IncomingMessage): Answering | null {
    const { path } = parts(request)
    if (path.startsWith('/app/')) return readOnly(request, serveApp)
    // where the page is not for everybody, its links say nothing to everybody either
    const picture = access.mode === 'open' ? share.picture(path) : null
    if (picture !== null) return readOnly(request, picture)
    const file: ServeFile | null = files.file(path)
    if (file !== null) return readOnly(request, file)
    if (!isPagePath(path) || !isRead(request)) return null
    const { accept } = request.headers
    const isWanted = path === '/' || path === '/account' ? prefersPage(accept) : takesPage(accept)
    if (!isWanted) return null
    if (access.mode !== 'open') return files.page(path)
    return (path === '/' ? board : share.page(path)) ?? files.page(path)
  }

  async function answer(request: IncomingMessage, response: ServerResponse, serve: Answering): Promise<void> {
    const start = performance.now()
    const requestId = newRequestId()
    let code: number
    try {
      code = await serve(request, response, requestId)
    } catch (error) {
      logger.error({ err: error, request_id: requestId }, 'request of the page failed')
      code = 500
      if (response.headersSent) response.destroy()
      else sendError(response, 500, 'internal error', requestId)
    }
    record(code, performance.now() - start)
  }

  const listener = (serve: Answering | null): RequestListener | null =>
    serve === null ? null : (asked, response) => void answer(asked, response, serve)

  return {
    routes: (request) => listener(answering(request)),
    lost: (request) => listener(isReaders(request) ? files.lost : null),
    close: () => void sampling.stop(),
  }
}

function parts({ url = '/' }: IncomingMessage): { path: string; search: string } {
  const mark = url.indexOf('?')
  return mark < 0 ? { path: url, search: '' } : { path: url.slice(0, mark), search: url.slice(mark + 1) }
}

const isRead = ({ method }: IncomingMessage): boolean => method === 'GET' || method === 'HEAD'

const PROGRAMS = /^\/(?:v1|app|assets|share)\//

const isReaders = (request: IncomingMessage): boolean =>
  isRead(request) && prefersPage(request.headers.accept) && !PROGRAMS.test(parts(request).path)

const ALLOWED = 'GET, HEAD, OPTIONS'

const readOnly = (request: IncomingMessage, serve: Answering): Answering =>
  isRead(request)
    ? serve
    : ({ method }, response, requestId) =>
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
