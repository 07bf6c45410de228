import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createFakeClock, createFakeLogger, type FakeClock, settled } from '../../../../test/support/observe-scene.ts'
import { type AskerOptions, createAsker, type Outcome, ROUND_MS } from './asker.ts'
import { createAttempts } from './attempts.ts'

const PAUSE = { firstMs: 1_000, factor: 2, longestMs: 8_000 }

interface Scene {
  readonly clock: FakeClock
  subjects: string[]
  readonly looks: { readonly id: string; readonly at: number }[]
  outcome: (id: string) => Outcome | Promise<Outcome>
}

function scene(more: Partial<AskerOptions<string>> = {}) {
  const clock = createFakeClock()
  const given: Scene = { clock, subjects: [], looks: [], outcome: () => ({ end: 'reported', as: 'reported' }) }
  const { logger, lines } = createFakeLogger()
  const asker = createAsker<string>({
    name: 'test',
    list: (limit) => given.subjects.slice(0, limit),
    subject: (id) => id,
    async look(id) {
      given.looks.push({ id, at: clock.ms() })
      return given.outcome(id)
    },
    together: 2,
    pauses: { failed: PAUSE },
    failuresMax: 4,
    logger,
    around: { clock, random: () => 1 },
    ...more,
  })
  return { given, clock, asker, lines }
}

test('takes as many as there is room for, in the order of the world, each once', async () => {
  const { given, clock, asker } = scene()
  given.subjects = ['a', 'b', 'a', 'c', 'd', 'e']
  const release: (() => void)[] = []
  given.outcome = () => new Promise((done) => release.push(() => done({ end: 'reported', as: 'reported' })))
  asker.start()
  assert.deepEqual(
    given.looks.map(({ id }) => id),
    ['a', 'b'],
  )
  assert.equal(asker.status().inFlight, 2)
  assert.equal(asker.status().waiting, 3)
  await clock.pass(5_000)
  assert.equal(given.looks.length, 2)
  release[0]!()
  await settled()
  await clock.pass(ROUND_MS)
  assert.deepEqual(
    given.looks.map(({ id }) => id),
    ['a', 'b', 'c'],
  )
  for (const one of release) one()
  await asker.close()
})

test('failures rest longer and longer, and after a bounded number the subject stays unknown', async () => {
  const { given, clock, asker } = scene()
  given.subjects = ['a']
  given.outcome = () => ({ end: 'failed', as: 'timeout' })
  asker.start()
  await clock.pass(3_600_000)
  const pauses = given.looks.slice(1).map(({ at }, i) => at - given.looks[i]!.at)
  assert.equal(given.looks.length, 4)
  for (const [i, expected] of [1_000, 2_000, 4_000].entries()) {
    assert.ok(pauses[i]! >= expected && pauses[i]! <= expected + ROUND_MS, `pause ${i}: ${pauses[i]}`)
  }
  assert.deepEqual(
    [...asker.status().counts],
    [
      ['timeout', 4],
      ['given_up', 1],
    ],
  )
  await asker.close()
})

test('a good answer ends a row of failures', async () => {
  const { given, clock, asker } = scene()
  given.subjects = ['a']
  let look = 0
  given.outcome = () => (look++ % 3 === 2 ? { end: 'notYet', as: 'not_yet' } : { end: 'failed', as: 'timeout' })
  asker.start()
  await clock.pass(600_000)
  assert.equal(asker.status().counts.get('given_up'), undefined)
  assert.ok(look > 20, `${look} looks`)
  await asker.close()
})

test('what was reported is left alone, and asked for again when the world never learns of it', async () => {
  const { given, clock, asker } = scene()
  given.subjects = ['a']
  asker.start()
  await clock.pass(119_000)
  assert.equal(given.looks.length, 1)
  await clock.pass(3_000)
  assert.equal(given.looks.length, 2)
  await asker.close()
})

test('those at the top who rest do not hide those below', async () => {
  const { given, clock, asker } = scene({ together: 1 })
  given.subjects = Array.from({ length: 1_000 }, (_, i) => `s${i}`)
  given.outcome = () => ({ end: 'never', as: 'unsupported' })
  asker.start()
  await clock.pass(1_000 * ROUND_MS)
  assert.equal(new Set(given.looks.map(({ id }) => id)).size, 1_000)
  assert.equal(given.looks.length, 1_000)
  await asker.close()
})

test('a fair one gives every second look to who waits for another', async () => {
  const { given, clock, asker } = scene({ together: 1, fair: true, pauses: { failed: PAUSE, notYet: PAUSE } })
  let newest = 0
  given.outcome = () => ({ end: 'notYet', as: 'not_yet' })
  given.subjects = ['old']
  asker.start()
  for (let round = 0; round < 400; round++) {
    // a newcomer for every round there is
    given.subjects.unshift(`new${newest++}`)
    await clock.pass(ROUND_MS)
  }
  const looks = given.looks.filter(({ id }) => id === 'old').length
  assert.ok(looks >= 2, `${looks} looks at the one that was there first`)
  const first = new Set(given.looks.map(({ id }) => id)).size
  assert.ok(first > 150, `${first} newcomers were looked at too`)
  await asker.close()
})

test('closing ends what is in flight, and nothing is counted after it', async () => {
  let aborted = 0
  const { given, clock, asker } = scene({
    look: (id, signal) =>
      new Promise((done) => {
        given.looks.push({ id, at: 0 })
        signal.addEventListener('abort', () => {
          aborted++
          done({ end: 'failed', as: 'closed' })
        })
      }),
  })
  given.subjects = ['a', 'b', 'c']
  asker.start()
  await asker.close()
  assert.equal(aborted, 2)
  await clock.pass(60_000)
  assert.equal(given.looks.length, 2)
  assert.deepEqual([...asker.status().counts], [])
})

test('a world or a look that throws costs a round, not the observer', async () => {
  const { given, clock, asker, lines } = scene()
  let broken = true
  const twice = createAsker<string>({
    name: 'twice',
    list: () => {
      if (broken) throw new Error('the world is not there')
      return ['a']
    },
    subject: (id) => id,
    look: async () => Promise.reject(new Error('a fault')),
    together: 1,
    pauses: { failed: PAUSE },
    failuresMax: 2,
    logger: createFakeLogger().logger,
    around: { clock, random: () => 1 },
  })
  twice.start()
  await clock.pass(1_000)
  broken = false
  await clock.pass(30_000)
  assert.equal(twice.status().counts.get('round_failed')! >= 2, true)
  assert.equal(twice.status().counts.get('fault'), 2)
  assert.equal(twice.status().counts.get('given_up'), 1)
  await twice.close()
  await asker.close()
  assert.deepEqual([given.looks.length, lines.length], [0, 0])
})

test('memory of attempts is bounded, and pauses are spread', () => {
  const clock = createFakeClock()
  let chance = 0
  const attempts = createAttempts(3, { clock, random: () => chance })
  for (const id of ['a', 'b', 'c', 'd']) attempts.giveUp(id)
  assert.equal(attempts.size, 3)
  assert.equal(attempts.dueSince('a'), -Infinity, 'forgotten: it would be looked at too early')
  assert.equal(attempts.dueSince('d'), null)
  const ends = [0, 0.5, 0.999].map((random, i) => {
    chance = random
    attempts.fail(`f${i}`, { firstMs: 1_000, factor: 2, longestMs: 10_000 })
    let ms = 0
    while (attempts.dueSince(`f${i}`) === null) {
      void clock.pass(1)
      ms++
    }
    return ms
  })
  assert.deepEqual(ends, [500, 750, 1_000])
})
