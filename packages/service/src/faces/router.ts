import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Answers a request. `args` are the path's parameters in order, `search` is the text after the question mark. */
export type Handler = (
  request: IncomingMessage,
  response: ServerResponse,
  args: readonly string[],
  search: string,
) => void

/** Takes over the connection of a WebSocket request. */
export type Upgrade = (request: IncomingMessage, socket: Socket, head: Buffer) => void

/** A row of the route table. Its handler is wrapped in the access check. */
export interface Route {
  /** GET also answers HEAD; `*` answers each method without a row of its own */
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE' | '*'
  /** an OpenAPI template; a `*` at the end matches any text */
  readonly path: string
  /** the handler reads bodies within its own limits; for all other rows a body is at most read and dropped */
  readonly readsBody?: boolean
  /** parameters exactly as in the URL; otherwise they are decoded, and a broken escape makes the URL malformed */
  readonly raw?: boolean
  /** selects the requests that the row answers; the path's next row gets the others */
  readonly when?: (request: IncomingMessage, args: readonly string[]) => boolean
  /** takes over the connection of a WebSocket request */
  readonly upgrade?: Upgrade
  readonly handle: Handler
}

/** The rows of the page. */
export interface PageRoutes {
  readonly routes: readonly Route[]
  /** the page for a browser whose path leads nowhere; null for programs and their paths */
  readonly lost: (request: IncomingMessage) => Handler | null
}

/** the allowed methods of a read-only path */
export const ALLOWED = 'GET, HEAD, OPTIONS'

export const isRead = ({ method }: IncomingMessage): boolean => method === 'GET' || method === 'HEAD'

/** The rows of one path. */
interface Rows {
  readonly byMethod: ReadonlyMap<string, readonly Route[]>
  readonly raw: boolean
  readonly upgrade: Upgrade | undefined
  /** the method that a 405 suggests; null: no unconditional row answers GET or POST */
  readonly asks: 'GET' | 'POST' | null
}

interface Match {
  readonly rows: Rows
  readonly args: readonly string[]
}

/** Null: the path has no rows. `malformed`: an escape in one of its parameters is broken. */
export type Found = Match | 'malformed' | null

type Pattern = { readonly fits: RegExp; readonly rows: Rows }

const NO_ARGS: readonly string[] = []

/**
 * Finds the rows of a path: literal paths first, then templates in table order, grouped by their first segment, and paths
 * that end in `*` last.
 */
export function createRouter(table: readonly Route[]): (path: string) => Found {
  const literals = new Map<string, Match>()
  const templates = new Map<string, Pattern[]>()
  const isOpen = ([path]: readonly [string, unknown]) => Number(path.endsWith('*'))
  for (const [path, routes] of [...groupedBy(table, 'path')].sort((a, b) => isOpen(a) - isOpen(b))) {
    const rows = rowsOf(routes)
    if (!/[{*]/.test(path)) literals.set(path, { rows, args: NO_ARGS })
    else {
      const segment = firstSegment(path)
      const others = templates.get(segment) ?? []
      others.push({ fits: patternOf(path), rows })
      templates.set(segment, others)
    }
  }

  return (path) => {
    const literal = literals.get(path)
    if (literal !== undefined) return literal
    for (const { fits, rows } of templates.get(firstSegment(path)) ?? []) {
      const found = fits.exec(path)
      if (found === null) continue
      const args = rows.raw || !path.includes('%') ? found.slice(1) : decoded(found.slice(1))
      return args === null ? 'malformed' : { rows, args }
    }
    return null
  }
}

function groupedBy<K extends 'path' | 'method'>(routes: readonly Route[], key: K): Map<Route[K], Route[]> {
  const groups = new Map<Route[K], Route[]>()
  for (const route of routes) groups.set(route[key], [...(groups.get(route[key]) ?? []), route])
  return groups
}

const firstSegment = (path: string): string => path.slice(1, path.indexOf('/', 1))

const patternOf = (path: string): RegExp =>
  new RegExp(
    `^${path
      .replaceAll('.', '\\.')
      .replace(/\{\w+\}/g, '([^/]*)')
      .replace(/\*$/, '.*')}$`,
    's',
  )

function rowsOf(routes: readonly Route[]): Rows {
  const byMethod = groupedBy(routes, 'method')
  const whole = routes.filter(({ when }) => when === undefined).map(({ method }) => method)
  return {
    byMethod,
    raw: routes.some(({ raw }) => raw === true),
    upgrade: routes.find(({ upgrade }) => upgrade !== undefined)?.upgrade,
    asks: whole.includes('GET') ? 'GET' : whole.includes('POST') ? 'POST' : null,
  }
}

/** The row that answers a request; null: none of the path's rows does. */
export function rowFor({ rows, args }: Match, request: IncomingMessage): Route | null {
  const { byMethod } = rows
  const method = request.method === 'HEAD' ? 'GET' : request.method!
  const fitting = byMethod.get(method) ?? byMethod.get('*')
  if (fitting === undefined) return null
  for (const route of fitting) if (route.when === undefined || route.when(request, args)) return route
  return null
}

function decoded(args: readonly string[]): string[] | null {
  try {
    return args.map(decodeURIComponent)
  } catch {
    return null
  }
}
