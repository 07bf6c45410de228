import assert from 'node:assert/strict'
import { test } from 'node:test'
import { examplesOf, readPage } from './page.ts'
import { play } from './play.ts'
import { readScript } from './script.ts'

const EXAMPLES = examplesOf(readPage())

test('the page has ten worked examples', () => {
  assert.equal(EXAMPLES.length, 10)
})

for (const [n, { script, told }] of EXAMPLES.entries()) {
  test(`worked example ${n + 1} of docs/examples.md comes out as the page says`, () => {
    assert.equal(`${play(script)}\n`, told)
  })
}

test('a line that is not understood is quoted', () => {
  assert.throws(() => readScript('3 A buys everything'), /not understood: 3 A buys everything/)
  assert.throws(() => readScript('3 A sells'), /not understood/)
})
