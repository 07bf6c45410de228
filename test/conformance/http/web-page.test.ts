import assert from 'node:assert/strict'
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { codingsTaken, prefersPage, takesPage } from '@ti/service/faces/negotiate.ts'
import { readWebFiles } from '@ti/service/faces/web/files.ts'
import { BUILD, buildOf, folderOf, openPage, REMOTE } from './web-scene.ts'

const BROWSER = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8' }
const MINT = 'BAxDVW6UzMseyWZA39kSATaQdyubet5d1ZV9kc66GtC8'
const HTML = 'text/html; charset=utf-8'
const JSON_TYPE = 'application/json; charset=utf-8'
const SCRIPT = '/assets/main-AbCd1234.js'

test('a browser gets the page under all its paths, a program what it has always got under / and /account', async (t) => {
  const { ask } = await openPage(t)
  const pages = [
    '/',
    '/account',
    '/status',
    '/guide',
    `/token/${MINT}`,
    `/trader/${MINT}`,
    `/deployer/${MINT}`,
    '/?a=b',
  ]
  for (const path of pages) {
    const answer = await ask(path, BROWSER)
    assert.deepEqual([answer.status, answer.headers.get('content-type')], [200, HTML], path)
    assert.equal(answer.body.toString(), BUILD['index.html'], path)
  }
  for (const accept of [undefined, '*/*', 'application/json', 'application/json, text/html;q=0.5', 'text/html;q=0']) {
    const answer = await ask('/', accept === undefined ? {} : { accept })
    assert.deepEqual([answer.status, answer.headers.get('content-type')], [200, JSON_TYPE], accept)
    assert.equal(answer.json().links.account, '/account')
    assert.equal(answer.headers.get('vary'), 'Accept')
  }
  // without account services that is the 404 it was; with one, account.test.ts looks
  assert.equal((await ask('/account', { accept: 'application/json' })).status, 404)
  assert.equal((await ask('/account', BROWSER, { method: 'POST' })).status, 404)
  // elsewhere nothing else exists: only who rules the page out does not get it
  assert.equal((await ask('/status')).headers.get('content-type'), HTML)
  assert.equal((await ask('/status', { accept: 'application/json' })).status, 404)
})

test('a page that has an index.html of its own gets it, and nobody else', async (t) => {
  const own = {
    'html/token.html': '<!doctype html><title>token</title>',
    'html/board.html': '<!doctype html><title>board</title>',
  }
  const { ask } = await openPage(t, { files: await buildOf(t, { ...BUILD, ...own }) })
  const text = async (path: string) => (await ask(path, BROWSER)).body.toString()
  assert.equal(await text(`/token/${MINT}`), own['html/token.html'])
  assert.equal(await text('/?a=b'), own['html/board.html'])
  assert.equal(await text(`/trader/${MINT}`), BUILD['index.html'])
  assert.equal(await text('/nothing'), BUILD['index.html'])
  assert.equal((await ask('/html/token.html', BROWSER)).status, 404)
})

test('an address that leads nowhere is a page for a browser, and what it always was for a program', async (t) => {
  const { ask } = await openPage(t)
  for (const path of [
    '/nothing',
    '/token',
    '/token/a/b',
    '/token/%20',
    '/docs/nothing',
    '/accounts',
    '/statuses?a=b',
  ]) {
    const answer = await ask(path, BROWSER)
    assert.deepEqual([answer.status, answer.headers.get('content-type')], [404, HTML], path)
    assert.equal(answer.body.toString(), BUILD['index.html'], path)
    assert.match(answer.headers.get('content-security-policy') ?? '', /default-src 'none'/, path)
    assert.equal((await ask(path, { ...BROWSER, 'if-none-match': '*' })).status, 404, path)
    for (const accept of ['*/*', 'application/json'])
      assert.deepEqual(
        [(await ask(path, { accept })).status, (await ask(path, { accept })).headers.get('content-type')],
        [404, JSON_TYPE],
        path,
      )
  }
  for (const path of ['/v1/nothing', '/v1/tokens/a/b', '/app/nothing', '/assets/nothing.js'])
    assert.deepEqual(
      [(await ask(path, BROWSER)).status, (await ask(path, BROWSER)).headers.get('content-type')],
      [404, JSON_TYPE],
      path,
    )
  assert.equal((await ask('/nothing', BROWSER, { method: 'POST' })).status, 404)
  assert.equal((await ask('/healthz', BROWSER)).headers.get('content-type'), JSON_TYPE)
})

