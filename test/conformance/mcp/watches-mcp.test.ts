import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { base58Encode } from '@ti/core/base/base58.ts'
import { createAccounts } from '@ti/service/access/accounts/accounts.ts'
import type { KeyCheck, Keys } from '@ti/service/access/keys.ts'
import { createAlertStore, createWatchBook } from '@ti/service/alerts/watches.ts'
import { emptyDatabase } from '../../support/database.ts'
import { bearer, callOf, dataOf, errorOf, messageOf, post } from './raw.ts'
import { startMcp } from './service.ts'

const now = (): number => Date.UTC(2026, 0, 1)
const asked = { kind: 'wallet', target: base58Encode('w'.repeat(32)), name: 'whale', min_sol: 1.5 }
type Watch = { readonly id: string; readonly name: string; readonly min_sol: number }

/** The tools over a real database; a key is the name of its account, or why it is refused. */
async function open(t: TestContext) {
  const database = await emptyDatabase(t)
  const accounts = createAccounts(database, { now })
  const ids = new Map<string, string>()
  for (const name of ['ann', 'bob']) ids.set(name, (await accounts.ofWallet(name)).id)
  const check = (authorization?: string): KeyCheck => {
    const name = authorization?.replace('Bearer ', '') ?? 'absent'
    const account = ids.get(name)
    return account === undefined
      ? { ok: false, reason: name as 'absent' | 'revoked' | 'unreadable' }
      : { ok: true, id: `key_${name}`, account, plan: 'free' }
  }
  const service = await startMcp({
    keys: { check } as Keys,
    watches: { book: createWatchBook(database, { now }), alertStore: createAlertStore(database) },
  })
  t.after(() => service.close())
  const call = (tool: string, args: object = {}, key = 'ann') =>
    post(service, callOf(tool, args), key === '' ? {} : bearer(key))
  const data = async <T>(...given: Parameters<typeof call>): Promise<T> =>
    (dataOf(await call(...given)) as unknown as { data: T }).data
  return { service, call, data }
}

test('watches are made, listed and ended by tools, each account its own', async (t) => {
  const { call, data } = await open(t)
  const made = await data<Watch>('watch_add', asked)
  assert.deepEqual([made.name, made.min_sol], ['whale', 1.5])
  assert.deepEqual(
    (await data<Watch[]>('watches_list')).map(({ id }) => id),
    [made.id],
  )
  assert.deepEqual(await data('watches_list', {}, 'bob'), [])
  assert.equal(errorOf(await call('watch_remove', { id: made.id }, 'bob')).code, 'not_found')
  assert.deepEqual(await data('alerts_recent', { after_seq: 0 }), [])
  assert.deepEqual(await data('watch_remove', { id: made.id }), { deleted: true })
  assert.deepEqual(await data('watches_list'), [])
})

test('without a good key, or with arguments that do not fit, nothing is done', async (t) => {
  const { call, data } = await open(t)
  for (const [key, code, message] of [
    ['', 'payment_required', /send its API key/],
    ['revoked', 'payment_required', /was revoked/],
    ['unreadable', 'internal_error', /cannot be read/],
  ] as const) {
    for (const [tool, args] of [
      ['watch_add', asked],
      ['watches_list', {}],
      ['alerts_recent', {}],
    ] as const) {
      const error = errorOf(await call(tool, args, key))
      assert.equal(error.code, code)
      assert.match(error.message, message)
    }
  }
  for (const [tool, args, message] of [
    ['watch_add', { ...asked, target: 'x' }, /^target: not an address/],
    ['watch_add', { ...asked, more: 1 }, /^the arguments: /],
    ['watch_add', {}, /^kind: /],
    ['alerts_recent', { after_seq: -1 }, /^after_seq: /],
  ] as const) {
    const error = errorOf(await call(tool, args))
    assert.equal(error.code, 'bad_request')
    assert.match(error.message, message)
  }
  assert.deepEqual(await data('watches_list'), [])
})

test('the list of tools names them and stays short', async (t) => {
  const { service } = await open(t)
  const answer = await post(service, { jsonrpc: '2.0', id: 1, method: 'tools/list' })
  const { tools } = messageOf(answer).result as unknown as { tools: { name: string }[] }
  const names = tools.map(({ name }) => name)
  assert.deepEqual(names.slice(-4), ['watches_list', 'watch_add', 'watch_remove', 'alerts_recent'])
  t.diagnostic(`${answer.body.length} bytes`)
  assert.ok(answer.body.length < 20_000, `tools/list has ${answer.body.length} bytes`)
})
