import assert from 'node:assert/strict'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { EXIT, OperatorError } from './errors.ts'
import { systemError } from './system-error.ts'

const thrownBy = (work: () => unknown): unknown => {
  try {
    work()
  } catch (error) {
    return error
  }
  return assert.fail('nothing was thrown')
}

test('what the system refuses is said with the path, the call and what to do', () => {
  const below = join(import.meta.filename, 'data')
  const found = systemError(thrownBy(() => mkdirSync(below)))
  assert.equal(found?.message, `${below} cannot be used (mkdir: ENOTDIR): a part of the path is not a directory`)
  const readOnly = Object.assign(new Error('EROFS'), { code: 'EROFS', syscall: 'mkdir', path: '/mnt/x' })
  assert.match(systemError(new Error('wrapped', { cause: readOnly }))!.message, /^\/mnt\/x .*EROFS.*read-only/)
  const noPath = Object.assign(new Error('ENOSPC'), { code: 'ENOSPC', syscall: 'write' })
  assert.match(systemError(noPath)!.message, /^the data directory .*full/)
})

test('a damaged database is a bad file', () => {
  const found = systemError(Object.assign(new Error('page'), { name: 'Damage' }))
  assert.deepEqual([found?.exitCode, found?.message], [EXIT.badFile, 'the embedded database is damaged: page'])
})

test('an error of ours that lies beneath is said in its own words', () => {
  const own = new OperatorError('choose another', { exitCode: 3 })
  assert.equal(systemError(new Error('wrapped', { cause: own })), own)
})

test('a fault of the program keeps its stack', () => {
  for (const error of [new TypeError('x'), Object.assign(new Error('x'), { code: 'ERR_ASSERTION' }), null, 'EROFS'])
    assert.equal(systemError(error), null)
  // a code of the system without a call is somebody's label
  assert.equal(systemError(Object.assign(new Error('x'), { code: 'EROFS' })), null)
  assert.ok(systemError(thrownBy(() => readFileSync('/no/such/file'))) instanceof OperatorError)
})
