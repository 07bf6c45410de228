import assert from 'node:assert/strict'
import { createCashier, type RunningCashier } from '@ti/service/access/x402/cashier.ts'
import type { Facilitator, OpenOrder, Settlement } from '@ti/service/access/x402/facilitator.ts'
import { createLedger, LEASE_MS, type Ledger } from '@ti/service/access/x402/ledger.ts'
import { PAUSE_MS } from '@ti/service/access/x402/open-payments.ts'
import type { Outcome, Payment } from '@ti/service/access/x402/types.ts'
import type { TestDatabase } from '../support/database.ts'
import { SILENT, until } from '../support/payment-world.ts'
import { callOf, FEE_PAYER, PAY_TO, someone, TEXT } from '../support/payments-fixtures.ts'

/**
 * A world to try the cashier in: a chain that knows what landed, a facilitator that waits at every step to be told what
 * happens, processes that can die before or after any write of the ledger. It is the model: it checks as it goes.
 */

/** `floating`: sent, may land. `dead`: can never land any more. */
type OnChain = 'floating' | 'landed' | 'failed' | 'dead'

export const CHOICES = {
  verify: ['good', 'good', 'good', 'invalid', 'throws'],
  work: ['data', 'data', 'data', 'empty', 'throws', 'gone'],
  settle: ['lands', 'lands', 'unsent', 'send fails', 'floats', 'lands untold', 'fails on chain'],
} as const
type Step = keyof typeof CHOICES

interface Gate {
  readonly step: Step
  pass(choice: number): void
  /** the process is dead */
  drop(): void
}

class Crash extends Error {}

export interface World {
  start(payment: number, request: number): Promise<void>
  /** lets one of those that wait go on */
  pass(which: number, choice: number): Promise<void>
  /** floating transactions land, or can never land any more */
  chain(payment: number, lands: boolean): void
  tick(ms: number): Promise<void>
  /** the process dies at its `calls`-th write from now, before it is made or after */
  fuse(calls: number, before: boolean): void
  crash(): Promise<void>
  check(): Promise<void>
  /** after a failure: nothing goes on */
  stop(): void
  /** everything comes to rest; then books, ledger and chain have to agree */
  rest(): Promise<void>
}

