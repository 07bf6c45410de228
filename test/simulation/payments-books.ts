import assert from 'node:assert/strict'
import { openDatabase } from '@ti/service/access/sql/database.ts'
import type { PaymentRow, PaymentState, Schema } from '@ti/service/access/sql/schema.ts'
import type { Selectable } from 'kysely'

export type PaymentEventRow = Selectable<Schema['payment_events']>

import type { Market } from './payments-market.ts'

/** The ledger after the service has stopped. */
export interface Books {
  readonly rows: readonly PaymentRow[]
  /** of each payment, in order */
  readonly events: ReadonlyMap<string, readonly PaymentEventRow[]>
}

export async function readBooks(dataDir: string): Promise<Books> {
  const { sql, close } = await openDatabase({ dataDir, url: null })
  const rows = await sql.selectFrom('payments').selectAll().execute()
  const all = await sql.selectFrom('payment_events').selectAll().orderBy('id').execute()
  await close()
  const events = new Map<string, PaymentEventRow[]>()
  for (const event of all) {
    const list = events.get(event.hash)
    if (list === undefined) events.set(event.hash, [event])
    else list.push(event)
  }
  return { rows, events }
}

/** what may follow a state; `new` is before the first */
const MAY_FOLLOW: Readonly<Record<PaymentState | 'new', readonly PaymentState[]>> = {
  new: ['reserved'],
  reserved: ['settling', 'released'],
  // again `settling`: the signature is written
  settling: ['settling', 'settled', 'released'],
  settled: ['answered'],
  answered: [],
  released: ['reserved'],
}

const WAS_PAID: readonly PaymentState[] = ['settled', 'answered']

const sum = (amounts: Iterable<number>): number => [...amounts].reduce((total, amount) => total + amount, 0)

export interface Totals {
  readonly payments: number
  readonly units: number
  /** whose answer was lost on its way at least once, and those whose answer was read more than once */
  readonly lost: number
  readonly repeated: number
}

/** Every way from state to state is a legal one, ends where the row says, and has an end. */
export function checkHistories({ rows, events }: Books): void {
  const open = rows.filter(({ state }) => !['released', 'settled', 'answered'].includes(state))
  assert.deepEqual(
    open.map(({ hash, state, reason }) => ({ hash, state, reason })),
    [],
    'not brought to an end',
  )
  for (const row of rows) {
    const path = events.get(row.hash)?.map(({ state }) => state) ?? []
    let before: PaymentState | 'new' = 'new'
    for (const state of path) {
      assert.ok(MAY_FOLLOW[before].includes(state as PaymentState), `${row.hash} went ${path.join(' → ')}`)
      before = state as PaymentState
    }
    assert.equal(before, row.state, `${row.hash} went ${path.join(' → ')}`)
    const booked = events.get(row.hash)!.filter(({ state }) => state === 'settled')
    const amounts = booked.map(({ amount }) => amount)
    const wanted = WAS_PAID.includes(row.state) ? [row.amount] : []
    assert.deepEqual(amounts, wanted, `${row.hash} ${row.state}: row and books differ`)
  }
  const known = new Set(rows.map(({ hash }) => hash))
  assert.deepEqual(
    [...events.keys()].filter((hash) => !known.has(hash)),
    [],
    'books without a row',
  )
}

/** How many payments went which way, the most frequent first: what a run has really met. */
export function pathsOf({ events }: Books): Record<string, number> {
  const counts = new Map<string, number>()
  for (const path of events.values()) {
    const text = path.map(({ state }) => state).join(' ')
    counts.set(text, (counts.get(text) ?? 0) + 1)
  }
  return Object.fromEntries([...counts].sort((a, b) => b[1] - a[1]))
}

/** What the seller and each buyer have on the chain, what the books say, and what clients got: to the unit. */
export function checkMoney(
  { rows }: Books,
  market: Market,
  chain: { readonly earned: bigint; spent(wallet: string): bigint },
): Totals {
  const sales = new Map(market.sales.map((sale) => [sale.hash, sale]))
  const paid = rows.filter(({ state }) => WAS_PAID.includes(state))
  const paidHashes = new Set(paid.map(({ hash }) => hash))
  for (const { hash, amount, payer } of paid) {
    const sale = sales.get(hash)
    assert.ok(sale !== undefined, `${hash} was paid and never signed`)
    assert.deepEqual([amount, payer], [sale.paper.amount, sale.buyer], hash)
    assert.ok(sale.presented, `${hash} was charged and only shown beside a key`)
  }
  const given = market.sales.filter(({ answers }) => answers.length > 0)
  assert.deepEqual(
    given.filter(({ hash }) => !paidHashes.has(hash)).map(({ hash }) => hash),
    [],
    'data for nothing',
  )
  const refused = market.sales.filter(({ hash, answers }) => paidHashes.has(hash) && answers.length === 0)
  assert.deepEqual(
    refused.map(({ hash, refusal, left }) => ({ hash, left, refusal })),
    [],
    'paid, and not answered',
  )
  const received = sum(given.map(({ paper }) => paper.amount))
  const settled = sum(paid.map(({ amount }) => amount))
  assert.deepEqual([Number(chain.earned), settled], [settled, received], 'chain, ledger and clients differ')
  for (const wallet of market.wallets.keys()) {
    const spent = sum(paid.filter(({ payer }) => payer === wallet).map(({ amount }) => amount))
    assert.equal(Number(chain.spent(wallet)), spent, `the books and the chain differ about ${wallet}`)
  }
  const twofold = given.filter(({ answers }) => new Set(answers).size > 1)
  assert.deepEqual(
    twofold.map(({ hash, answers }) => [hash, answers]),
    [],
    'two answers for one payment',
  )
  const lost = given.filter((sale) => sale.left).length
  const repeated = given.filter(({ answers }) => answers.length > 1).length
  return { payments: paid.length, units: settled, lost, repeated }
}

/** characters of a secret that are looked for: any piece twice as long is found */
const PIECE = 16

/** Secrets of which a piece stands in the text, in the words around it. */
export function findSecrets(text: string, secrets: Iterable<string>): string[] {
  const pieces = new Set<string>()
  for (const secret of secrets) {
    for (let at = 0; at + PIECE <= secret.length; at += PIECE) pieces.add(secret.slice(at, at + PIECE))
  }
  const found: string[] = []
  for (let at = 0; at + PIECE <= text.length && found.length < 5; at++) {
    if (pieces.has(text.slice(at, at + PIECE))) found.push(text.slice(Math.max(0, at - 100), at + 100))
  }
  return found
}
