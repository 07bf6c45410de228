import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { type TestContext, test } from 'node:test'
import { brotliDecompressSync } from 'node:zlib'
import { within } from '@ti/core/base/within.ts'
import type { Preview } from '@ti/core/query/previews.ts'
import { visitorAt } from '@ti/service/access/shared/shared.ts'
import { SHARED } from '@ti/service/access/shared/table.ts'
import { withHead } from '@ti/service/faces/web/share/head.ts'
import { linesOf, pictureOf } from '@ti/service/faces/web/share/picture.ts'
import { CROWDED, createPictures } from '@ti/service/faces/web/share/pictures.ts'
import { withWords } from '@ti/service/faces/web/share/words.ts'
import { sharedWith } from '../../support/shared.ts'
import { BUILD, buildOf, openPage } from './web-scene.ts'

/** What links to the page show elsewhere, and what a page says before it has asked anything. */
const INDEX = readFileSync(resolve(import.meta.dirname, '../../../packages/page/index.html'), 'utf8')
const skeletonOf = (inside: string): string =>
  INDEX.replace('<div id="page"></div>', () => `<div id="page">${inside}</div>`)

const MINT = '93mCveArZRPXZqVkPmHBnNrmP27tyed2H5geuJkskxsp'

const PREVIEW: Preview = {
  ...{ kind: 'token', name: '“WIF”', more: '“Dog”', id: MINT, rating: 'red' },
  verdict: 'The deployer’s group (7 wallets) sold 29% in one block 23 s ago.',
  figures: [{ label: 'Bundled', value: '29%' }],
  words: { symbol: 'WIF', name: 'Dog', sentence: 'The deployer’s group (7 wallets) sold 29% in one block 23 s ago.' },
}

/** as the build makes it: marks where words go */
const SKELETON = skeletonOf(
  '<h1><bdi>{{symbol}}</bdi> <bdi>{{name}}</bdi></h1><button title="Watch {{symbol}}">{{short}}</button>' +
    '<p class="headline" data-rating="red">{{sentence}}</p>',
)

const HOSTILE = `</title><script>alert(1)</script>"'$&$1<svg onload=x>&amp;`

/** As the readers of links take it: the first of each property or name, entities undone. */
function metaOf(html: string): Map<string, string> {
  const head = /<head>([\s\S]*?)<\/head>/.exec(html)![1]!
  const found = new Map<string, string>()
  for (const [, name, content] of head.matchAll(/<meta (?:property|name)="([^"]+)" content="([^"]*)"/g))
    if (!found.has(name!)) found.set(name!, undone(content!))
  found.set('title', undone(/<title>([^<]*)<\/title>/.exec(head)![1]!))
  return found
}

const undone = (text: string): string =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')

const files = (t: TestContext) => buildOf(t, { ...BUILD, 'index.html': INDEX })

test('a token’s page has a title, a description and a picture of its own', async (t) => {
  const previews = { of: (kind: string, id: string) => (kind === 'token' && id === MINT ? PREVIEW : null) }
  const { ask } = await openPage(t, { files: await files(t), previews })
  const page = await ask(`/token/${MINT}`, { accept: 'text/html' })
  assert.equal(page.status, 200)
  const meta = metaOf(page.body.toString())
  assert.equal(meta.get('og:title'), meta.get('title'))
  assert.match(meta.get('og:title')!, /^Red: “WIF” · /)
  assert.match(meta.get('og:description')!, /^The deployer’s group \(7 wallets\) sold 29%/)
  assert.equal(meta.get('twitter:card'), 'summary_large_image')
  assert.equal(meta.get('og:image:width'), '1200')
  const picture = new URL(meta.get('og:image')!)
  assert.equal(meta.get('twitter:image'), picture.href)
  const drawn = await ask(picture.pathname)
  assert.equal(drawn.status, 200)
  assert.equal(drawn.headers.get('content-type'), 'image/png')
  assert.equal(drawn.headers.get('cross-origin-resource-policy'), 'cross-origin')
  assert.equal(drawn.body.subarray(1, 4).toString(), 'PNG')
  assert.deepEqual([drawn.body.readUInt32BE(16), drawn.body.readUInt32BE(20)], [1_200, 630])
  assert.ok(drawn.body.length > 10_000 && drawn.body.length < 300_000, `${drawn.body.length} bytes`)
})

