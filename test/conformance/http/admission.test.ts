import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { RATES } from '@ti/service/access/rate-limits/windows.ts'
import { exchange, requestText } from '../../support/exchange.ts'
import { type FakeChanges, KEYS, startFake } from '../../support/fake-service.ts'

/** Who may ask how often: windows, headers, addresses. Payments have tests of their own. */
async function service(t: TestContext, change: FakeChanges = {}) {
  let ms = 0
  const started = await startFake({ now: () => ms, ...change })
  t.after(started.close)
  return {
    pass(by: number) {
      ms += by
    },
    async ask(headers: Record<string, string>, path = '/v1/tokens/new', from?: string, method = 'GET') {
      const text = requestText(method, path, headers)
      return (await exchange(started.baseUrl, text, method !== 'HEAD', from))!
    },
  }
}

type Asked = Awaited<ReturnType<Awaited<ReturnType<typeof service>>['ask']>>

const rate = ({ headers }: Asked) =>
  ['limit', 'remaining', 'reset'].map((name) => Number(headers.get(`x-ratelimit-${name}`)))

const pro = { authorization: `Bearer ${KEYS.pro}` }
const free = { authorization: `Bearer ${KEYS.free}` }

test('600, 60 and 5 calls a minute exactly, then 429 until the window starts anew', async (t) => {
  const cases = [
    ['Pro key', pro, 600, 200],
    ['free key', free, 5, 200],
    ['nothing', {}, 60, 402],
    ['revoked key', { authorization: `Bearer ${KEYS.revoked}` }, 60, 402],
  ] as const
  for (const [who, headers, limit, status] of cases) {
    const { ask, pass } = await service(t)
    for (let i = 1; i <= limit; i++) {
      const answer = await ask(headers)
      assert.equal(answer.status, status, `${who}, call ${i}`)
      assert.deepEqual(rate(answer), [limit, limit - i, 60], `${who}, call ${i}`)
    }
    pass(17_500)
    const refused = await ask(headers)
    assert.equal(refused.status, 429, who)
    assert.deepEqual(rate(refused), [limit, 0, 43], who)
    assert.equal(refused.headers.get('retry-after'), '43')
    const { error } = JSON.parse(refused.body.toString())
    assert.deepEqual([error.code, error.retry_after], ['rate_limited', 43])
    pass(42_500)
    assert.deepEqual(rate(await ask(headers)), [limit, limit - 1, 60], `${who}, next window`)
  }
})

test('each key and each address has a window of its own', async (t) => {
  const { ask } = await service(t)
  for (let i = 0; i < RATES.unpaid + 1; i++) await ask({})
  assert.equal((await ask({})).status, 429)
  assert.equal((await ask({}, undefined, '127.0.0.2')).status, 402)
  assert.equal((await ask(pro)).status, 200)
  assert.equal((await ask(free)).status, 200)
})

test('a client cannot choose its address, a trusted proxy can', async (t) => {
  const forged = (n: number) => ({ 'x-forwarded-for': `198.51.100.${n}` })
  const open = await service(t)
  for (let i = 0; i < RATES.unpaid; i++) assert.equal((await open.ask(forged(i))).status, 402)
  assert.equal((await open.ask(forged(99))).status, 429)

  const proxied = await service(t, { trustedProxies: ['127.0.0.0/8'] })
  for (let i = 0; i < RATES.unpaid + 20; i++) assert.equal((await proxied.ask(forged(i))).status, 402)
  for (let i = 1; i < RATES.unpaid; i++) await proxied.ask(forged(7))
  assert.equal((await proxied.ask(forged(7))).status, 429)
})

test('every answer of an operation counts and says how much is left: errors and HEAD too', async (t) => {
  const { ask } = await service(t)
  const answers = [
    await ask(pro, '/v1/tokens/bad'),
    await ask(pro, '/v1/traders/11111111111111111111111111111111'),
    await ask(pro, undefined, undefined, 'HEAD'),
    await ask(pro),
  ]
  assert.deepEqual(
    answers.map((answer) => [answer.status, ...rate(answer)]),
    [400, 404, 200, 200].map((status, i) => [status, 600, 599 - i, 60]),
  )
  assert.equal((await ask(pro, '/healthz')).headers.has('x-ratelimit-limit'), false)
})
