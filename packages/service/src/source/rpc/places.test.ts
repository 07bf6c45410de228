import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Sig } from '@ti/core/base/ids.ts'
import { rawTx } from '../../../../../test/support/encode.ts'
import { placed } from './places.ts'

const tx = (name: string, index: number) => rawTx({ signature: name.repeat(64) as Sig, index })
const reported = (...list: ReturnType<typeof tx>[]) => placed(list).map(({ signature, index }) => [signature[0], index])

test('places count where all are told and differ; else the order they came in is all that is known', () => {
  assert.deepEqual(reported(tx('a', 9), tx('b', 2)), [
    ['b', 2],
    ['a', 9],
  ])
  for (const second of [-1, 9])
    assert.deepEqual(reported(tx('a', 9), tx('b', second)), [
      ['a', -1],
      ['b', -1],
    ])
  assert.deepEqual(reported(), [])
})