export async function createWorld(options: {
  readonly database: TestDatabase
  readonly payments: readonly Payment[]
  /** our own fee payer; else a facilitator over HTTP, whose signatures nobody knows */
  readonly signsFirst: boolean
}): Promise<World> {
  const { database, payments, signsFirst } = options
  const db = database.sql
  await db.deleteFrom('payment_events').execute()
  await db.deleteFrom('payments').execute()
  const onChain = new Map<string, OnChain>()
  /** by payment, the answer that was given for it */
  const answers = new Map<string, string>()
  let made = 0
  let clockMs = Date.now()
  const now = (): number => clockMs

  let gates: Gate[] = []
  let unfinished = 0
  let writing = 0
  let life = { dead: false }
  let fuse: { calls: number; before: boolean } | null = null
  let cashier: RunningCashier

  /** what was seen where an exception would only be one more fault to the cashier */
  const violations: string[] = []
  const must = (holds: boolean, what: string): void => {
    if (!holds) violations.push(what)
  }

  const gate = (step: Step): Promise<string> => {
    const mine = life
    return new Promise((resolve, reject) => {
      const entry: Gate = {
        step,
        pass(choice) {
          gates = gates.filter((one) => one !== entry)
          resolve(CHOICES[step][choice % CHOICES[step].length]!)
        },
        drop: () => reject(new Crash()),
      }
      if (mine.dead) reject(new Crash())
      else gates.push(entry)
    })
  }

  /** A ledger in a process that can die: what it asked then has no answer, whether it was done or not. */
  function mortal(ledger: Ledger): Ledger {
    const mine = life
    const never = new Promise<never>(() => {})
    const wrap =
      (call: (...given: never[]) => unknown) =>
      async (...given: never[]): Promise<unknown> => {
        if (mine.dead) return never
        const last = fuse !== null && --fuse.calls <= 0
        if (last && fuse?.before) mine.dead = true
        if (mine.dead) return never
        writing++
        const result = await Promise.resolve(call(...given)).finally(() => {
          writing--
        })
        if (last) mine.dead = true
        return mine.dead ? never : result
      }
    const entries = Object.entries(ledger).map(([name, value]) => {
      const plain = typeof value !== 'function' || name === 'isHeldElsewhere'
      return [name, plain ? value : wrap(value as (...given: never[]) => unknown)]
    })
    return Object.fromEntries(entries) as Ledger
  }

  const landed = (signature: string | null): Settlement => ({ kind: 'landed', signature })
  const floats = (signature: string | null): Settlement => ({ kind: 'open', reason: 'pending', signature })

  const facilitator: Facilitator = {
    feePayer: () => FEE_PAYER,
    signsFirst,
    check: async () => ({ ready: true, reason: null }),
    funds: async (accounts) => accounts.map(() => null),
    async verify({ hash }) {
      const choice = await gate('verify')
      if (choice === 'throws') throw new Error('on purpose')
      const possible = !onChain.has(hash)
      return choice === 'good' && possible ? { valid: true } : { valid: false, reason: 'invalid' }
    },
    async settle({ hash, transaction }, record) {
      must(!['landed', 'floating'].includes(onChain.get(hash) ?? ''), 'settled twice')
      const choice = await gate('settle')
      if (choice === 'unsent' || onChain.has(hash)) return { kind: 'refused', reason: 'unsent', proof: 'unsent' }
      const signature = signsFirst ? `signature of ${hash}` : null
      if (signature !== null) await record(signature, { transaction, feeLamports: 10_000 })
      if (choice === 'send fails') throw new Error('on purpose')
      must(!onChain.has(hash), 'sent twice')
      if (choice === 'floats') onChain.set(hash, 'floating')
      else if (choice === 'fails on chain') onChain.set(hash, 'failed')
      else onChain.set(hash, 'landed')
      if (choice === 'lands untold') throw new Error('on purpose')
      if (choice === 'lands') return landed(signature)
      return choice === 'floats' || !signsFirst
        ? floats(signature)
        : { kind: 'refused', reason: 'failed', proof: 'proven' }
    },
    async lookup({ hash, signature }: OpenOrder) {
      const state = onChain.get(hash)
      if (state === 'landed') return landed(signature)
      if (!signsFirst) return floats(null)
      if (signature === null) return { kind: 'refused', reason: 'unsent', proof: 'unsent' }
      // sent again: the same bytes
      if (state === undefined) onChain.set(hash, 'floating')
      if (state === 'failed' || state === 'dead') return { kind: 'refused', reason: state, proof: 'proven' }
      return floats(signature)
    },
  }

  async function live(): Promise<void> {
    life = { dead: false }
    fuse = null
    unfinished = 0
    const ledger = mortal(createLedger({ database, now }))
    // longer than any wait here; what hangs in a dead process ends with it
    const times = { work: 25_000, verify: 25_000, settle: 25_000 }
    const fixed = { mode: 'self', payTo: PAY_TO, logger: SILENT, roundMs: null } as const
    cashier = await createCashier({ ...fixed, ledger, facilitator, now, times })
    await cashier.started
  }

  /** Everybody waits at a gate, is done, or is dead; a dead process is followed by the next. */
  async function quiet(): Promise<void> {
    await until(() => writing === 0 && (life.dead || unfinished === gates.length))
    if (life.dead) await crash()
  }

  async function crash(): Promise<void> {
    life.dead = true
    await until(() => writing === 0)
    for (const one of gates) one.drop()
    gates = []
    // what lives in a shared database is taken over when its lease ends
    clockMs += LEASE_MS + 1
    await live()
  }

  function heard(hash: string, outcome: Outcome<string>): void {
    if (outcome.kind !== 'paid') return
    must(onChain.get(hash) === 'landed', 'an answer before its payment')
    must(outcome.answer.startsWith('data'), 'an empty answer for money')
    must((answers.get(hash) ?? outcome.answer) === outcome.answer, 'two answers for one payment')
    answers.set(hash, outcome.answer)
  }

  async function check(): Promise<void> {
    assert.deepEqual(violations, [])
    const rows = await db.selectFrom('payments').selectAll().execute()
    const events = await db.selectFrom('payment_events').selectAll().orderBy('id').execute()
    for (const row of rows) {
      const path = events.filter(({ hash }) => hash === row.hash).map(({ state }) => state)
      assert.equal(path.at(-1), row.state, 'a change without its entry')
      if (row.state === 'released') {
        assert.ok(!['landed', 'floating'].includes(onChain.get(row.hash) ?? ''), 'released, though it may be paid')
      }
    }
    const paid = rows.filter(({ state }) => ['settled', 'answered'].includes(state))
    const sum = (list: readonly { amount: number }[]): number => list.reduce((total, { amount }) => total + amount, 0)
    assert.equal(sum(events.filter(({ state }) => state === 'settled')), sum(paid), 'books and ledger differ')
    for (const { hash } of paid) assert.equal(onChain.get(hash), 'landed')
  }

  await live()
  return {
    check,
    crash,
    async start(which, request) {
      const payment = payments[which % payments.length]!
      let gone = false
      const client = { ...someone, gone: () => gone }
      const mine = life
      unfinished++
      const work = async () => {
        const choice = await gate('work')
        if (choice === 'throws') throw new Error('on purpose')
        gone = choice === 'gone'
        return { answer: choice === 'empty' ? 'nothing' : `data ${++made}`, charge: choice !== 'empty' }
      }
      cashier.pay(payment, callOf(`request ${request}`), client, work, TEXT).then(
        (outcome) => {
          if (mine.dead) return
          unfinished--
          heard(payment.hash, outcome)
        },
        () => {
          if (!mine.dead) unfinished--
        },
      )
      await quiet()
    },
    async pass(which, choice) {
      if (gates.length === 0) return
      gates[which % gates.length]!.pass(choice)
      await quiet()
    },
    chain(which, lands) {
      const { hash } = payments[which % payments.length]!
      const state = onChain.get(hash)
      if (state === 'floating') onChain.set(hash, lands ? 'landed' : 'dead')
      // an expired blockhash: what was never sent can never be
      if (state === undefined && !lands) onChain.set(hash, 'dead')
    },
    async tick(ms) {
      clockMs += ms
      const mine = life
      await Promise.race([cashier.tick(), until(() => mine.dead && writing === 0)])
      await quiet()
    },
    fuse(calls, before) {
      fuse = { calls, before }
    },
    stop() {
      life.dead = true
      for (const one of gates) one.drop()
    },
    async rest() {
      await crash()
      for (const { hash } of payments) if (onChain.get(hash) === 'floating') onChain.set(hash, 'landed')
      for (let turn = 0; turn < 4; turn++) {
        clockMs += PAUSE_MS * 2
        await cashier.tick()
        for (const { hash } of payments) if (onChain.get(hash) === 'floating') onChain.set(hash, 'landed')
      }
      await check()
      const rows = await db.selectFrom('payments').selectAll().execute()
      for (const { hash, state } of rows) {
        const isPaid = onChain.get(hash) === 'landed'
        if (signsFirst || isPaid) assert.match(state, isPaid ? /^(settled|answered)$/ : /^released$/)
        else assert.match(state, /^(settling|released)$/)
      }
      await cashier.close()
    },
  }
}
