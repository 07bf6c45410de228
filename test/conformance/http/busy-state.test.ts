import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EXAMPLE_ADDRESSES } from '@ti/core/contract/examples.ts'
import { createOperations } from '@ti/core/query/operations.ts'
import { type Found, type Reads, readsOf } from '@ti/core/query/reads.ts'
import { fakeQuery, KEYS, startFake } from '../../support/fake-service.ts'

/** A state that answers when the test says so, as one does that folds. */
function busyState() {
  const own = readsOf(fakeQuery())
  const waiting: (() => void)[] = []
  let isBusy = false
  const reads: Reads = {
    ...own,
    find: (id, args) =>
      isBusy
        ? new Promise<Found | null>((resolve) => waiting.push(() => resolve(own.find(id, args))))
        : own.find(id, args),
  }
  return {
    operations: createOperations(reads),
    fold() {
      isBusy = true
    },
    done() {
      isBusy = false
      for (const answer of waiting.splice(0)) answer()
    },
  }
}

test('while the state answers nothing, all that is known without it is answered', async (t) => {
  const state = busyState()
  const service = await startFake({ operations: state.operations })
  t.after(() => service.close())
  const headers = { authorization: `Bearer ${KEYS.pro}` }
  const get = async (path: string, of: Record<string, string> = headers) =>
    (await fetch(service.baseUrl + path, { headers: of })).status
  const token = `/v1/tokens/${EXAMPLE_ADDRESSES.mint}`
  assert.equal(await get(token), 200)
  state.fold()
  let isAnswered = false
  const rendered = get('/v1/tokens/new').then((status) => {
    isAnswered = true
    return status
  })
  for (const [path, status, of] of [
    ['/healthz', 200, {}],
    ['/readyz', 200, {}],
    [token, 200, headers],
    [token, 402, {}],
    [`${token}?fields=nothing`, 400, headers],
    ['/v1/nothing', 404, headers],
    ['/openapi.json', 200, {}],
  ] as const) {
    assert.equal(await get(path, of), status, path)
  }
  assert.equal(isAnswered, false)
  state.done()
  assert.equal(await rendered, 200)
})
