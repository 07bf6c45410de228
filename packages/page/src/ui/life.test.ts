import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AppLife } from '@ti/core/contract/app.ts'
import { across, down, fateOf, heightAt, LIFE, lifeInWords, lineOf } from './life.ts'

const LIVED: AppLife = {
  ...{ mint: 'M', symbol: 'A', name: '', colour: 'red', state: 'rugged', launched_at: null },
  ...{ age_s: 3_600, mcap: 4_000, peak: { mcap: 63_000, s: 40 }, graduated_s: 22, drained_s: 180 },
}

test('places are the same time and the same market cap in every drawing', () => {
  for (const s of [0, 1, 60, 3_600, 86_400, 1e9]) assert.ok(across(s) >= 0 && across(s) <= LIFE.width, String(s))
  assert.ok(across(60) > across(59) && across(3_600) > across(600))
  assert.equal(across(1e9), across(86_400))
  assert.ok(down(100_000) < down(10_000))
  assert.equal(down(0), down(3_000))
})

test('a line goes from the launch over the peak and the fall to now', () => {
  const line = lineOf(LIVED)
  assert.equal(line.length, 4)
  assert.deepEqual(
    line.map(([x]) => x),
    [0, 40, 180, 3_600].map(across),
  )
  assert.equal(heightAt(line, across(40)), down(63_000))
  const climbing = heightAt(line, across(22))
  assert.ok(climbing < down(3_000) && climbing > down(63_000))
  assert.equal(lineOf({ ...LIVED, peak: null, drained_s: null }).length, 2)
})

test('what became of it, in words', () => {
  assert.equal(fateOf(LIVED), 'graduated after 22 s, rugged after 3 min')
  assert.equal(fateOf({ state: 'dead', graduated_s: null, drained_s: null }), 'no longer trading')
  assert.equal(lifeInWords(LIVED), 'peaked at $63k after 40 s, graduated after 22 s, rugged after 3 min')
})
