import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Answer } from './client.ts'
import { askFirst, firstAnswer, firstAnswers, takeFirst } from './first.ts'

const answer = (data: string): Answer<string> => ({ ok: true, data, meta: { cached_at: '' } })

test('a first answer is shown where it is there, taken once, and then asked for anew', async () => {
  askFirst('/a', async () => answer('a'))
  assert.equal(firstAnswer('/a'), null, 'not answered yet')
  await firstAnswers()
  assert.deepEqual(firstAnswer('/a'), answer('a'))
  assert.deepEqual(await takeFirst('/a'), answer('a'))
  assert.equal(takeFirst('/a'), null)
  assert.equal(firstAnswer('/a'), null)
})

test('whoever comes before the answer waits for it; nobody gets an old one, or that of another path', async (t) => {
  t.mock.timers.enable({ apis: ['Date'] })
  let say: (answer: Answer<unknown>) => void = () => {}
  askFirst('/b', () => new Promise((done) => (say = done)))
  t.mock.timers.tick(60_000)
  const taken = takeFirst<string>('/b')
  assert.ok(taken !== null, 'one that is slow is not asked twice')
  assert.equal(takeFirst('/c'), null)
  assert.equal(firstAnswer(null), null)
  say(answer('b'))
  assert.deepEqual(await taken, answer('b'))
  askFirst('/d', async () => answer('d'))
  await firstAnswers()
  t.mock.timers.tick(5_001)
  assert.equal(firstAnswer('/d'), null)
  assert.equal(takeFirst('/d'), null)
})
