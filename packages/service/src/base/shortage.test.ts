import assert from 'node:assert/strict'
import { closeSync, fstatSync, openSync, statSync } from 'node:fs'
import { devNull } from 'node:os'
import { test } from 'node:test'
import { descriptorLimit, probeDescriptors } from './descriptors.ts'
import { OperatorError } from './errors.ts'
import { isShortage } from './shortage.ts'

const coded = (code: string): Error => Object.assign(new Error(code), { code })

test('a lack of the system is known by its code, however deep it is wrapped', () => {
  for (const code of ['EMFILE', 'ENOSPC', 'EROFS', 'EIO', '53100', '53000', '58030']) {
    assert.equal(isShortage(coded(code)), true, code)
    assert.equal(isShortage(new OperatorError('the log cannot be written', { cause: coded(code) })), true, code)
  }
  // SQLITE_FULL, and SQLITE_IOERR_WRITE with its extension
  for (const errcode of [13, 778]) assert.equal(isShortage({ errcode }), true, String(errcode))
})

test('anything else is a fault of ours', () => {
  for (const error of [new Error('x'), coded('ENOENT'), coded('23505'), { errcode: 1 }, null, 'ENOSPC', undefined])
    assert.equal(isShortage(error), false, String(error))
  const ring: { cause?: unknown } = {}
  ring.cause = ring
  assert.equal(isShortage(ring), false)
})

test('the limit of descriptors is read as the system writes it', () => {
  const text =
    'Limit  Soft Limit  Hard Limit  Units\nMax processes   9  9  processes\nMax open files            1024                 4096                 files \n'
  assert.equal(
    descriptorLimit(() => text),
    1024,
  )
  assert.equal(
    descriptorLimit(() => text.replace('1024', 'unlimited')),
    null,
  )
  assert.equal(
    descriptorLimit(() => {
      throw coded('ENOENT')
    }),
    null,
  )
})

test('a probe takes no descriptor along', () => {
  const { rdev } = statSync(devNull)
  const isOfDevice = (descriptor: number): boolean => {
    try {
      return fstatSync(descriptor).rdev === rdev
    } catch {
      return false
    }
  }
  // of the device that is probed alone: threads of the process open and close other files meanwhile
  const open = (): number => Array.from({ length: 1024 }, (_, i) => i).filter(isOfDevice).length
  const before = open()
  for (let i = 0; i < 100; i++) probeDescriptors()
  assert.equal(open(), before)
  const kept = openSync(devNull, 'r')
  assert.equal(open(), before + 1, 'one that is kept is seen')
  closeSync(kept)
})
