import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { SHARED } from '@ti/service/access/shared/table.ts'
import { openPage } from './web-scene.ts'

const UNIT_BYTES = 1 << 16
const { address: MOST } = SHARED.documents.share

async function open(t: TestContext) {
  const { ask } = await openPage(t)
  const from = '127.91.0.1'
  const head = (path: string, address = from) => ask(path, {}, { from: address, method: 'HEAD' })
  return { head, ask, from }
}

/** Before: eight connections that asked for /openapi.json or the reference held a Pro key up by some hundred milliseconds. */
test('the free documents of an address share one window, and large ones count by their size', async (t) => {
  const { head, ask, from } = await open(t)
  let used = 0
  for (const path of ['/docs/scalar.js', '/openapi.json', '/docs', '/llms.txt', '/status']) {
    const { status, headers } = await head(path)
    assert.equal(status, 200, path)
    used += Math.ceil(Number(headers.get('content-length')) / UNIT_BYTES)
  }
  let served = 0
  while ((await head('/llms.txt')).status === 200) served++
  assert.ok(served > 0 && served <= MOST - used, `${served} small ones after ${used} units`)
  const refused = await ask('/openapi.json', {}, { from })
  assert.equal(refused.status, 429)
  assert.ok(Number(refused.headers.get('retry-after')) <= 60)
  assert.match(refused.body.toString(), /too many documents were asked for by this address in this minute/)
  assert.equal((await head('/status')).status, 429, 'the page’s too')
  for (const path of ['/healthz', '/readyz']) assert.equal((await head(path)).status, 200, path)
  assert.equal((await head('/openapi.json', '127.91.0.2')).status, 200)
})
