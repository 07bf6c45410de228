import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FURTHER_EXAMPLES } from '@ti/core/contract/examples-who.ts'
import type { Who } from '@ti/core/contract/who.ts'
import { chanceOf } from './verdict-words.ts'

const { outlook } = FURTHER_EXAMPLES.who.data as Who
const drain = { ...outlook.drain!, p: 0.54, own_p: 0.54, n: 214, hits: 37, after_exit: false }

test('a chance says on how many it rests', () => {
  assert.deepEqual(chanceOf('drain', drain), {
    text: '54%',
    counted: '37 of the latest 214 like it',
    rating: 'red',
  })
  assert.match(chanceOf('drain', { ...drain, n: 0, hits: 0 })!.counted, /none counted yet/)
  assert.equal(chanceOf('drain', null), null)
})

test('what is bad and what is good have their colours the other way round', () => {
  const at = (question: 'drain' | 'buyer', p: number) => chanceOf(question, { ...drain, p, own_p: p })!.rating
  assert.deepEqual(
    [0.1, 0.3, 0.6].map((p) => at('drain', p)),
    ['green', 'yellow', 'red'],
  )
  assert.deepEqual(
    [0.1, 0.3, 0.6].map((p) => at('buyer', p)),
    ['red', 'yellow', 'green'],
  )
})

test('after an exit it says that it is held back', () => {
  assert.match(chanceOf('drain', { ...drain, after_exit: true, own_p: 0.1 })!.counted, /held since its people sold/)
})
