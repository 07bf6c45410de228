import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Answer } from './envelope.ts'
import { createOperations, noArguments } from './operations.ts'
import type { Found, Reads } from './reads.ts'

const MINT = 'So11111111111111111111111111111111111111112'

/** Reads that count, and answer when the test says so. */
function setUp(isLate = true) {
  let seq = 1
  const asked: string[] = []
  const open: ((found: Found | null | Error) => void)[] = []
  const found = (text: string): Found => ({
    data: { bytes: Buffer.from(JSON.stringify({ text })), renderedAt: 'then', slot: 100 + seq },
    summary: null,
    page: '',
  })
  const reads: Reads = {
    newest: () => ({ seq, slot: 100 + seq }),
    tracked: () => 1,
    find(id, { mint }) {
      asked.push(`${id} ${mint}`)
      if (!isLate) return found(`${seq}`)
      return new Promise((resolve, reject) => open.push((one) => (one instanceof Error ? reject(one) : resolve(one))))
    },
  }
  const operations = createOperations(reads)
  const operation = (id: string) => operations.find(({ endpoint }) => endpoint.id === id)!
  return {
    asked,
    found,
    answer: (one: Found | null | Error) => open.shift()!(one),
    commit: () => void seq++,
    operation,
    run: (min_slot = -1) =>
      operation('snapshot').run({ ...noArguments(), mint: MINT, min_slot }, 'req') as
        | Answer
        | null
        | Promise<Answer | null>,
  }
}

test('equal requests wait together, and are answered at once until the next entry', async () => {
  const { asked, found, answer, commit, run } = setUp()
  const two = [run(), run()]
  answer(found('a'))
  const [one, other] = await Promise.all(two)
  assert.equal(one!.body, other!.body)
  assert.equal(asked.length, 1)
  assert.ok(!(run() instanceof Promise))
  commit()
  assert.ok(run() instanceof Promise)
  assert.equal(asked.length, 2)
})

test('an answer that arrives after a commit is that commit’s, and is not kept for a later one', async () => {
  const { found, answer, commit, run } = setUp()
  const late = run()
  commit()
  answer(found('a'))
  assert.match((await late)!.body, /"a"/)
  assert.ok(run() instanceof Promise, 'the cache began anew')
})

test('a failure is told to all who wait, and the next request asks again', async () => {
  const { asked, found, answer, run } = setUp()
  const both = [run(), run()]
  answer(new Error('busy'))
  for (const one of both) await assert.rejects(async () => one, /busy/)
  const again = run()
  answer(found('b'))
  assert.match((await again)!.body, /"b"/)
  assert.equal(asked.length, 2)
})

test('what is not found is remembered until the next entry too', async () => {
  const { asked, answer, run } = setUp()
  const none = run()
  answer(null)
  assert.equal(await none, null)
  assert.equal(run(), null)
  assert.equal(asked.length, 1)
})

test('an answer can be asked for again by its slot, whole or in part', async () => {
  const { commit, run, operation } = setUp(false)
  run()
  for (let i = 0; i < 3; i++) commit()
  const args = noArguments()
  assert.equal(operation('snapshot').parse(MINT, { at_slot: '101' }, args), null)
  assert.match(JSON.parse(((await operation('snapshot').run(args, 'req')) as Answer).body).data.text, /^1$/)
  assert.match(
    operation('snapshot').parse(MINT, { at_slot: '102' }, noArguments())!,
    /the earliest answer kept is of slot 101/,
  )
})

test('an answer is of the slot asked for or a later one, or it is told which slot was reached', async () => {
  const { answer, found, commit, run } = setUp()
  const waiting = [run(101), run(102)]
  answer(found('a'))
  const [one, other] = await Promise.all(waiting)
  assert.equal(one?.slot, 101)
  assert.deepEqual(other, { behind: 101 })
  assert.deepEqual([(run(101) as Answer).slot, run(102)], [101, { behind: 101 }], 'from what is kept, too')
  commit()
  const late = run(102)
  answer(found('b'))
  assert.equal((await late)?.slot, 102)
})

test('what is not found before the slot asked for may be found after it', async () => {
  const { answer, commit, run } = setUp()
  const none = run(102)
  answer(null)
  assert.deepEqual(await none, { behind: 101 })
  commit()
  const still = run(102)
  answer(null)
  assert.equal(await still, null)
})

test('a past slot before the one that was read is refused', () => {
  const { operation } = setUp()
  assert.equal(
    operation('who').parse(MINT, { at_slot: '7', min_slot: '8' }, noArguments()),
    'at_slot 7 is before min_slot 8',
  )
  assert.equal(operation('who').parse(MINT, { min_slot: 'x' }, noArguments()), 'min_slot must be an integer, not "x"')
})
