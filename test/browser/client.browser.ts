import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { resolve } from 'node:path'
import { test } from 'node:test'
import { EXAMPLE_ADDRESSES, EXAMPLES } from '@ti/core/contract/examples.ts'
import { build } from 'esbuild'
import { KEYS } from '../support/fake-service.ts'
import { fakeStreams, openLive, until } from '../support/live-service.ts'
import { inBrowser, launch } from './chromium.ts'

/** The TypeScript client and the browser's own EventSource, on a page of another origin than the service's. */
interface InPage {
  readonly client: typeof import('../clients/exercise.ts')
  readonly seqs: number[]
}

test('the exercise in Chromium', inBrowser, async (t) => {
  const service = await openLive(t)
  for (let i = 0; i < 30; i++) service.publish('frames:live')
  const page = await open(t)
  const asked = { baseUrl: service.baseUrl, apiKey: KEYS.pro, mint: EXAMPLE_ADDRESSES.mint, after: 10, count: 20 }
  const done = await page.evaluate((given) => (globalThis as unknown as InPage).client.exercise(given), asked)
  const seqs = Array.from({ length: 20 }, (_, i) => 11 + i)
  assert.deepEqual(done, {
    symbol: EXAMPLES.snapshot.data.meta.symbol,
    cards: EXAMPLES.new.data.length,
    refused: [400, 'bad_request'],
    websocket: seqs,
    events: seqs,
    closedDoor: [402, 'payment_required'],
  })
})

test('Chromium’s EventSource resumes over restarts, every seq once', inBrowser, async (t) => {
  const topics = fakeStreams()
  let service = await openLive(t, { topics })
  const { port, baseUrl } = service
  const page = await open(t)
  await page.evaluate(
    ([url]) => {
      const heard: number[] = []
      Object.assign(globalThis, { seqs: heard })
      const { EventSource } = globalThis as unknown as { EventSource: new (url: string) => EventTarget }
      new EventSource(url!).addEventListener('frame', (event) => {
        heard.push(JSON.parse((event as Event & { data: string }).data).data.seq)
      })
    },
    [`${baseUrl}/v1/stream?topic=frames:live&after_seq=0&api_key=${KEYS.pro}`],
  )
  const heard = (): Promise<number[]> => page.evaluate(() => (globalThis as unknown as InPage).seqs)
  for (let restart = 1; restart <= 3; restart++) {
    for (let i = 0; i < 10; i++) service.publish('frames:live')
    await until('it has heard', async () => (await heard()).length === restart * 20 - 10)
    await service.close()
    for (let i = 0; i < 10; i++) topics.append('frames:live')
    service = await openLive(t, { topics, port })
    await until('it is back', async () => (await heard()).length === restart * 20)
  }
  assert.deepEqual(
    await heard(),
    Array.from({ length: 60 }, (_, i) => i + 1),
  )
})

async function open(t: Parameters<typeof launch>[0]) {
  const { outputFiles } = await build({
    entryPoints: [resolve(import.meta.dirname, '../clients/exercise.ts')],
    bundle: true,
    format: 'iife',
    globalName: 'client',
    write: false,
  })
  const page = await (await launch(t)).newPage()
  const elsewhere = createServer((_, response) => {
    response.setHeader('content-type', 'text/html').end('<!doctype html>')
  })
  t.after(() => new Promise<void>((done) => elsewhere.close(() => done())))
  await once(elsewhere.listen(0, '127.0.0.1'), 'listening')
  await page.goto(`http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/`)
  await page.addScriptTag({ content: outputFiles[0]!.text })
  return page
}
