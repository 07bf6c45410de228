import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Delivery, deliveryInWords, destinationProblem, liveOf, placeOf, watchesInWords } from './destination.ts'

const delivery = (some: Partial<Delivery>): Delivery => ({
  ...{
    number: 1,
    id: 'alert_1',
    seq: 1,
    event: 'graduated',
    title: 'MOTH graduated',
    state: 'waiting',
    attempts: 0,
    status: null,
  },
  ...{ error: null, attempted_at: null, next_at: null, created_at: '2026-11-24T20:00:00.000000Z' },
  ...some,
})

test('what became of a delivery is said in words', () => {
  assert.equal(deliveryInWords(delivery({})), 'on its way')
  assert.equal(deliveryInWords(delivery({ attempts: 2, status: 500 })), 'answer 500, 2 attempts, will be retried')
  assert.equal(deliveryInWords(delivery({ state: 'delivered', attempts: 1, status: 204 })), 'answer 204, 1 attempt')
  assert.equal(
    deliveryInWords(delivery({ state: 'failed', attempts: 9, error: 'the host name has no address' })),
    'the host name has no address, 9 attempts',
  )
})

test('a refusal stands at the field it is about', () => {
  const refusal = (message: string, status = 400) => placeOf({ status, error: { code: 'bad_request', message } })
  assert.deepEqual(refusal('url: an https address is needed'), { field: 'url', text: 'An https address is needed.' })
  assert.equal(refusal('watches: Too small').field, 'watches')
  assert.equal(refusal('kind: this service has no Telegram bot').field, 'kind')
  assert.equal(refusal('an account may have 2 destinations on the free plan').field, null)
  assert.equal(refusal('url: later', 503).field, null)
})

test('a destination lists watches; deleted ones do not count', () => {
  const all = [{ id: 'watch_1' }, { id: 'watch_2' }]
  assert.equal(watchesInWords(null, all), 'alerts of all watches')
  assert.equal(watchesInWords(['watch_1', 'watch_9'], all), 'alerts of 1 watch')
  assert.equal(watchesInWords(['watch_1', 'watch_9'], null), 'alerts of 2 watches')
  assert.equal(watchesInWords(['watch_9'], all), 'alerts of 0 watches')
  assert.deepEqual(liveOf(['watch_9', 'watch_2'], all), ['watch_2'])
  assert.equal(liveOf(null, all), null)
})

test('without a name, or without a watch where some are chosen, nothing is sent', () => {
  assert.equal(destinationProblem(' ', null)?.field, 'name')
  assert.equal(destinationProblem('desk', [])?.field, 'watches')
  assert.equal(destinationProblem('desk', ['watch_1']), null)
  assert.equal(destinationProblem('desk', null), null)
})
