import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AlertMessage } from '@ti/core/contract/account.ts'
import { Webhook } from 'standardwebhooks'
import { runs } from '../../../../../test/support/chance.ts'
import { anAlert, deliveryScene, type Received } from '../../../../../test/support/delivery-scene.ts'
import fc from '../../../../../test/support/property.ts'
import { OVERLAP_MS } from './destinations.ts'
import { makeSecret, secretText, signatures } from './secret.ts'
import { webhookBody } from './webhook.ts'

const opens = (secret: string, { body, headers }: Received): unknown => new Webhook(secret).verify(body, headers)
const refuses = (secret: string, got: Received): void =>
  assert.throws(() => opens(secret, got), /No matching signature found/)

test('the official library verifies; a rotated secret overlaps with the one before it for a day', async (t) => {
  t.mock.timers.enable({ apis: ['Date'], now: Date.UTC(2026, 0, 1) })
  const scene = await deliveryScene(t)
  const pass = (ms: number): void => {
    scene.pass(ms)
    t.mock.timers.tick(ms)
  }
  const me = await scene.account()
  const { destination, secret: first } = await scene.add(me)
  const next = async (): Promise<Received> => {
    await scene.emit(me)
    await scene.drain()
    return scene.received.at(-1)!
  }
  const got = await next()
  const { type, timestamp, data } = opens(first!, got) as { type: string; timestamp: string; data: { id: string } }
  assert.deepEqual(
    [type, timestamp, data.id],
    ['alert.bought', '2026-01-01T00:00:00.000000Z', got.headers['webhook-id']],
  )
  assert.ok(!('account' in data))
  assert.deepEqual(AlertMessage.parse(JSON.parse(got.body)), JSON.parse(got.body), 'exactly what the contract says')
  refuses(secretText(makeSecret()), got)
  refuses(first!, { ...got, body: `${got.body} ` })
  refuses(first!, { ...got, headers: { ...got.headers, 'webhook-id': 'another' } })

  const second = (await scene.book.rotate(me, destination.id))!.secret
  const both = await next()
  opens(first!, both)
  opens(second, both)
  pass(OVERLAP_MS - 1)
  opens(first!, await next())
  pass(1)
  const later = await next()
  opens(second, later)
  refuses(first!, later)
})

test('any alert verifies with any of the secrets, and only with them', () => {
  const at = Math.floor(Date.now() / 1_000)
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary' }),
      fc.uint8Array({ minLength: 24, maxLength: 64 }),
      fc.string(),
      (title, secret, id) => {
        const body = webhookBody(anAlert('acct', 1, { title }))
        const other = makeSecret()
        const headers = {
          ...{ 'webhook-id': id, 'webhook-timestamp': String(at) },
          'webhook-signature': signatures({ id, timestamp: at, body }, [other, secret]),
        }
        fc.pre(id !== '')
        for (const one of [other, secret]) {
          const opened = new Webhook(secretText(one)).verify(body, headers) as { data: { title: string } }
          assert.equal(opened.data.title, JSON.parse(JSON.stringify(title)))
        }
        assert.throws(() => new Webhook(secretText(makeSecret())).verify(body, headers))
      },
    ),
    { numRuns: runs(100) },
  )
})
