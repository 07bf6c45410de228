import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../../../../test/support/property.ts'
import { rateLimitMessage } from '../refusals.ts'
import { createMemoryWindows, takeFrom, WINDOW_MS, WINDOW_SUBJECTS, type Window, type Windows } from './windows.ts'

function clock() {
  let ms = 1_000_000
  return {
    now: () => ms,
    pass(by: number) {
      ms += by
    },
  }
}

test('exactly the limit passes; the window begins with the first call and then starts anew', () => {
  const { now, pass } = clock()
  const windows = createMemoryWindows(now)
  for (const limit of [600, 60, 5]) {
    const subject = `of ${limit}`
    for (let i = 1; i <= limit; i++) {
      assert.deepEqual(windows.take(subject, limit), { allowed: true, limit, remaining: limit - i, resetS: 60 })
    }
    assert.deepEqual(windows.take(subject, limit), { allowed: false, limit, remaining: 0, resetS: 60 })
  }
  pass(WINDOW_MS - 1)
  assert.deepEqual(windows.take('of 5', 5), { allowed: false, limit: 5, remaining: 0, resetS: 1 })
  pass(1)
  assert.deepEqual(windows.take('of 5', 5), { allowed: true, limit: 5, remaining: 4, resetS: 60 })
})

test('looking counts nothing', () => {
  const windows = createMemoryWindows(clock().now)
  windows.take('a', 2)
  for (let i = 0; i < 5; i++) assert.equal(windows.take('a', 2, 0).remaining, 1)
})

test('many more addresses than windows: memory is bounded, nobody gets more than the limit, known subjects keep their own', () => {
  const { now, pass } = clock()
  const windows = createMemoryWindows(now)
  for (let i = 0; i < 4; i++) windows.take('key:mine', 5)
  for (let i = 0; i < 4 * WINDOW_SUBJECTS; i++) windows.take(`unpaid:${i}`, 60)
  assert.ok(windows.size <= 2 * WINDOW_SUBJECTS, `${windows.size} windows`)
  assert.equal(windows.take('key:mine', 5).remaining, 0)
  assert.equal(windows.take('key:mine', 5).allowed, false)
  let allowed = 0
  for (let i = 0; i < 200; i++) if (windows.take('unpaid:latecomer', 60).allowed) allowed++
  assert.ok(allowed <= 60, `${allowed} of 200`)
  pass(2 * WINDOW_MS)
  assert.equal(windows.take('unpaid:next', 60).allowed, true)
  assert.equal(windows.size, 1, 'windows that are over are dropped')
})

test('any history of calls: as a list of call times says', () => {
  const call = fc.record({ subject: fc.constantFrom('a', 'b', 'c'), pass: fc.integer({ min: 0, max: 45_000 }) })
  fc.assert(
    fc.property(fc.array(call, { maxLength: 200, size: 'max' }), fc.integer({ min: 1, max: 4 }), (calls, limit) => {
      const { now, pass } = clock()
      const windows = createMemoryWindows(now)
      const began = new Map<string, { start: number; count: number }>()
      for (const { subject, pass: by } of calls) {
        pass(by)
        const known = began.get(subject)
        const open = known !== undefined && now() < known.start + WINDOW_MS
        const window = open ? known : { start: now(), count: 0 }
        began.set(subject, window)
        window.count++
        assert.deepEqual(windows.take(subject, limit), {
          allowed: window.count <= limit,
          limit,
          remaining: Math.max(0, limit - window.count),
          resetS: Math.ceil((window.start + WINDOW_MS - now()) / 1000),
        })
      }
    }),
  )
})

test('several calls at once that one window refuses use up none, in memory and elsewhere', async () => {
  const memory = createMemoryWindows(clock().now)
  const elsewhere: Windows = { take: async (...given) => memory.take(...given) }
  for (const [i, windows] of [memory, elsewhere].entries()) {
    const places = [
      { subject: `account ${i}`, most: 5 },
      { subject: `address ${i}`, most: 8 },
    ]
    const take = async (calls: number): Promise<Window> => takeFrom(windows, places, calls)
    const left = async () => places.map(({ subject, most }) => memory.take(subject, most, 0).remaining)
    assert.equal((await take(3)).remaining, 2)
    const over = await take(6)
    assert.deepEqual([over.allowed, over.asked, over.remaining, await left()], [false, 6, 2, [2, 5]])
    assert.match(rateLimitMessage(over), /counts as 6 calls.*more than 5 a minute are not allowed here: ask for fewer/)
    memory.take(`address ${i}`, 8, 4)
    const second = await take(2)
    assert.deepEqual([second.allowed, second.limit, await left()], [false, 8, [2, 1]])
    assert.match(rateLimitMessage(second), /counts as 2 calls.*1 of 8 a minute are left; the window resets in 60 s/)
    assert.equal((await take(1)).allowed, true)
  }
})
