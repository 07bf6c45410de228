import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FURTHER_EXAMPLES } from '@ti/core/contract/examples-who.ts'
import type { Who } from '@ti/core/contract/who.ts'
import { chanceOf } from './verdict-words.ts'

const { outlook } = FURTHER_EXAMPLES.who.data as Who
const drain = { ...outlook.drain!, p: 0.54, n: 214, hits: 116 }

test('a chance says on how many it rests', () => {
  assert.deepEqual(chanceOf('drain', drain), {
    text: '54%',
    counted: '116 of the latest 214 like it',
    rating: 'red',
  })
  assert.deepEqual(chanceOf('drain', { ...drain, p: null, n: 7, hits: 7 }), {
    text: 'learning',
    counted: '7 of 20 like it counted',
    rating: 'neutral',
  })
  assert.equal(chanceOf('drain', null), null)
})

test('what is bad and what is good have their colours the other way round', () => {
  const at = (question: 'drain' | 'buyer', p: number) => chanceOf(question, { ...drain, p })!.rating
  assert.deepEqual(
    [0.1, 0.3, 0.6].map((p) => at('drain', p)),
    ['green', 'yellow', 'red'],
  )
  assert.deepEqual(
    [0.1, 0.3, 0.6].map((p) => at('buyer', p)),
    ['red', 'yellow', 'green'],
  )
})
