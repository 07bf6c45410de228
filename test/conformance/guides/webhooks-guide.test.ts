import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { SHARED } from '@ti/service/access/shared/table.ts'
import type { Alert } from '@ti/service/alerts/alert.ts'
import {
  CHALLENGE_WINDOW_MS,
  DELIVERIES_WAITING,
  serviceAlert,
  WINDOW_MS,
} from '@ti/service/alerts/delivery/deliveries.ts'
import { CODE_MS, OVERLAP_MS } from '@ti/service/alerts/delivery/destinations.ts'
import { REPLIES } from '@ti/service/alerts/delivery/replies.ts'
import { JITTER, RETRY_MS } from '@ti/service/alerts/delivery/schedule.ts'
import { makeSecret, secretText, signatures } from '@ti/service/alerts/delivery/secret.ts'
import { ATTEMPT_MS, RETRY_AFTER_MS_MAX } from '@ti/service/alerts/delivery/sender.ts'
import { CHALLENGE_MS, EACH, EACH_NEW, webhookBody } from '@ti/service/alerts/delivery/webhook.ts'
import { anAlert } from '../../support/delivery-scene.ts'
import { codeOf, ROOT } from '../../support/guides.ts'

const EXAMPLE = join(ROOT, 'examples/webhook.ts')

test('the receiver of the webhooks page answers the challenge, prints an alert once, and refuses what was changed', async (t) => {
  assert.deepEqual(codeOf('docs/webhooks.md', 'ts'), [readFileSync(EXAMPLE, 'utf8')])
  const secret = makeSecret()
  const dir = mkdtempSync(join(tmpdir(), 'webhook-'))
  t.after(() => rmSync(dir, { recursive: true, force: true }))
  const env = { ...process.env, WEBHOOK_SECRET: secretText(secret), PORT: '0', ALERTS: join(dir, 'alerts.jsonl') }
  const program = spawn(process.execPath, ['--import', 'tsx', EXAMPLE], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  t.after(() => program.kill())
  let printed = ''
  program.stdout.setEncoding('utf8').on('data', (text) => (printed += text))
  const [said] = await once(program.stderr, 'data')
  const port = /port: (\d+)/.exec(String(said))?.[1]
  const send = async (alert: Alert, key = secret) => {
    const body = webhookBody(alert)
    const timestamp = Math.floor(Date.now() / 1_000)
    const headers = {
      ...{ 'webhook-id': alert.id, 'webhook-timestamp': String(timestamp) },
      'webhook-signature': signatures({ id: alert.id, timestamp, body }, [key]),
    }
    const answer = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body })
    return [answer.status, await answer.text()]
  }
  const challenge = serviceAlert({ account: 'acct', event: 'challenge', key: 'abc', atMs: 0 })
  assert.deepEqual(await send(challenge), [200, 'abc'])
  for (const alert of [anAlert('acct', 7), anAlert('acct', 7), anAlert('acct', 8)])
    assert.deepEqual(await send(alert), [200, ''])
  assert.deepEqual(await send(anAlert('acct', 9), makeSecret()), [400, ''])
  assert.equal(printed, 'alert.bought alert 7\nalert.bought alert 8\n')
})

test('the webhooks page says the bounds that hold', () => {
  assert.deepEqual(
    [SHARED.destinations.share.free, SHARED.destinations.share.pro, DELIVERIES_WAITING, SHARED.alerts.share.pro],
    [2, 10, 100, 10_000],
  )
  assert.deepEqual(
    RETRY_MS.map((ms) => ms / 1_000),
    [5, 30, 120, 600, 1_800, 3_600, 7_200, 14_400, 21_600],
  )
  assert.deepEqual(
    [WINDOW_MS, OVERLAP_MS, CODE_MS, CHALLENGE_WINDOW_MS].map((ms) => ms / 60_000),
    [2_880, 1_440, 15, 60],
  )
  assert.deepEqual([CHALLENGE_MS, EACH_NEW, EACH], [5_000, { burst: 10, msEach: 1_000 }, { burst: 100, msEach: 50 }])
  assert.deepEqual([ATTEMPT_MS, RETRY_AFTER_MS_MAX, JITTER, REPLIES], [15_000, 3_600_000, 0.1, 5])
})
