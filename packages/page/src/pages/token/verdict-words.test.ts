import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FURTHER_EXAMPLES } from '@ti/core/contract/examples-who.ts'
import type { Who } from '@ti/core/contract/who.ts'
import { chanceOf } from './verdict-words.ts'

const { outlook, verdict } = FURTHER_EXAMPLES.who.data as Who
const asked = (p: number | null, n: number, hits: number) => ({
  outlook: { ...outlook, drain: { ...outlook.drain!, p, n, hits } },
  verdict: { ...verdict, reasons: [{ code: 'outlook_drain', colour: 'yellow', text: '', numbers: {} } as const] },
})

test('a chance says on how many it rests, in the colour of its reason', () => {
  assert.deepEqual(chanceOf('drain', asked(0.54, 214, 116)), {
    text: '54%',
    counted: '116 of the latest 214 like it',
    rating: 'yellow',
  })
  assert.deepEqual(chanceOf('drain', asked(null, 7, 7)), {
    text: 'learning',
    counted: '7 of 20 like it counted',
    rating: 'neutral',
  })
  assert.equal(chanceOf('drain', { outlook: { ...outlook, drain: null }, verdict }), null)
})

test('what is no reason of the verdict has no colour', () => {
  const buyer = { ...outlook.drain!, p: 0.1, n: 100, hits: 10 }
  assert.equal(chanceOf('buyer', { outlook: { ...outlook, buyer }, verdict })?.rating, 'neutral')
})
