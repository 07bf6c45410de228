import { existsSync, rmSync } from 'node:fs'
import { checkCopy, listCopies } from '../access/embedded/copies.ts'
import { Damage } from '../access/embedded/damage.ts'
import { isDatabase, placesIn } from '../access/embedded/paths.ts'
import { ageOf, refusal } from '../access/embedded/refusal.ts'
import { restoreCopy } from '../access/embedded/restore.ts'
import { readSeal, verifySeal } from '../access/embedded/seal.ts'
import { openDatabase } from '../access/sql/database.ts'
import { EXIT, OperatorError } from '../base/errors.ts'
import { holdDataDir } from '../base/lock.ts'
import { readOptions } from '../config/options.ts'
import { type Command, parse } from './command.ts'

const usage = `accounts verify
  reads the embedded database of accounts and payments and its copies, says what is damaged; changes nothing
accounts restore [--copy NAME]
  replaces it by the newest good copy, or the one of that name; keeps what was there aside
accounts accept
  uses the database as it is, though it is not what was written last: PostgreSQL reads all of it once. For an older back-up
  of your own, or after a power cut; payments acknowledged after that state are gone
  All need a stopped service, and DATA_DIR.`

export const accounts: Command = {
  usage,
  async run(args) {
    const { values, positionals } = parse(usage, args, { copy: { type: 'string' } } as const, { min: 1, max: 1 })
    const { dataDir, databaseUrl } = readOptions(process.env)
    if (databaseUrl !== null) {
      throw new OperatorError('DATABASE_URL is set: that database is not embedded', { exitCode: EXIT.usage })
    }
    const [what] = positionals
    const isKnown = what === 'restore' || ((what === 'verify' || what === 'accept') && values.copy === undefined)
    if (!isKnown) throw new OperatorError(usage, { exitCode: EXIT.usage })
    const lock = await holdDataDir(dataDir)
    try {
      if (what === 'verify') process.stdout.write(await verify(dataDir))
      else if (what === 'accept') process.stdout.write(await accept(dataDir))
      else process.stdout.write(await restore(dataDir, values.copy ?? null))
    } finally {
      await lock.release()
    }
  },
}

async function verify(dataDir: string): Promise<string> {
  const places = placesIn(dataDir)
  let said = ''
  for (const { name, madeAt } of listCopies(places.copies)) {
    const state = await checkCopy(places.copies, name).then(
      ({ payments, accounts }) => `good, ${payments} payments, ${accounts} accounts`,
      (error: Error) => `bad: ${error.message}`,
    )
    said += `${name}: ${ageOf(madeAt)} old, ${state}\n`
  }
  if (!existsSync(places.database) && !existsSync(places.seal)) return `${said}${places.database}: there is none yet\n`
  try {
    await verifySeal(places, readSeal(places.seal))
  } catch (error) {
    process.stdout.write(said)
    if (!(error instanceof Damage)) throw error
    throw await refusal(places, error.message, { cause: error, untouched: true })
  }
  return `${said}${places.database}: every page is what was written last\n`
}

async function restore(dataDir: string, name: string | null): Promise<string> {
  const { name: copy, payments, accounts, madeAt, kept } = await restoreCopy(dataDir, name, Date.now())
  await (await openDatabase({ dataDir, url: null })).close()
  return `restored ${copy}: ${payments} payments, ${accounts} accounts as of ${madeAt.toISOString()}, ${ageOf(madeAt)} ago
what was there is kept in ${kept}

Not in it is what happened since then:
- payments: what your wallet was paid since ${madeAt.toISOString()} and is not in the table payments. They are on the chain; no
  payment settles there twice. Whoever was paid for and got no answer has to be refunded or given it by hand
- keys made since then do not work and have to be made anew; keys revoked since then work again: revoke them again
- deposits since then are credited by themselves, as far back as the node of SOLANA_RPC_URL shows them
`
}

async function accept(dataDir: string): Promise<string> {
  const places = placesIn(dataDir)
  const { database, seal, copies } = places
  // before the seal goes: without this file PostgreSQL would begin a new ledger
  if (!isDatabase(places)) throw new OperatorError(`${database} holds no database: there is nothing to accept`)
  rmSync(seal, { recursive: true, force: true })
  const opened = await openDatabase({ dataDir, url: null, accept: true })
  await opened.close()
  return `${database}: PostgreSQL reads it, and it is used from now on; copies of before are kept in ${copies}\n`
}
