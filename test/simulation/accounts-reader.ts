import { createHash } from 'node:crypto'
import { createInterface } from 'node:readline'
import { type Database, openDatabase } from '@ti/service/access/sql/database.ts'
import { createLedger } from '@ti/service/access/x402/ledger.ts'
import { OperatorError } from '@ti/service/base/errors.ts'

const TABLES = [
  'accounts',
  'api_keys',
  'deposits',
  'payments',
  'payment_events',
  'secrets',
  'cursors',
  'trials',
] as const

/** SHA-256 of everything that answers about accounts, keys and payments come from, read by rows and again through indexes. */
export async function answersOf({ sql, ...database }: Database): Promise<string> {
  const hash = createHash('sha256')
  for (const table of TABLES) {
    const rows = await sql.selectFrom(table).selectAll().execute()
    for (const line of rows.map((row) => JSON.stringify(row)).sort()) hash.update(`${line}\n`)
  }
  const ledger = createLedger({ database: { sql, ...database }, now: Date.now })
  const payments = await sql.selectFrom('payments').select('hash').orderBy('hash').execute()
  for (const { hash: name } of payments) hash.update(JSON.stringify(await ledger.find(name)))
  for (const { id } of await sql.selectFrom('accounts').select('id').orderBy('id').execute()) {
    hash.update(
      JSON.stringify(
        await sql.selectFrom('api_keys').select('id').where('account_id', '=', id).orderBy('id').execute(),
      ),
    )
  }
  hash.update(JSON.stringify(await ledger.open()))
  hash.update(JSON.stringify(await ledger.since(new Date(0))))
  return hash.digest('hex')
}

/** A payment from its beginning to its end. */
async function payOnce(database: Database): Promise<void> {
  const ledger = createLedger({ database, now: Date.now })
  const facts = { operation: 'token', request: 'r', amount: 1, payer: 'p', blockhash: 'b' }
  const { claim } = await ledger.reserve({ hash: 'f'.repeat(64), ...facts })
  await ledger.settling(claim!, 't')
  await ledger.settled(claim!, 's', 'an answer')
}

async function readOnce(dataDir: string): Promise<object> {
  try {
    const begin = performance.now()
    const database = await openDatabase({ dataDir, url: null })
    const openMs = performance.now() - begin
    const answers = await answersOf(database)
    await payOnce(database)
    await database.close()
    return { answers, openMs }
  } catch (error) {
    if (error instanceof OperatorError) return { code: error.exitCode, said: error.message }
    return { code: -1, said: String((error as Error).stack) }
  }
}

/** Each line it is given is a data directory, each line it writes what it read there, or why not. */
if (/accounts-reader\.[jt]s$/.test(process.argv[1] ?? '')) {
  for await (const dataDir of createInterface({ input: process.stdin })) {
    process.stdout.write(`${JSON.stringify(await readOnce(dataDir))}\n`)
  }
}
