import { createHash } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { serverJson, wellKnown } from '@ti/core/contract/discovery.ts'
import { GUIDES } from '@ti/core/contract/guides.ts'
import { llmsText } from '@ti/core/contract/llms.ts'
import type { PaymentsStatus } from '../../access/x402/types.ts'
import { OperatorError } from '../../base/errors.ts'
import { BUILT } from '../../base/root.ts'
import { JSON_TYPE } from '../answer.ts'
import type { Serve } from '../answering.ts'
import { guide } from '../guide.ts'
import { document, textDocument } from './document.ts'

/**
 * Pages for developers and agents: the reference (Scalar over /openapi.json), the guide, and the overview for language
 * models. Links in the texts begin with `publicUrl`; they are relative if it is empty.
 */
export function createReference(publicUrl: string, payments: PaymentsStatus): Readonly<Record<string, Serve>> {
  const bundle = findBundle()
  const page = html(bundle.version)
  return {
    '/docs': textDocument('text/html; charset=utf-8', page, PAGE_HEADERS),
    ...Object.fromEntries(Object.keys(GUIDES).map((name) => [`/docs/${name}.md`, markdown(`${name}.md`, publicUrl)])),
    '/docs/scalar.js': document('text/javascript; charset=utf-8', () => readFile(bundle.path), BUNDLE_HEADERS),
    '/.well-known/x402': textDocument(JSON_TYPE, JSON.stringify(wellKnown(publicUrl, paymentsFacts(payments)))),
    '/server.json': textDocument(JSON_TYPE, JSON.stringify(serverJson(publicUrl))),
    '/llms.txt': textDocument('text/plain; charset=utf-8', llmsText(publicUrl)),
  }
}

/** Read when it is asked for. */
const markdown = (file: string, publicUrl: string): Serve =>
  document('text/markdown; charset=utf-8', async () => Buffer.from(guide(file, publicUrl)))

/** The facts about payments that do not change while the service runs. */
function paymentsFacts(payments: PaymentsStatus) {
  const { fee_payer: _, ready: __, reason: ___, open: ____, ...facts } = payments
  return facts
}

// The page ---------------------------------------------------------------------------------------------------------

/**
 * The bundle tests once whether it may compile code from strings, and copes if it may not. The policy would block and
 * report that test as a violation, so this prelude answers it before the policy sees it.
 */
const PRELUDE = `Function = new Proxy(Function, { construct() { throw new EvalError('no code from strings') } })`

const POLICY = [
  "default-src 'self'",
  // the page and its "Test Request" can reach only this service, whatever the bundle contains
  "connect-src 'self'",
  // the bundle is our own file; the prelude is inline so that it runs first, and only its hash is allowed
  `script-src 'self' 'sha256-${createHash('sha256').update(PRELUDE).digest('base64')}'`,
  // the bundle adds <style> elements and style attributes, and takes no nonce for them
  "style-src 'self' 'unsafe-inline'",
  // small images inside the style sheets, and our empty icon
  "img-src 'self' data:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const PAGE_HEADERS = [
  ...['content-security-policy', POLICY],
  ...['referrer-policy', 'no-referrer'],
  ...['cross-origin-opener-policy', 'same-origin'],
  // the page is small and names the bundle's version
  ...['cache-control', 'no-cache'],
]

/** No data is loaded from, sent to, or shared with the vendor; a reader's input stays in the page. */
const SETTINGS = {
  withDefaultFonts: false,
  proxyUrl: '',
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: 'never',
  hideClientButton: true,
  persistAuth: false,
  authentication: { preferredSecurityScheme: 'bearer' },
}

const escaped = (value: string): string =>
  value.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')

const BACK_PX = 44

/** The link back to the main page stays visible; the bundle leaves room for a header of this height. */
const BACK_STYLE = `:root { --scalar-custom-header-height: ${BACK_PX}px }
body { margin: 0 }
.back { position: sticky; top: 0; z-index: 10; box-sizing: border-box; display: flex; gap: 24px; align-items: center;
  height: ${BACK_PX}px; padding: 0 16px; border-bottom: 1px solid var(--scalar-border-color, #8884);
  background: var(--scalar-background-1, Canvas); font: 14px system-ui, sans-serif }
.back a { color: var(--scalar-color-2, CanvasText); text-decoration: none }
.back a:first-child { color: var(--scalar-color-1, CanvasText); font-weight: 600 }
.back a:hover { text-decoration: underline }`

/** Addresses are relative, so that the page also works below a proxy's path. */
const html = (version: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Token Intelligence API</title>
<link rel="icon" href="data:,">
<link rel="alternate" type="application/json" title="OpenAPI 3.1" href="openapi.json">
<link rel="alternate" type="text/markdown" title="Guide for agents" href="docs/agents.md">
<style>${BACK_STYLE}</style>
<script>${PRELUDE}</script>
</head>
<body>
<nav class="back" aria-label="Token Intelligence"><a href="./">Token Intelligence</a><a href="guide">Guide</a><a href="account">Account</a></nav>
<noscript>
<h1>Token Intelligence API</h1>
<p>This page needs JavaScript. Without it: <a href="openapi.json">the OpenAPI document</a>,
<a href="docs/agents.md">the guide for agents</a>, <a href="llms.txt">the overview</a>.</p>
</noscript>
<script id="api-reference" type="application/json" data-url="openapi.json" data-configuration="${escaped(JSON.stringify(SETTINGS))}"></script>
<script src="docs/scalar.js?v=${escaped(version)}"></script>
</body>
</html>
`

// The bundle -------------------------------------------------------------------------------------------------------

/** Finds the one file of the package that is used; the build puts its version in its name. */
function findBundle(): { path: string; version: string } {
  const folder = new URL('reference/', BUILT)
  const name = existsSync(folder) ? readdirSync(folder)[0] : undefined
  const version = /^scalar-(.+)\.js$/.exec(name ?? '')?.[1]
  if (version === undefined) throw new OperatorError('the reference page is not built: run `npm run build`')
  return { path: fileURLToPath(new URL(name!, folder)), version }
}

/** The page puts the version in the query, so a week in a cache never shows an old bundle. */
const BUNDLE_HEADERS = ['cache-control', 'public, max-age=604800']
