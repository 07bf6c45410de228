import type { Coding } from '@ti/core/base/coding.ts'
import type { Headers } from '../answer.ts'
import type { Serve } from '../answering.ts'
import { codingsTaken, matchesTag } from '../negotiate.ts'
import { send } from './answer.ts'
import { type Form, INDEX, type WebFile, type WebFiles } from './files.ts'

interface Static {
  /** by path, without the pages */
  readonly files: ReadonlyMap<string, Serve>
  /** the index.html of a path, or a note on how to build it */
  page(path: string): Serve
  /** index.html for a path that leads nowhere, which shows that message */
  readonly lost: Serve
  /** null: the page was not built */
  readonly index: Index | null
}

/** Provides index.html as text to code that modifies it. */
interface Index {
  /** the text with placeholders for a token's values, if the path has a skeleton */
  text(path: string, known: { readonly rating: string }): string
  readonly headers: Headers
}

/** Browsers disagree on whether 'self' covers a WebSocket, so its origin is listed. */
function policy(publicUrl: string): string {
  const { origin } = new URL(publicUrl)
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    `connect-src 'self' ${origin.replace(/^http/, 'ws')}`,
    "font-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

const HASHED = ['cache-control', 'public, max-age=31536000, immutable']
const UNHASHED = ['cache-control', 'public, max-age=3600']

/** Serves all files from memory: a path without a file leads nowhere. `files` null: the page was not built. */
export function createStatic(files: WebFiles | null, publicUrl: string): Static {
  const pageHeaders = [
    ...['content-security-policy', policy(publicUrl)],
    ...['cross-origin-opener-policy', 'same-origin'],
    ...['cache-control', 'no-cache'],
    ...['vary', 'Accept, Accept-Encoding'],
  ]
  const servers = new Map<string, Serve>()
  const pages = new Map<string, Serve>()
  for (const [path, file] of files ?? []) {
    const caching = path.startsWith('/assets/') ? HASHED : UNHASHED
    if (path.endsWith('.html')) pages.set(path, serve(file, pageHeaders))
    else servers.set(path, serve(file, [...caching, 'vary', 'Accept-Encoding']))
  }
  const index = files?.get(INDEX)
  if (index === undefined) {
    const none = notBuilt(pageHeaders)
    return { files: servers, page: () => none, lost: none, index: null }
  }
  return {
    files: servers,
    page: (path) => pages.get(ownIndex(path)) ?? pages.get(INDEX)!,
    lost: serve(index, pageHeaders, 404),
    index: {
      text: (path, { rating }) =>
        (files?.get(ownIndex(path, rating)) ?? files?.get(ownIndex(path)) ?? index).plain.bytes.toString(),
      headers: ['content-type', index.type, ...pageHeaders],
    },
  }
}

/** The build has one per page, which references the page's own scripts and styles. */
const ownIndex = (path: string, rating = ''): string =>
  `/html/${path.split('/')[1] || 'board'}${rating && `-${rating}`}.html`

function serve({ type, plain, encoded }: WebFile, headers: Headers, status = 200): Serve {
  const withType = ['content-type', type, ...headers]
  return ({ headers: asked }, response, requestId) => {
    const [form, encoding] = choose(plain, encoded, asked['accept-encoding'])
    const all = [...withType, 'etag', form.etag, ...(encoding === null ? [] : ['content-encoding', encoding])]
    if (status === 200 && matchesTag(asked['if-none-match'], form.etag))
      return send(response, 304, requestId, Buffer.alloc(0), all)
    return send(response, status, requestId, form.bytes, all)
  }
}

function choose(plain: Form, encoded: WebFile['encoded'], header: string | string[] | undefined) {
  for (const encoding of codingsTaken(header)) {
    const form = encoded[encoding]
    if (form !== undefined) return [form, encoding] satisfies [Form, Coding]
  }
  return [plain, null] satisfies [Form, null]
}

const NOT_BUILT = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Token Intelligence</title>
</head>
<body>
<h1>The page is not built</h1>
<p>The service runs and answers API calls. To build the page, run <code>npm run build</code> where the service was started, and restart it.</p>
<p><a href="/docs">Reference</a>, <a href="/llms.txt">overview</a>, <a href="/readyz">readiness</a></p>
</body>
</html>
`

function notBuilt(headers: Headers): Serve {
  const body = Buffer.from(NOT_BUILT)
  const all = ['content-type', 'text/html; charset=utf-8', ...headers]
  return (_request, response, requestId) => send(response, 503, requestId, body, all)
}