test('what is not known has the general head and no picture', async (t) => {
  const { ask } = await openPage(t)
  const known = await ask('/', { accept: 'text/html' })
  const page = await ask(`/token/${MINT}`, { accept: 'text/html' })
  assert.equal(page.status, 200)
  assert.ok(page.body.equals(known.body))
  assert.equal((await ask(`/share/token/${MINT}.png`)).status, 404)
  for (const path of [
    '/share/token/.png',
    '/share/token/..%2f..%2fetc.png',
    '/share/wallet/x.png',
    `/share/token/${'x'.repeat(500)}.png`,
  ])
    assert.equal((await ask(path)).status, 404, path)
})

test('where the page is not for everybody, its links say nothing', async (t) => {
  const { ask } = await openPage(t, { files: await files(t), mode: 'signed-in', previews: { of: () => PREVIEW } })
  assert.equal((await ask(`/share/token/${MINT}.png`)).status, 404)
  assert.ok(!(await ask(`/token/${MINT}`, { accept: 'text/html' })).body.toString().includes('WIF'))
})

test('whoever asks too much gets the page as it is, and 429 for pictures', async (t) => {
  const { ask } = await openPage(t, { files: await files(t), previews: { of: () => PREVIEW } })
  for (let n = 0; n < SHARED.previews.share.address; n++) {
    const { body } = await ask(`/token/${MINT}`, { accept: 'text/html' })
    assert.ok(body.toString().includes('og:title'))
  }
  const late = await ask(`/token/${MINT}`, { accept: 'text/html' })
  assert.equal(late.status, 200)
  assert.ok(!late.body.toString().includes('og:title'))
  const picture = await ask(`/share/token/${MINT}.png`)
  assert.equal(picture.status, 429)
  assert.ok(Number(picture.headers.get('retry-after')) > 0)
})

test('a page and a picture do not wait for a reading that hangs, and the page has its sentence when readings end', async (t) => {
  const built = await buildOf(t, {
    ...BUILD,
    'html/token.html': skeletonOf('<h1></h1>'),
    'html/token-red.html': SKELETON,
  })
  let begun = 0
  let end: (preview: Preview) => void = () => {}
  const reading = new Promise<Preview>((done) => (end = done))
  const previews = {
    of: () => {
      begun++
      return reading
    },
  }
  const { ask } = await openPage(t, { files: built, previews })
  const page = async () => (await within(60_000, ask(`/token/${MINT}`, { accept: 'text/html' }))).body.toString()
  for (let n = 0; n < 2; n++) assert.equal(await page(), skeletonOf('<h1></h1>'))
  const picture = await within(60_000, ask(`/share/token/${MINT}.png`))
  assert.equal(picture.status, 503, 'not 404, which would be remembered')
  assert.equal(picture.headers.get('retry-after'), '2')
  assert.equal(begun, 1, 'what is under way is not begun again')
  end(PREVIEW)
  assert.match(await page(), /<p class="headline" data-rating="red">The deployer’s group/)
})

