import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Answer } from '../api/ask.ts'
import { createWatches } from './store.ts'
import { isOn, type NewWatch, pathOf, type Watch, watchName } from './watch.ts'

const TOKEN: NewWatch = { kind: 'token', target: 'M'.repeat(44), name: 'MOTH' }
const watchOf = (id: string, asked: NewWatch = TOKEN): Watch => ({
  ...{ ...asked, id, min_sol: asked.min_sol ?? 0, paused: false, state: 'watching' },
  created_at: '2026-11-24T20:00:00.000000Z',
})
const ok = <T>(data: T): Answer<T> => ({ ok: true, data, meta: { cached_at: '' } })
const refused = (status: number, message: string): Answer<never> => ({
  ok: false,
  status,
  error: { code: 'bad_request', message },
})

/** A stub that answers requests one by one, in order. */
function scene() {
  const asked: { method: string; path: string; body: unknown; answer(answer: Answer<unknown>): Promise<void> }[] = []
  const watches = createWatches(
    (method, path, body) =>
      new Promise((resolve) => {
        asked.push({
          ...{ method, path, body },
          async answer(answer) {
            resolve(answer as never)
            // lets the continuation of the answer run
            await new Promise(setImmediate)
          },
        })
      }),
  )
  const isWatched = (): boolean => isOn(watches.state().watches, 'token', TOKEN.target)
  return { watches, asked, isWatched, names: () => watches.state().watches?.map(({ name }) => name) ?? null }
}

test('nobody signed in: nothing is asked, nothing is known', async () => {
  const { watches, asked } = scene()
  watches.of(null)
  await watches.refresh()
  assert.deepEqual([watches.state().watches, asked.length], [null, 0])
})

test('a star is shown at once and stays when the service has taken it', async () => {
  const { watches, asked, isWatched } = scene()
  watches.of('wallet')
  await asked[0]!.answer(ok([]))
  const toggled = watches.toggle(TOKEN)
  assert.equal(isWatched(), true)
  assert.deepEqual([asked[1]!.method, asked[1]!.path, asked[1]!.body], ['POST', '/account/watches', TOKEN])
  await asked[1]!.answer(ok(watchOf('watch_1')))
  assert.equal(await toggled, null)
  assert.equal(watches.state().watches?.[0]?.id, 'watch_1')
})

test('a star that the service refuses is taken back, and says why', async () => {
  const { watches, asked, isWatched } = scene()
  watches.of('wallet')
  await asked[0]!.answer(ok([]))
  const toggled = watches.toggle(TOKEN)
  await asked[1]!.answer(refused(400, 'an account may have 10 watches on the free plan: delete one first'))
  assert.match((await toggled)!.error.message, /10 watches/)
  assert.equal(isWatched(), false)
})

test('an end that fails puts the watch back in its place; one that is not there any more is over', async () => {
  const { watches, asked, names } = scene()
  watches.of('wallet')
  const other: NewWatch = { ...TOKEN, target: 'N'.repeat(44), name: 'NEXT' }
  await asked[0]!.answer(ok([watchOf('watch_1'), watchOf('watch_2', other)]))
  const failing = watches.toggle(TOKEN)
  assert.deepEqual(names(), ['NEXT'])
  await asked[1]!.answer(refused(503, 'accounts cannot be read right now'))
  assert.equal((await failing)!.status, 503)
  assert.deepEqual(names(), ['MOTH', 'NEXT'])
  const gone = watches.remove('watch_1')
  await asked[2]!.answer({
    ok: false,
    status: 404,
    error: { code: 'not_found', reason: 'not_found', message: 'this account has no such watch' },
  })
  assert.equal(await gone, null)
  assert.deepEqual(names(), ['NEXT'])
})

test('a second click waits for the first', async () => {
  const { watches, asked, isWatched } = scene()
  watches.of('wallet')
  await asked[0]!.answer(ok([]))
  const first = watches.toggle(TOKEN)
  assert.equal(await watches.toggle(TOKEN), null)
  assert.deepEqual([asked.length, isWatched()], [2, true])
  await asked[1]!.answer(ok(watchOf('watch_1')))
  await first
})

test('a reading from before a change does not undo it', async () => {
  const { watches, asked, isWatched } = scene()
  watches.of('wallet')
  await asked[0]!.answer(ok([]))
  const reading = watches.refresh()
  const toggled = watches.toggle(TOKEN)
  await asked[1]!.answer(ok([]))
  await reading
  assert.equal(isWatched(), true)
  await asked[2]!.answer(ok(watchOf('watch_1')))
  await toggled
  assert.equal(isWatched(), true)
})

test('answers for an account that has signed out change nothing', async () => {
  const { watches, asked } = scene()
  watches.of('wallet')
  await asked[0]!.answer(ok([]))
  const toggled = watches.toggle(TOKEN)
  watches.of(null)
  await asked[1]!.answer(ok(watchOf('watch_1')))
  assert.equal(await toggled, null)
  assert.equal(watches.state().watches, null)
})

test('a pause is shown at once and taken back where it fails', async () => {
  const { watches, asked } = scene()
  watches.of('wallet')
  await asked[0]!.answer(ok([watchOf('watch_1')]))
  const state = () => watches.state().watches?.[0]?.state
  const pausing = watches.change('watch_1', { paused: true })
  assert.equal(state(), 'paused')
  await asked[1]!.answer(refused(503, 'later'))
  assert.equal((await pausing)!.status, 503)
  assert.equal(state(), 'watching')
})

test('another filter starts anew, another least amount does not; a refused one is taken back', async () => {
  const { watches, asked } = scene()
  watches.of('wallet')
  await asked[0]!.answer(ok([watchOf('watch_1')]))
  const watch = () => watches.state().watches?.[0]
  const least = watches.change('watch_1', { min_sol: 2 })
  assert.deepEqual([watch()?.min_sol, watch()?.state], [2, 'watching'])
  await asked[1]!.answer(ok({ ...watchOf('watch_1'), min_sol: 2 }))
  assert.equal(await least, null)
  const filter = watches.change('watch_1', { target: 'tradez > 1' })
  assert.equal(watch()?.state, 'starting')
  await asked[2]!.answer(refused(400, 'target: at character 1'))
  assert.equal((await filter)!.status, 400)
  assert.deepEqual([watch()?.target, watch()?.state, watch()?.min_sol], [TOKEN.target, 'watching', 2])
})

test('names that strangers chose become names that the service takes', () => {
  assert.equal(watchName('  MOTH ', 'x'), 'MOTH')
  assert.equal(watchName(' ', 'FxtV…Ew4Z'), 'FxtV…Ew4Z')
  const long = watchName('🐸'.repeat(90), 'x')
  assert.equal(long.length, 100)
  assert.doesNotThrow(() => encodeURIComponent(long), 'no half of a character')
})

test('what is watched has its page', () => {
  const target = 'A'.repeat(44)
  assert.deepEqual(
    (['token', 'wallet', 'deployer', 'actor', 'condition'] as const).map((kind) => pathOf({ kind, target })),
    [`/token/${target}`, `/trader/${target}`, `/deployer/${target}`, `/actor/${target}`, null],
  )
})
