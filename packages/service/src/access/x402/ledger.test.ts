import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import { emptyDatabase } from '../../../../../test/support/database.ts'
import { ANSWERS_KEPT_MS, createLedger, LEASE_MS, RELEASED_MS, type Reservation } from './ledger.ts'

const reservation = (hash = randomBytes(32).toString('hex')): Reservation => ({
  hash,
  operation: 'new',
  request: 'new',
  amount: 10_000,
  payer: 'payer',
  blockhash: 'blockhash',
})

async function scene(t: TestContext) {
  const database = await emptyDatabase(t)
  const clock = { ms: Date.now() }
  const open = () => createLedger({ database, now: () => clock.ms })
  const ledger = open()
  const path = async (hash: string): Promise<string[]> => {
    const rows = await database.sql
      .selectFrom('payment_events')
      .selectAll()
      .where('hash', '=', hash)
      .orderBy('id')
      .execute()
    return rows.map(({ state, amount }) => `${state} ${amount}`)
  }
  const reserve = async (hash?: string) => {
    const { claim, row } = await ledger.reserve(reservation(hash))
    assert.ok(claim)
    return { claim, row }
  }
  return { clock, ledger, open, path, reserve, database }
}

test('every change of state is one entry in the books', async (t) => {
  const { ledger, path, reserve } = await scene(t)
  const { claim, row } = await reserve()
  assert.equal(row.state, 'reserved')
  await ledger.settling(claim, 'transaction')
  const signed = await ledger.sign(claim, 'signature', { transaction: 'signed transaction', feeLamports: 10_001 })
  assert.deepEqual(
    [signed?.state, signed?.signature, signed?.signed_transaction],
    ['settling', 'signature', 'signed transaction'],
  )
  const settled = await ledger.settled(claim, 'signature', 'bytes')
  assert.deepEqual([settled?.state, settled?.signed_transaction], ['answered', null])
  assert.equal(await ledger.answer(claim.hash), 'bytes')
  assert.deepEqual(await path(claim.hash), [
    'reserved 10000',
    'settling 10000',
    'settling 10000',
    'settled 10000',
    'answered 10000',
  ])
  assert.deepEqual(await ledger.since(new Date(0)), { units: 10_000, feeLamports: 10_001 })
})

test('of many who reserve at once one holds it, and only the holder changes anything', async (t) => {
  const { ledger, reserve } = await scene(t)
  const wanted = reservation()
  const all = await Promise.all(Array.from({ length: 10 }, () => ledger.reserve(wanted)))
  const holders = all.filter(({ claim }) => claim !== null)
  assert.equal(holders.length, 1)
  const old = holders[0]!.claim!
  assert.ok(await ledger.release(old, 'why'))
  assert.equal((await ledger.find(old.hash))?.reason, 'why')
  const { claim } = await reserve(old.hash)
  assert.equal(await ledger.settling(old, 'transaction'), null)
  assert.equal(await ledger.release(old, 'late'), null)
  assert.ok(await ledger.settling(claim, 'transaction'))
  const taken = await ledger.takeOver((await ledger.find(claim.hash))!)
  assert.ok(taken)
  assert.equal(await ledger.sign(claim, 'signature'), null, 'whoever lost it may not sign')
  assert.equal(await ledger.settled(claim, 'signature', 'bytes'), null)
  assert.equal(await ledger.answer(claim.hash), null)
  assert.ok(await ledger.settled(taken, 'signature', null))
})

test('what has a signature is released only with proof, what is settled never', async (t) => {
  const { ledger, reserve } = await scene(t)
  const { claim } = await reserve()
  await ledger.settling(claim, 'transaction')
  await ledger.sign(claim, 'signature')
  assert.equal(await ledger.release(claim, 'why'), null)
  assert.ok(await ledger.release(claim, 'expired', true))
  // used again, it is only reserved: nothing was sent since
  const second = await reserve(claim.hash)
  assert.equal(second.row.signature, 'signature')
  assert.ok(await ledger.release(second.claim, 'why'))
  const { claim: third } = await reserve()
  await ledger.settling(third, 'transaction')
  await ledger.settled(third, null, null)
  assert.equal(await ledger.release(third, 'why', true), null)
  assert.equal((await ledger.reserve(reservation(third.hash))).claim, null)
})

test('of several answers to one payment the first is kept, for its time', async (t) => {
  const { clock, ledger, reserve } = await scene(t)
  const { claim } = await reserve()
  await ledger.settling(claim, 'transaction')
  await ledger.settled(claim, 'signature', null)
  const answers = ['one', 'two', 'three']
  const written = await Promise.all(answers.map((answer) => ledger.answered(claim, answer)))
  const first = answers.filter((_, i) => written[i] !== null)
  assert.equal(first.length, 1)
  clock.ms += ANSWERS_KEPT_MS - 1
  await ledger.prune()
  assert.equal(await ledger.answer(claim.hash), first[0])
  clock.ms += 2
  await ledger.prune()
  assert.equal(await ledger.answer(claim.hash), null)
  assert.equal((await ledger.find(claim.hash))?.state, 'answered')
})

test('orphans are what nobody works on, and what was released is forgotten in time', async (t) => {
  const { clock, ledger, open, path, reserve } = await scene(t)
  const { claim } = await reserve()
  const { claim: settling } = await reserve()
  await ledger.settling(settling, 'transaction')
  const hashes = async (others: boolean, of = ledger): Promise<string[]> =>
    (await of.orphans(others)).map(({ hash }) => hash).sort()
  assert.deepEqual(await hashes(true), [])
  const other = open()
  assert.deepEqual(await hashes(false, other), [])
  assert.deepEqual(await hashes(true, other), [claim.hash, settling.hash].sort())
  assert.equal((await other.orphans(true, ['reserved'])).length, 1)
  clock.ms += LEASE_MS + 1
  assert.deepEqual(await hashes(false), [claim.hash, settling.hash].sort())
  await ledger.pause(settling, 5_000)
  assert.deepEqual(await hashes(false), [claim.hash])
  assert.equal(await ledger.open(), 1)
  await ledger.release(claim, 'why')
  const { claim: signed } = await reserve()
  await ledger.settling(signed, 'transaction')
  await ledger.sign(signed, 'signature')
  await ledger.release(signed, 'expired', true)
  assert.equal(await ledger.prune(), 0)
  clock.ms += RELEASED_MS + 1
  assert.equal(await ledger.prune(), 2)
  assert.equal(await ledger.find(claim.hash), null)
  assert.deepEqual(await path(claim.hash), [])
  assert.equal((await path(signed.hash)).length, 4, 'a signature may have cost a fee: its entries stay')
  assert.equal((await path(settling.hash)).length, 2)
})

test('whoever says that it still works on a payment keeps it; what was taken over stays with who took it', async (t) => {
  const { clock, ledger, open, reserve } = await scene(t)
  const [{ claim }, { claim: silent }, { claim: given }] = [await reserve(), await reserve(), await reserve()]
  const other = open()
  const lost = await other.takeOver((await ledger.find(given.hash))!)
  clock.ms += LEASE_MS - 1
  await ledger.renew([])
  await ledger.renew([claim, given])
  clock.ms += 2
  const hashes = (await other.orphans(false)).map(({ hash }) => hash).sort()
  assert.deepEqual(hashes, [silent.hash, lost!.hash].sort())
  clock.ms += LEASE_MS
  assert.equal((await other.orphans(false)).length, 3)
  const ended = await ledger.release(claim, 'why')
  clock.ms += 1_000
  await ledger.renew([claim])
  assert.deepEqual(await ledger.find(claim.hash), ended, 'what has come to its end is not renewed')
})
