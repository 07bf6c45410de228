import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BLOCK_TRANSACTIONS, createHistory, type Landed, TRANSACTIONS_KEPT } from './history.ts'
import { BLOCKHASH_SLOTS, createSlots } from './slots.ts'

test('time brings slots; a blockhash lives 150 of them, also when nobody looked for a long time', () => {
  let now = Date.UTC(2026, 5, 1)
  const slots = createSlots(400, () => now)
  const { slot, blockhash, lastValidBlockHeight } = slots
  now += 399
  slots.catchUp()
  assert.deepEqual([slots.slot, slots.blockhash], [slot, blockhash])
  now += 1
  slots.catchUp()
  assert.equal(slots.slot, slot + 1)
  assert.notEqual(slots.blockhash, blockhash)
  now += 149 * 400
  slots.catchUp()
  assert.equal(slots.blockHeight, lastValidBlockHeight)
  assert.ok(slots.isValid(blockhash))
  now += 400
  slots.catchUp()
  assert.ok(!slots.isValid(blockhash))
  const later = slots.blockhash
  now += 1_000_000 * 400
  slots.catchUp()
  assert.equal(slots.slot, slot + 1_000_151)
  assert.ok(!slots.isValid(later))
  assert.ok(slots.isValid(slots.blockhash))
  now -= 10_000
  slots.catchUp()
  assert.equal(slots.slot, slot + 1_000_151, 'a clock set back moves nothing')
})

test('slots go on rising over a restart', () => {
  const day = Date.UTC(2026, 5, 1)
  assert.ok(createSlots(400, () => day + 1_000).slot > createSlots(400, () => day).slot)
})

test('history forgets the oldest, everywhere, and only what no living blockhash could bring back', () => {
  assert.ok(TRANSACTIONS_KEPT > BLOCK_TRANSACTIONS * (BLOCKHASH_SLOTS + 1))
  const history = createHistory(3)
  const landed = (n: number): Landed =>
    ({ decoded: { signature: `s${n}`, hash: `h${n}`, keys: ['payer', `k${n}`] } }) as unknown as Landed
  const all = [0, 1, 2, 3, 4].map(landed)
  for (const one of all) history.add(one)
  assert.deepEqual(history.ofAddress('payer'), all.slice(2))
  assert.deepEqual([...history.all()], all.slice(2))
  assert.deepEqual(history.ofAddress('k1'), [])
  assert.equal(history.bySignature('s1'), undefined)
  assert.ok(!history.has(all[1]!.decoded))
  assert.ok(history.has({ ...all[4]!.decoded, signature: 'another' }))
})
