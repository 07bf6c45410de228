import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Refusal } from '../../api/refusal.ts'
import type { Watch } from '../../watch/watch.ts'
import { changeOf, type Draft, draftOf, EMPTY, problemOf, read } from './watch-form.ts'

const WALLET = 'FxtVmSj9eHyxxvnnMJ6TUgfcM7iRrZuWDtHAjvqDEw4Z'
const refusal = (message: string, status = 400): Refusal => ({ status, error: { code: 'bad_request', message } })
const draft = (some: Partial<Draft>): Draft => ({ ...EMPTY, ...some })

test('what is typed becomes a watch, with a name of its own where none is given', () => {
  assert.deepEqual(read(draft({ kind: 'wallet', target: ` ${WALLET} `, minSol: '0,5' })), {
    asked: { kind: 'wallet', target: WALLET, name: 'FxtV…Ew4Z', min_sol: 0.5 },
  })
  assert.deepEqual(read(draft({ target: 'score >= 6', name: ' good ', minSol: '3' })), {
    asked: { kind: 'condition', target: 'score >= 6', name: 'good' },
  })
  assert.deepEqual(read(draft({ target: 'score >= 6' })), {
    asked: { kind: 'condition', target: 'score >= 6', name: 'score >= 6' },
  })
})

test('what is missing or no number is said at its place', () => {
  const field = (some: Partial<Draft>) => {
    const found = read(draft(some))
    return 'problem' in found ? found.problem.field : null
  }
  assert.equal(field({ target: '  ' }), 'target')
  assert.equal(field({ kind: 'wallet', target: WALLET, minSol: 'much' }), 'min_sol')
  assert.equal(field({ kind: 'wallet', target: WALLET, minSol: '.' }), 'min_sol')
  assert.equal(field({ kind: 'wallet', target: WALLET, minSol: '1e99' }), 'min_sol')
  assert.equal(field({ kind: 'wallet', target: WALLET, minSol: '' }), null)
})

test('a refusal of the filter stands at the filter, and points at the character', () => {
  const typed = draft({ target: '  score > "x"' })
  assert.deepEqual(problemOf(refusal('target: at character 9: expected a number for `score`'), typed), {
    field: 'target',
    text: 'At character 9: expected a number for score.',
    at: 10,
  })
  assert.equal(problemOf(refusal('name: Too small'), typed).field, 'name')
  const full = problemOf(refusal('an account may have 10 watches on the free plan: delete one first'), typed)
  assert.deepEqual([full.field, full.at], [null, null])
  assert.equal(problemOf(refusal('target: whatever', 503), typed).field, null)
})

test('only what was edited of a watch is sent', () => {
  const watch: Watch = {
    ...{ id: 'watch_1', kind: 'wallet', target: WALLET, name: 'Frank', min_sol: 0.0000005, paused: false },
    ...{ state: 'watching', created_at: '2026-11-24T20:00:00.000000Z' },
  }
  const edited = (some: Partial<Draft>, of = watch) => {
    const found = read({ ...draftOf(of), ...some })
    return 'asked' in found ? changeOf(of, found.asked) : found.problem
  }
  assert.equal(draftOf(watch).minSol, '0.0000005')
  assert.equal(edited({}), null)
  assert.deepEqual(edited({ minSol: '2.5' }), { min_sol: 2.5 })
  assert.deepEqual(edited({ minSol: '' }), { min_sol: 0 })
  assert.deepEqual(edited({ name: 'Frances' }), { name: 'Frances' })
  const condition: Watch = { ...watch, kind: 'condition', target: 'score >= 6', min_sol: 0 }
  assert.deepEqual(edited({ target: 'score >= 7 ' }, condition), { target: 'score >= 7' })
  const unnamed = { ...condition, name: 'score >= 6' }
  assert.deepEqual(edited({}, unnamed), null)
  assert.deepEqual(edited({ target: 'score >= 7' }, unnamed), { name: 'score >= 7', target: 'score >= 7' })
})