test('what a header says it takes is weighed', () => {
  assert.deepEqual(codingsTaken('gzip, deflate, br, zstd'), ['br', 'gzip'])
  assert.deepEqual(codingsTaken('br;q=0.5, gzip'), ['gzip', 'br'])
  assert.deepEqual(codingsTaken('br;q=0, *'), ['gzip'])
  assert.deepEqual(codingsTaken('identity, *;q=0'), [])
  assert.deepEqual(codingsTaken('br;q=nonsense, gzip;q=2'), [])
  assert.deepEqual(codingsTaken(undefined), [])
  assert.equal(prefersPage(BROWSER.accept), true)
  assert.equal(prefersPage('TEXT/HTML'), true)
  assert.equal(prefersPage('text/html;q=0.1, application/json;q=0.2'), false)
  assert.equal(takesPage('text/*'), true)
  assert.equal(takesPage('image/png'), false)
})

test('the page carries a policy under which nothing of another origin runs, loads or frames it', async (t) => {
  const { ask } = await openPage(t, { publicUrl: REMOTE })
  const { headers } = await ask('/', BROWSER)
  assert.equal(
    headers.get('content-security-policy'),
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; " +
      "connect-src 'self' wss://api.example.com; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  )
  assert.equal(headers.get('cross-origin-opener-policy'), 'same-origin')
  assert.equal(headers.get('cache-control'), 'no-cache')
  for (const path of ['/', SCRIPT, '/favicon.svg', '/app/session', '/app/none']) {
    const answer = await ask(path, BROWSER)
    assert.equal(answer.headers.get('x-content-type-options'), 'nosniff', path)
    assert.equal(answer.headers.get('referrer-policy'), 'no-referrer', path)
    assert.equal(answer.headers.get('cross-origin-resource-policy'), 'same-origin', path)
    assert.equal(answer.headers.get('access-control-allow-origin'), undefined, path)
    assert.match(answer.headers.get('x-request-id') ?? '', /^req_/, path)
  }
})

test('hashed files are kept for a year, others are asked for again; each form has a tag of its own', async (t) => {
  const { ask } = await openPage(t)
  const seen = new Set<string>()
  for (const [coding, decode] of [
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
    ['identity', (bytes: Buffer) => bytes],
  ] as const) {
    for (const path of [SCRIPT, '/']) {
      const answer = await ask(path, { ...BROWSER, 'accept-encoding': coding })
      assert.equal(answer.headers.get('content-encoding') ?? 'identity', coding)
      assert.equal(decode(answer.body).toString(), BUILD[path === '/' ? 'index.html' : SCRIPT.slice(1)])
      assert.match(answer.headers.get('vary')!, /Accept-Encoding/)
      const etag = answer.headers.get('etag')!
      assert.match(etag, /^"[\w-]{27}"$/)
      seen.add(etag)
      for (const known of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
        const again = await ask(path, { ...BROWSER, 'accept-encoding': coding, 'if-none-match': known })
        assert.deepEqual([again.status, again.body.length, again.headers.get('etag')], [304, 0, etag], known)
        assert.equal(again.headers.get('cache-control'), answer.headers.get('cache-control'))
        assert.equal(again.headers.get('content-length'), undefined)
      }
      assert.equal((await ask(path, { ...BROWSER, 'accept-encoding': coding, 'if-none-match': '"x"' })).status, 200)
    }
  }
  assert.equal(seen.size, 6)
  assert.equal((await ask(SCRIPT)).headers.get('cache-control'), 'public, max-age=31536000, immutable')
  assert.equal((await ask('/favicon.svg')).headers.get('cache-control'), 'public, max-age=3600')
  // too small to be worth it
  assert.equal(
    (await ask('/assets/tiny-AbCd1234.css', { 'accept-encoding': 'br' })).headers.get('content-encoding'),
    undefined,
  )
})

test('HEAD says what GET would send, other methods are told what is answered', async (t) => {
  const { ask } = await openPage(t)
  for (const path of ['/', SCRIPT]) {
    const get = await ask(path, BROWSER)
    const head = await ask(path, BROWSER, { method: 'HEAD' })
    assert.deepEqual([head.status, head.body.length], [200, 0])
    for (const name of ['content-length', 'etag', 'content-type', 'cache-control']) {
      assert.equal(head.headers.get(name), get.headers.get(name), name)
    }
  }
  for (const path of [SCRIPT, '/app/session', '/app/search?q=a']) {
    const answer = await ask(path, { 'content-length': '0' }, { method: 'POST' })
    assert.deepEqual([answer.status, answer.headers.get('allow')], [405, 'GET, HEAD, OPTIONS'], path)
    assert.equal(answer.json().error.code, 'bad_request')
  }
  assert.equal((await ask('/status', {}, { method: 'DELETE' })).status, 404)
})

test('a path that names no file of the build leads nowhere', async (t) => {
  const { ask } = await openPage(t)
  const odd = [
    '/assets/../index.html',
    '/assets/%2e%2e/index.html',
    '/assets/..%2findex.html',
    '/../../package.json',
    '/%2e%2e/%2e%2e/package.json',
    '/assets/',
    '/assets',
    '/assets//main-AbCd1234.js',
    '//assets/main-AbCd1234.js',
    '/assets/main-AbCd1234.js/',
    '/assets/main-AbCd1234.js%00',
    '/assets/main-AbCd1234.js.map',
    '/assets/MAIN-AbCd1234.js',
    '/index.html',
    '/assets/__proto__',
    '/__proto__',
    '/constructor',
    '/token/',
    '/token',
    `/token/${MINT}/trades`,
    `/token/${MINT}%2f..`,
    '/token/..',
    `/token/${'A'.repeat(65)}`,
    '/token/%3Cscript%3E',
    '/status/',
    '/app/',
    '/app/tokens//explain',
    '/app/__proto__',
    'http://127.0.0.1:4000/assets/main-AbCd1234.js',
  ]
  for (const path of odd) {
    assert.equal((await ask(path, BROWSER)).status, 404, path)
    const answer = await ask(path, { accept: 'application/json' })
    assert.equal(answer.status, 404, path)
    assert.equal(answer.json().error.code, 'not_found', path)
  }
  // what others serve stays theirs, whatever the build contains
  assert.equal((await ask('/openapi.json', BROWSER)).json().openapi, '3.1.0')
  assert.equal((await ask('/llms.txt', BROWSER)).headers.get('content-type'), 'text/plain; charset=utf-8')
  assert.match((await ask('/docs', BROWSER)).body.toString(), /scalar\.js/)
})

test('a link inside the build to something outside is not followed', async (t) => {
  const dir = folderOf(t, BUILD)
  const outside = folderOf(t, { 'secret.txt': 'secret' })
  symlinkSync(join(outside, 'secret.txt'), join(dir, 'secret.txt'))
  symlinkSync(outside, join(dir, 'assets', 'more'))
  const files = await readWebFiles(dir)
  assert.deepEqual([...files!.keys()].sort(), [
    '/assets/main-AbCd1234.js',
    '/assets/tiny-AbCd1234.css',
    '/favicon.svg',
    '/index.html',
  ])
})

test('without a build the page says how to get one, and everything else is as it was', async (t) => {
  assert.equal(await readWebFiles(join(folderOf(t, {}), 'none')), null)
  assert.equal(await buildOf(t, { 'assets/a.js': '' }), null)
  const { ask } = await openPage(t, { files: null })
  const page = await ask('/', BROWSER)
  assert.equal(page.status, 503)
  assert.match(page.body.toString(), /npm run build/)
  assert.match(page.headers.get('content-security-policy')!, /default-src 'none'/)
  assert.equal((await ask('/')).headers.get('content-type'), JSON_TYPE)
  assert.equal((await ask('/app/session', { 'sec-fetch-site': 'same-origin' })).status, 200)
})

test('a build larger than a page has is refused at the start', async (t) => {
  const dir = folderOf(t, BUILD)
  const bounds = { files: 10, fileBytes: 10_000, bytes: 20_000 }
  assert.equal((await readWebFiles(dir, bounds))!.size, 4)
  for (const smaller of [{ files: 3 }, { fileBytes: 1_000 }, { bytes: 4_000 }]) {
    await assert.rejects(
      readWebFiles(dir, { ...bounds, ...smaller }),
      /not a build of the page/,
      JSON.stringify(smaller),
    )
  }
})
