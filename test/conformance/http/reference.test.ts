import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { type TestContext, test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { ENDPOINTS, FURTHER_ENDPOINTS } from '@ti/core/contract/endpoints.ts'
import { GUIDES } from '@ti/core/contract/guides.ts'
import { llmsText } from '@ti/core/contract/llms.ts'
import { priceText } from '@ti/core/contract/openapi.ts'
import { STATUS_CODE } from '@ti/core/contract/resources.ts'
import { codingsTaken } from '@ti/service/faces/negotiate.ts'
import { exchange, requestText } from '../../support/exchange.ts'
import { startFake } from '../../support/fake-service.ts'

const ROOT = resolve(import.meta.dirname, '../../..')
const GUIDE = readFileSync(resolve(ROOT, 'docs/agents.md'), 'utf8')
const BUNDLE = readFileSync(
  resolve(ROOT, 'packages/page/reference/node_modules/@scalar/api-reference/dist/browser/standalone.js'),
)

async function service(t: TestContext) {
  const { baseUrl, metrics, close } = await startFake()
  t.after(close)
  return {
    metrics,
    get: (path: string, headers: Record<string, string> = {}) => fetch(baseUrl + path, { headers }),
    // without fetch's own decoding
    raw: async (method: string, path: string, headers: Record<string, string> = {}) =>
      (await exchange(baseUrl, requestText(method, path, headers), method !== 'HEAD'))!,
  }
}

const hrefsOf = (html: string): string[] =>
  [...html.matchAll(/(?:src|href|data-url)="([^"]*)"/g)].map((match) => match[1]!)

test('every document of the repository is served as Markdown, and the overview lists it', async (t) => {
  const { get } = await service(t)
  const overview = await (await get('/llms.txt')).text()
  const files = readdirSync(resolve(ROOT, 'docs')).filter((file) => file.endsWith('.md'))
  assert.deepEqual(
    [...files, 'CHANGELOG.md'].sort(),
    Object.keys(GUIDES)
      .map((name) => `${name}.md`)
      .sort(),
  )
  for (const file of [...files, 'CHANGELOG.md']) {
    assert.equal((await get(`/docs/${file}`)).status, 200, file)
    assert.ok(overview.includes(`/docs/${file})`), file)
  }
})

test('the page: a strict policy, no script but ours, no foreign host', async (t) => {
  const { get } = await service(t)
  const answer = await get('/docs')
  assert.equal(answer.status, 200)
  assert.equal(answer.headers.get('content-type'), 'text/html; charset=utf-8')
  const policy = answer.headers.get('content-security-policy') ?? ''
  const directives = new Map(
    policy.split('; ').map((text) => [text.split(' ')[0]!, text.split(' ').slice(1).join(' ')] as const),
  )
  const html = await answer.text()
  const inline = [...html.matchAll(/<script>([\s\S]*?)<\/script>/g)].map((match) => match[1]!)
  const hashes = inline.map((code) => `'sha256-${createHash('sha256').update(code).digest('base64')}'`)
  assert.deepEqual(Object.fromEntries(directives), {
    'default-src': "'self'",
    'connect-src': "'self'",
    'script-src': ["'self'", ...hashes].join(' '),
    'style-src': "'self' 'unsafe-inline'",
    'img-src': "'self' data:",
    'object-src': "'none'",
    'base-uri': "'none'",
    'form-action': "'none'",
    'frame-ancestors': "'none'",
  })
  assert.equal(answer.headers.get('x-content-type-options'), 'nosniff')
  assert.doesNotMatch(html, /https?:|\/\//, 'an address that leaves this service')
  assert.doesNotMatch(html, /\son\w+=/, 'an inline handler')
  const [back = ''] = /<nav[\s\S]*?<\/nav>/.exec(html) ?? []
  assert.deepEqual(hrefsOf(back), ['./', 'guide', 'account'], 'the way back to the page')
  const addresses = hrefsOf(html.replace(back, ''))
  assert.ok(addresses.length >= 6)
  for (const address of addresses.filter((text) => text !== 'data:,')) {
    const { status } = await get(`/${address}`)
    assert.equal(status, 200, address)
  }
})

test('the page’s settings keep the vendor out', async (t) => {
  const { get } = await service(t)
  const html = await (await get('/docs')).text()
  const written = /data-configuration="([^"]*)"/.exec(html)?.[1] ?? ''
  const settings = JSON.parse(written.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&amp;', '&'))
  assert.equal(settings.withDefaultFonts, false)
  assert.equal(settings.proxyUrl, '')
  assert.equal(settings.telemetry, false)
  assert.equal(settings.persistAuth, false)
  assert.deepEqual([settings.agent, settings.mcp], [{ disabled: true }, { disabled: true }])
  assert.equal(settings.showDeveloperTools, 'never')
  assert.equal(settings.hideClientButton, true)
  // a setting that the bundle does not know would be a setting without effect
  const code = BUNDLE.toString()
  for (const name of Object.keys(settings)) assert.ok(code.includes(name), name)
})

test('the bundle: the package’s bytes, plain and compressed, kept by caches', async (t) => {
  const { raw } = await service(t)
  const path = '/docs/scalar.js'
  const plain = await raw('GET', path)
  assert.equal(plain.status, 200)
  assert.ok(plain.body.equals(BUNDLE))
  assert.equal(plain.headers.has('content-encoding'), false)
  const dense = await raw('GET', path, { 'accept-encoding': 'br, gzip' })
  assert.equal(dense.headers.get('content-encoding'), 'br')
  assert.ok(brotliDecompressSync(dense.body).equals(BUNDLE))
  const gzipped = await raw('GET', path, { 'accept-encoding': 'gzip' })
  assert.equal(gzipped.headers.get('content-encoding'), 'gzip')
  assert.ok(gzipped.body.length < BUNDLE.length / 3, `${gzipped.body.length} bytes`)
  assert.ok(gunzipSync(gzipped.body).equals(BUNDLE))
  for (const { headers } of [plain, gzipped]) {
    assert.equal(headers.get('content-type'), 'text/javascript; charset=utf-8')
    assert.equal(headers.get('vary'), 'Accept-Encoding')
    assert.match(headers.get('cache-control') ?? '', /max-age=\d{5,}/)
    assert.match(headers.get('x-request-id') ?? '', /^req_/)
  }
  const tags = [plain, gzipped].map(({ headers }) => headers.get('etag') ?? '')
  assert.equal(new Set(tags).size, 2)
  for (const tag of tags) assert.match(tag, /^"[\w-]+"$/)
  const [tag = '', gzipTag = ''] = tags
  const known: [Record<string, string>, number][] = [
    [{ 'if-none-match': tag }, 304],
    [{ 'if-none-match': `"x", W/${tag}` }, 304],
    [{ 'if-none-match': '*' }, 304],
    [{ 'if-none-match': gzipTag, 'accept-encoding': 'gzip' }, 304],
    [{ 'if-none-match': gzipTag }, 200],
    [{ 'if-none-match': '"x"' }, 200],
  ]
  for (const [headers, status] of known) {
    const answer = await raw('GET', path, headers)
    assert.equal(answer.status, status, JSON.stringify(headers))
    if (status === 304) assert.equal(answer.body.length, 0)
    assert.ok(answer.headers.get('etag'))
  }
})

test('who accepts gzip', () => {
  for (const yes of ['gzip', 'br, GZIP;q=0.5', '*', 'x-gzip', 'identity;q=0, *;q=0.1', 'gzip ; q=1']) {
    assert.equal(codingsTaken(yes).includes('gzip'), true, yes)
  }
  for (const no of [undefined, '', 'br', 'gzip;q=0', 'gzip;q=0.000, *', 'identity', 'gzip;q=x', 'gzipped']) {
    assert.equal(codingsTaken(no).includes('gzip'), false, no)
  }
})

test('HEAD, other methods, other origins and traffic, as on every service page', async (t) => {
  const { get, raw, metrics } = await service(t)
  for (const path of ['/docs', '/docs/scalar.js', '/docs/start.md', '/llms.txt']) {
    const full = await raw('GET', path)
    const head = await raw('HEAD', path)
    assert.equal(head.status, 200, path)
    assert.equal(head.headers.get('content-length'), String(full.body.length), path)
    assert.equal(head.body.length, 0, path)
    const post = await raw('POST', path)
    assert.equal(post.status, 405, path)
    assert.equal(post.headers.get('allow'), 'GET, HEAD, OPTIONS', path)
    const elsewhere = await get(path, { origin: 'https://page.example' })
    assert.equal(elsewhere.headers.get('access-control-allow-origin'), '*', path)
  }
  assert.match(await metrics(), /^http_requests_total\{operation="service",status="200"\} 12$/m)
})

test('the texts call the service by its public URL, and their links within it lead somewhere', async (t) => {
  const { get } = await service(t)
  const guide = await get('/docs/agents.md')
  assert.equal(guide.headers.get('content-type'), 'text/markdown; charset=utf-8')
  assert.equal(await guide.text(), GUIDE.replaceAll('http://127.0.0.1:4000', 'https://api.example.com'))
  const streams = await (await get('/docs/streams.md')).text()
  assert.match(streams, /^`wss:\/\/api\.example\.com\/socket\/websocket\?vsn=2\.0\.0`/m)
  assert.equal(streams.includes('127.0.0.1'), false)
  const overview = await get('/llms.txt')
  assert.equal(overview.headers.get('content-type'), 'text/plain; charset=utf-8')
  const text = await overview.text()
  assert.equal(text, llmsText('https://api.example.com'))
  const links = [...text.matchAll(/\]\(https:\/\/api\.example\.com([^)]*)\)/g)].map((match) => match[1]!)
  assert.ok(links.length >= 4)
  // the account is another face's and need not be there
  for (const link of links.filter((path) => path !== '/account')) assert.equal((await get(link)).status, 200, link)
})

test('overview and guide name every operation with its price and tool, the guide every status', () => {
  const overview = llmsText('')
  for (const { path, priceUnits, tool, summary } of [...ENDPOINTS, ...FURTHER_ENDPOINTS]) {
    assert.ok(overview.includes(`- \`GET ${path}\` (${priceText(priceUnits)}`), path)
    if (tool !== null) assert.ok(overview.includes(`- \`${tool}(`), tool)
    const called = tool === null ? 'none' : `\`${tool}\``
    assert.ok(GUIDE.includes(`| \`GET ${path}\` | ${priceText(priceUnits)} | ${called} | ${summary} |`), path)
  }
  assert.match(overview, /^- `scan_token\(mint, fields\?, at_slot\?, min_slot\?\)` \(\$0\.02\)/m)
  const rows = [...GUIDE.matchAll(/^\| (\d{3}) \| `(\w+)` \|/gm)].map((row) => [row[1], row[2]])
  assert.deepEqual(Object.fromEntries(rows), STATUS_CODE)
})
