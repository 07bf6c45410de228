import assert from 'node:assert/strict'
import { openDatabase } from '@ti/service/access/sql/database.ts'

const ORDER = ['reserved', 'settling', 'settled', 'answered']

/** What must be there, from the lines that `accounts-worker.ts` wrote: each after what it says was acknowledged. */
export class Acknowledged {
  readonly payments = new Map<string, { readonly state: string; readonly amount: number }>()
  readonly keys = new Map<string, string>()
  readonly accounts = new Set<string>()
  readonly deposits = new Map<string, number>()
  readonly alerts = new Set<string>()

  hear(out: string): void {
    // the last line may have been cut by the kill
    for (const line of out.split('\n').slice(0, -1)) {
      const [what, id = '', third = '', amount = ''] = line.split(' ')
      if (what === 'payment') this.payments.set(id, { state: third, amount: Number(amount) })
      if (what === 'key') this.keys.set(id, third)
      if (what === 'account') this.accounts.add(id)
      if (what === 'deposit') this.deposits.set(id, Number(third))
      if (what === 'alert') this.alerts.add(id)
    }
  }
}

function grouped<T>(rows: readonly T[], by: (row: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const row of rows) groups.set(by(row), [...(groups.get(by(row)) ?? []), row])
  return groups
}

/** Nothing acknowledged is lost, nothing happened twice, and the books balance. */
export async function checkAcknowledged(dataDir: string, heard: Acknowledged): Promise<void> {
  const { sql, close } = await openDatabase({ dataDir, url: null })
  const payments = new Map((await sql.selectFrom('payments').selectAll().execute()).map((row) => [row.hash, row]))
  const events = await sql.selectFrom('payment_events').selectAll().orderBy('id').execute()
  const answers = new Set((await sql.selectFrom('payment_answers').select('hash').execute()).map(({ hash }) => hash))
  const accounts = new Map((await sql.selectFrom('accounts').selectAll().execute()).map((row) => [row.id, row]))
  const keys = new Map((await sql.selectFrom('api_keys').selectAll().execute()).map((row) => [row.id, row]))
  const alerts = await sql.selectFrom('alerts').selectAll().orderBy('account_id').orderBy('seq').execute()
  await close()
  for (const [hash, { state, amount }] of heard.payments) {
    const row = payments.get(hash)
    assert.ok(row !== undefined, `payment ${hash} was ${state} and is gone`)
    assert.equal(row.amount, amount, hash)
    const isReached = state === 'released' ? row.state === state : ORDER.indexOf(row.state) >= ORDER.indexOf(state)
    assert.ok(isReached || row.state === 'released', `payment ${hash} was ${state} and is ${row.state}`)
    if (row.state === 'released') assert.ok(['reserved', 'released'].includes(state), `${hash} was ${state}`)
  }
  const byHash = grouped(events, ({ hash }) => hash)
  for (const [hash, row] of payments) {
    const own = byHash.get(hash) ?? []
    assert.deepEqual([own.at(-1)?.state, own.at(-1)?.amount], [row.state, row.amount], `books of ${hash}`)
    const paid = own.filter(({ state }) => state === 'settled').length
    const isPaid = ['settled', 'answered'].includes(row.state)
    assert.equal(paid, isPaid ? 1 : 0, `${hash} is booked once`)
    assert.equal(answers.has(hash), row.state === 'answered', `${hash} is ${row.state}, and its answer`)
  }
  assert.equal(byHash.size, payments.size)
  for (const id of heard.accounts) assert.ok(accounts.has(id), `account ${id} is gone`)
  for (const [id, lamports] of heard.deposits) assert.equal(accounts.get(id)?.balance_lamports, lamports, id)
  for (const [id, state] of heard.keys) {
    assert.ok(keys.has(id), `key ${id} is gone`)
    if (state === 'revoked') assert.notEqual(keys.get(id)!.revoked_at, null, `key ${id} is live again`)
  }
  const ids = new Set(alerts.map(({ id }) => id))
  for (const id of heard.alerts) assert.ok(ids.has(id), `alert ${id} is gone`)
  const numbers = grouped(alerts, ({ account_id }) => account_id)
  for (const [account, own] of numbers) {
    assert.deepEqual(
      own.map(({ seq }) => seq),
      own.map((_, i) => i + 1),
      `alerts of ${account} are numbered without a gap`,
    )
  }
}
