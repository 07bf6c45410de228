import assert from 'node:assert/strict'
import { test } from 'node:test'
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
    run: (id = 'snapshot') => operation(id).run({ ...noArguments(), mint: MINT }, 'req'),
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
  assert.match(JSON.parse((await operation('snapshot').run(args, 'req'))!.body).data.text, /^1$/)
  assert.match(
    operation('snapshot').parse(MINT, { at_slot: '102' }, noArguments())!,
    /the earliest answer kept is of slot 101/,
  )
})