test('a hostile name stays a text, in the head and in the picture', () => {
  const hostile = { ...PREVIEW, name: HOSTILE, more: HOSTILE, verdict: HOSTILE }
  const html = withHead(INDEX, {
    preview: hostile,
    url: 'https://x.example/token/1',
    picture: 'https://x.example/1.png',
  })
  assert.equal(html.split('<script').length, INDEX.split('<script').length)
  assert.ok(metaOf(html).get('og:description')!.startsWith(HOSTILE))
  const svg = pictureOf(hostile, 'x.example')
  assert.equal(svg.match(/<svg/g)!.length, 1)
  assert.ok(!/<script|onload=x>|href|url\(|<image|<foreignObject/.test(svg), svg)
})

/** The data for the script, and what is seen: text of the body without its elements. */
function wordsIn(html: string): { readonly data: unknown; readonly seen: string } {
  const body = /<body>([\s\S]*)<\/body>/.exec(html)![1]!
  const [element, data] = /<script type="application\/json" id="words">([^<]*)<\/script>/.exec(body)!
  return { data: JSON.parse(data!), seen: undone(body.replace(element, '').replace(/<[^>]*>/g, ' ')) }
}

test('the page of a token says its name and its verdict before any script has run', async (t) => {
  const built = await buildOf(t, { ...BUILD, 'index.html': INDEX, 'html/token-red.html': SKELETON })
  const { ask } = await openPage(t, { files: built, previews: { of: () => PREVIEW } })
  const page = await ask(`/token/${MINT}`, { accept: 'text/html' })
  const html = page.body.toString()
  assert.match(
    html,
    /<p class="headline" data-rating="red">The deployer’s group \(7 wallets\) sold 29% in one block 23 s ago\.<\/p>/,
  )
  const { data, seen } = wordsIn(html)
  assert.match(seen, /WIF\s+Dog\s+93mC…kxsp/)
  assert.doesNotMatch(html, /\{\{/)
  assert.deepEqual(data, { ...PREVIEW.words, id: MINT, colour: 'red' })
  // the rest of the answer is asked for, with a session
  assert.ok(html.length < SKELETON.length + 4_000, `${html.length} bytes`)
})

test('a page with a head of its own is compressed, and not sent again while it is the same', async (t) => {
  let preview = PREVIEW
  const { ask } = await openPage(t, { files: await files(t), previews: { of: () => preview } })
  const accept = { accept: 'text/html', 'accept-encoding': 'br' }
  const first = await ask(`/token/${MINT}`, accept)
  assert.equal(first.headers.get('content-encoding'), 'br')
  assert.match(brotliDecompressSync(first.body).toString(), /og:title/)
  assert.equal(first.headers.get('cache-control'), 'no-cache')
  const known = { ...accept, 'if-none-match': first.headers.get('etag')! }
  const again = await ask(`/token/${MINT}`, known)
  assert.deepEqual([again.status, again.body.length], [304, 0])
  assert.equal(again.headers.get('content-security-policy'), first.headers.get('content-security-policy'))
  preview = { ...PREVIEW, verdict: 'Another one.' }
  assert.equal((await ask(`/token/${MINT}`, known)).status, 200)
})

test('a hostile name or sentence stays a text in the skeleton and in its data', () => {
  for (const text of [
    HOSTILE,
    '</script><script>alert(1)</script>',
    '{{sentence}}{{id}}<!--<script>',
    '<div id="page">$`$&',
  ]) {
    const hostile = { ...PREVIEW, words: { symbol: text, name: text, sentence: text } }
    const html = withWords(SKELETON, hostile)
    assert.equal(html.split('<script').length, SKELETON.split('<script').length + 1, text)
    assert.equal(html.split('<div id="page">').length, 2, text)
    const { data, seen } = wordsIn(html)
    assert.deepEqual(data, { ...hostile.words, id: MINT, colour: 'red' })
    assert.ok(seen.includes(`${text}  93mC`) || seen.split(text).length >= 4, seen)
    assert.match(html, /<button title="Watch [^"]*">93mC…kxsp<\/button>/)
  }
})

test('a long verdict is cut at its last line', () => {
  const lines = linesOf('word '.repeat(100).trim(), 46, 3)
  assert.equal(lines.length, 3)
  assert.ok(lines.every((line) => line.length <= 46))
  assert.ok(lines.at(-1)!.endsWith('…'))
})

test('a picture is drawn once, the oldest is forgotten, and a crowd is turned away', async () => {
  let drawn = 0
  let release = (): void => {}
  let gate = Promise.resolve()
  const load = async () => async (svg: string) => {
    drawn++
    await gate
    if (svg === 'bad') throw new Error('it cannot be drawn')
    return Buffer.from(svg)
  }
  const shared = sharedWith({ pictures: { pool: { free: 2 } } })
  const pictures = createPictures(load, 2)
  const of = (svg: string) => pictures.of(svg, () => shared.take('pictures', visitorAt('')))
  await Promise.all([of('a'), of('a')])
  await of('a')
  assert.equal(drawn, 1)
  await assert.rejects(of('bad') as Promise<Buffer>, /cannot be drawn/)
  await of('b')
  await of('c')
  await of('a')
  assert.equal(drawn, 5, 'the first one was forgotten')
  gate = new Promise((done) => {
    release = done
  })
  const waiting = [of('d'), of('e')]
  assert.equal(await of('f'), CROWDED)
  release()
  await Promise.all(waiting)
  assert.notEqual(await of('f'), CROWDED)
})
