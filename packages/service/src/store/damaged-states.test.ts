import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { emptyDir } from '../../../../test/support/store-scene.ts'
import { EXIT, OperatorError } from '../base/errors.ts'
import {
  DAMAGED_STATES_KEPT,
  damagedStates,
  lastSetAside,
  STATE_REPAIR_WINDOW_MS,
  setStateAside,
} from './damaged-states.ts'
import { stateDir, stateFile } from './open.ts'

const NOW = Date.UTC(2026, 1, 3, 4, 5, 6, 7)

function damage(dir: string, word: string): void {
  mkdirSync(stateDir(dir))
  writeFileSync(stateFile(dir), word)
}

test('a damaged state is moved away as it is, and only the newest few are kept', (t) => {
  const dir = emptyDir(t)
  assert.equal(lastSetAside(dir), 0)
  for (let i = 0; i < 4; i++) {
    damage(dir, `state ${i}`)
    const at = NOW + i * STATE_REPAIR_WINDOW_MS
    const aside = setStateAside(dir, 'why', at)
    assert.equal(lastSetAside(dir), at)
    assert.equal(readFileSync(join(aside, 'state.db'), 'utf8'), `state ${i}`)
    assert.throws(() => readFileSync(stateFile(dir)), /ENOENT/)
  }
  assert.deepEqual(
    damagedStates(dir).map((name) => readFileSync(join(dir, name, 'state.db'), 'utf8')),
    ['state 2', 'state 3'],
  )
})

test('the third repair within an hour is refused with what to do, and changes nothing', (t) => {
  const dir = emptyDir(t)
  for (const at of [NOW, NOW]) {
    damage(dir, 'broken')
    setStateAside(dir, 'why', at)
  }
  assert.equal(damagedStates(dir).length, 2, 'two within one millisecond are two')
  damage(dir, 'the third')
  for (const at of [NOW, NOW + STATE_REPAIR_WINDOW_MS - 1]) {
    assert.throws(
      () => setStateAside(dir, 'a row is missing', at),
      (error) =>
        error instanceof OperatorError &&
        error.exitCode === EXIT.badFile &&
        /3 times within an hour \(a row is missing\).*Move DATA_DIR/.test(error.message),
    )
  }
  assert.equal(readFileSync(stateFile(dir), 'utf8'), 'the third')
  setStateAside(dir, 'why', NOW + STATE_REPAIR_WINDOW_MS)
  assert.equal(damagedStates(dir).length, DAMAGED_STATES_KEPT)
})
