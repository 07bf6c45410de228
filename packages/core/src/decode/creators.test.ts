import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  bytes,
  decode,
  hex,
  instruction,
  join,
  keyOf,
  pumpTx,
  selfCpi,
  text,
  u8,
  u16,
  u32,
  u64,
  WHO,
} from '../../../../test/support/encode.ts'
import { isOnCurve } from '../base/curve.ts'
import { candidates } from '../base/derived.ts'
import { type Key, ZERO_KEY } from '../base/ids.ts'
import { FEE_CHANGE } from '../model/events.ts'
import { PUMP, PUMP_FEES, PUMPSWAP } from '../model/programs.ts'
import type { RawTransaction } from '../model/raw.ts'

const TIME = u64(1_700_000_000)
const [old, next, authority] = [keyOf(20), keyOf(21), keyOf(22)]
const keysOf = (...keys: readonly Key[]): Buffer => join(...keys.map(bytes))

/** A transaction in which `program` emits the payloads. */
function emitted(program: Key, ...payloads: readonly Buffer[]): RawTransaction {
  const base = pumpTx([])
  const keys = [...base.keys]
  const outer = instruction(keys, program, [], hex('0011223344556677'))
  const instructions = payloads.map((payload) => instruction(keys, program, [], selfCpi(payload)))
  return { ...base, keys, instructions: [outer], inner: [{ outer: 0, instructions }] }
}

const PUMP_ROWS = [
  ['ed347b25f5fb48d2', [WHO.mint, WHO.curve, next], 'set_creator'],
  ['8ecb06207f69bfa2', [WHO.mint, WHO.curve, WHO.other, next], 'metadata'],
  ['9ba768dcd56cf303', [WHO.mint, WHO.curve, WHO.other, old, next], 'sharing'],
  ['6e7ce262aaff1178', [authority, WHO.mint, WHO.curve, old, next], 'takeover'],
] as const
const POOL_ROWS = [
  ['f2e7eb664163bdd3', [WHO.mint, WHO.pool, WHO.curve, next], 'set_creator'],
  ['966bc77b7ccf66e4', [WHO.mint, WHO.pool, WHO.other, next], 'metadata'],
  ['aadd52c793a5f72e', [WHO.mint, WHO.pool, WHO.other, old, next], 'sharing'],
  ['2f23a3f9969d937a', [WHO.mint, WHO.pool, old, next], 'takeover'],
  ['2ddc5d181961ac68', [authority, WHO.mint, WHO.pool, old, next], 'takeover'],
] as const

describe('changes of the creator', () => {
  for (const [program, rows, pool] of [
    [PUMP, PUMP_ROWS, null],
    [PUMPSWAP, POOL_ROWS, WHO.pool],
  ] as const)
    for (const [discriminator, keys, how] of rows)
      test(`${discriminator} is ${how}`, () => {
        // two flags and numbers end some of them
        const payload = join(hex(discriminator), TIME, keysOf(...keys), u8(0), u8(1), u64(30), u64(30))
        const { events } = decode(emitted(program, payload))
        assert.equal(events.length, 1)
        const { kind, mint, ...event } = events[0]!
        assert.deepEqual([kind, mint], ['creator', WHO.mint])
        assert.ok('how' in event && 'creator' in event)
        assert.deepEqual([event.how, event.creator, event.pool], [FEE_CHANGE[how], next, pool])
        const short = decode(emitted(program, payload.subarray(0, 16 + 32 * keys.length - 1)))
        assert.deepEqual([short.events.length, [...short.counts][0]![0].startsWith('too_short:')], [0, true])
      })

  test('a takeover may give the fees to the holders', () => {
    for (const [program, rows] of [
      [PUMP, PUMP_ROWS],
      [PUMPSWAP, POOL_ROWS],
    ] as const) {
      const [discriminator, keys] = rows[3]
      const [event] = decode(emitted(program, join(hex(discriminator), TIME, keysOf(...keys), u8(1)))).events
      assert.ok(event?.kind === 'creator' && event.how === FEE_CHANGE.holder_rewards)
    }
  })
})

const ownersOf = (list: readonly (readonly [Key, number])[]): Buffer =>
  join(u32(list.length), ...list.map(([owner, share]) => join(bytes(owner), u16(share))))
const OWNERS = [
  [next, 7_500],
  [authority, 2_500],
] as const

describe('owners of shared fees', () => {
  const created = (option: Buffer, owners: Buffer): Buffer =>
    join(hex('8569aac8b874fb58'), TIME, keysOf(WHO.mint, WHO.curve), option, keysOf(WHO.other, old), owners, u8(1))
  const updated = (owners: Buffer): Buffer =>
    join(hex('15bac4b85be4e1cb'), TIME, keysOf(WHO.mint, WHO.other, old), owners, u8(2))
  const reset = (before: Buffer, owners: Buffer): Buffer =>
    join(hex('cbcc97e27837d6f3'), TIME, keysOf(WHO.mint, WHO.other, old), before, bytes(next), owners, u8(1), u8(2))
  const list = ownersOf(OWNERS)

  test('are read from the creation of a configuration, its update and its reset', () => {
    for (const [payload, how] of [
      [created(u8(0), list), FEE_CHANGE.shares_set],
      [created(join(u8(1), bytes(WHO.pool)), list), FEE_CHANGE.shares_set],
      [updated(list), FEE_CHANGE.shares_updated],
      [reset(ownersOf([[old, 10_000]]), list), FEE_CHANGE.shares_reset],
    ] as const) {
      const { events, counts } = decode(emitted(PUMP_FEES, payload))
      assert.deepEqual([...counts], [])
      const [event] = events
      assert.ok(event?.kind === 'shares' && events.length === 1)
      assert.deepEqual([event.mint, event.how], [WHO.mint, how])
      assert.deepEqual([event.owners, event.shares], [OWNERS.map(([key]) => key), OWNERS.map(([, share]) => share)])
    }
  })

  test('are at most ten, and all there', () => {
    const many = ownersOf(Array.from({ length: 11 }, (_, n) => [keyOf(n), 900] as const))
    for (const payload of [
      updated(many),
      created(u8(0), many),
      created(u8(2), list),
      reset(many, list),
      reset(list, many),
      updated(list).subarray(0, -2),
    ]) {
      const { events, counts } = decode(emitted(PUMP_FEES, payload))
      assert.deepEqual([events.length, [...counts][0]![0].split(':')[0]], [0, 'guard'])
    }
  })
})

describe('the launcher', () => {
  const creation = (user: Key, creator: Key): Buffer =>
    join(hex('1b72a94ddeeb6376'), text('n'), text('s'), text('u'), keysOf(WHO.mint, WHO.curve, user, creator), TIME)
  const one = (user: Key, creator: Key) => {
    const [event] = decode(emitted(PUMP, creation(user, creator))).events
    assert.ok(event?.kind === 'create')
    return [event.user, event.creator, event.signed]
  }

  test('is who signed; the creator may be anybody', () => {
    assert.deepEqual(one(old, next), [old, next, false])
    assert.deepEqual(one(old, old), [old, old, true])
    // the payer of the network fee signs every transaction
    assert.deepEqual(one(old, WHO.user), [old, WHO.user, true])
  })

  test('is unknown if a program signed', () => {
    const [derived] = [...candidates('vault', PUMP)].filter((address) => !isOnCurve(address))
    assert.deepEqual(one(derived!, next), [ZERO_KEY, next, false])
  })
})
