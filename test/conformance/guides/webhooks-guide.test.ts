import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { SHARED } from '@ti/service/access/shared/table.ts'
import { DELIVERIES_WAITING, WINDOW_MS } from '@ti/service/alerts/delivery/deliveries.ts'
import { CODE_MS, OVERLAP_MS } from '@ti/service/alerts/delivery/destinations.ts'
import { REPLIES } from '@ti/service/alerts/delivery/replies.ts'
import { JITTER, RETRY_MS } from '@ti/service/alerts/delivery/schedule.ts'
import { makeSecret, secretText, signatures } from '@ti/service/alerts/delivery/secret.ts'
import { ATTEMPT_MS, RETRY_AFTER_MS_MAX } from '@ti/service/alerts/delivery/sender.ts'
import { webhookBody } from '@ti/service/alerts/delivery/webhook.ts'
import { ALERT_WORK } from '@ti/service/alerts/worker-store.ts'
import { transformSync } from 'esbuild'
import { anAlert } from '../../support/delivery-scene.ts'

const ROOT = resolve(import.meta.dirname, '../../..')
const page = readFileSync(join(ROOT, 'docs/webhooks.md'), 'utf8')

test('the example of the webhooks page verifies what is sent, and refuses what was changed', async (t) => {
  const [, code = ''] = /```ts verify\n([\s\S]*?)```/.exec(page) ?? []
  // beside the packages, where the library is found
  const dir = mkdtempSync(join(ROOT, 'test/guide-'))
  t.after(() => rmSync(dir, { recursive: true }))
  const file = join(dir, 'verify.mjs')
  writeFileSync(file, transformSync(code, { loader: 'ts' }).code)
  const { alertIn } = (await import(pathToFileURL(file).href)) as {
    alertIn: (secret: string, headers: Record<string, string>, body: string) => object
  }
  const alert = anAlert('acct', 7)
  const body = webhookBody(alert)
  const secret = makeSecret()
  const timestamp = Math.floor(Date.now() / 1_000)
  const headers = {
    ...{ 'webhook-id': alert.id, 'webhook-timestamp': String(timestamp) },
    'webhook-signature': signatures({ id: alert.id, timestamp, body }, [secret]),
  }
  assert.deepEqual(alertIn(secretText(secret), headers, body), {
    type: 'alert.bought',
    id: alert.id,
    title: alert.title,
  })
  assert.throws(() => alertIn(secretText(secret), headers, body.replace('1.5', '2.5')))
  assert.throws(() => alertIn(secretText(makeSecret()), headers, body))
})

test('the webhooks page says the bounds that hold', () => {
  assert.deepEqual(
    [SHARED.destinations.share.free, SHARED.destinations.share.pro, DELIVERIES_WAITING, ALERT_WORK.kept],
    [2, 10, 100, 10_000],
  )
  assert.deepEqual(
    RETRY_MS.map((ms) => ms / 1_000),
    [5, 30, 120, 600, 1_800, 3_600, 7_200, 14_400, 21_600],
  )
  assert.deepEqual(
    [WINDOW_MS, OVERLAP_MS, CODE_MS].map((ms) => ms / 60_000),
    [2_880, 1_440, 15],
  )
  assert.deepEqual([ATTEMPT_MS, RETRY_AFTER_MS_MAX, JITTER, REPLIES], [15_000, 3_600_000, 0.1, 5])
})
