import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { createInFlight } from '../../base/in-flight.ts'
import { createLogger } from '../../base/log.ts'
import { PAYMENTS_IN_FLIGHT, paymentBounds } from './in-flight.ts'
import { readKeypair, signerOf } from './keypair.ts'
import { quietly } from './sdk-console.ts'

test('a keypair is read from text or file, and no error repeats any of it', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'keypair-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const secret = Array.from({ length: 64 }, (_, i) => i + 100)
  const path = join(folder, 'id.json')
  writeFileSync(path, JSON.stringify(secret), { mode: 0o600 })
  assert.deepEqual([...readKeypair(path)], secret)
  assert.deepEqual([...readKeypair(` ${JSON.stringify(secret)}`)], secret)
  const hidden = (error: Error): boolean => /FEE_PAYER_KEYPAIR/.test(error.message) && !/1\d\d,/.test(error.message)
  assert.throws(() => readKeypair(JSON.stringify(secret.slice(1))), hidden)
  assert.throws(() => readKeypair('[100, 101, 300]'), hidden)
  assert.throws(() => readKeypair(join(folder, 'absent')), /ENOENT/)
  for (const mode of [0o640, 0o604, 0o602, 0o666]) {
    chmodSync(path, mode)
    assert.throws(() => readKeypair(path), /not this user's alone: .*chmod go= /)
  }
  await assert.rejects(signerOf(Uint8Array.from(secret)), /does not belong/)
})

test('what the packages print goes to the logger without messages of errors, and nobody else’s prints change', async () => {
  const lines: string[] = []
  const logger = createLogger('debug', { write: (line: string) => lines.push(line) })
  const printed: unknown[][] = []
  const before = console.error
  console.error = (...given) => printed.push(given)
  try {
    await quietly(logger, async () => {
      await Promise.resolve()
      console.error('Failed to send transaction:', new TypeError('secret bytes'))
    })
    console.error('somebody else')
  } finally {
    console.error = before
  }
  assert.deepEqual(printed, [['somebody else']])
  assert.equal(lines.length, 1)
  assert.match(lines[0]!, /Failed to send transaction: TypeError/)
  assert.ok(!lines[0]!.includes('secret'))
})

test('places in flight are bounded by payer, by address and in all', () => {
  const inFlight = createInFlight()
  const take = (n: number, payer: (i: number) => string, address: (i: number) => string, isStranger = false) =>
    Array.from({ length: n }, (_, i) => inFlight.enter(paymentBounds(payer(i), address(i), isStranger))).filter(
      (place) => place.ok,
    )
  const one = take(PAYMENTS_IN_FLIGHT.payer + 5, () => 'payer', String)
  assert.equal(one.length, PAYMENTS_IN_FLIGHT.payer)
  for (const place of one) place.leave()
  const near = take(PAYMENTS_IN_FLIGHT.address + 5, String, () => 'address')
  assert.equal(near.length, PAYMENTS_IN_FLIGHT.address)
  for (const place of near) place.leave()
  const all = take(PAYMENTS_IN_FLIGHT.all + 5, String, String)
  assert.equal(all.length, PAYMENTS_IN_FLIGHT.all)
  for (const place of all) place.leave()
  assert.equal(take(PAYMENTS_IN_FLIGHT.all, String, String, true).length, PAYMENTS_IN_FLIGHT.strangers)
  assert.equal(take(1, () => 'known', String).length, 1)
})
