import { existsSync, rmSync } from 'node:fs'
import { checkCopy, listCopies } from '../access/embedded/copies.ts'
import { Damage } from '../access/embedded/damage.ts'
import { isDatabase, placesIn } from '../access/embedded/paths.ts'
import { ageOf, refusal } from '../access/embedded/refusal.ts'
import { restoreCopy } from '../access/embedded/restore.ts'
import { readSeal, verifySeal } from '../access/embedded/seal.ts'
import { openDatabase } from '../access/sql/database.ts'
import { OperatorError } from '../base/errors.ts'
import { holdDataDir } from '../base/lock.ts'
import { environment } from '../config/environment.ts'
import { readOptions } from '../config/options.ts'
import type { Run } from './definition.ts'
import type { Io } from './io.ts'
import { wrongUsage } from './parse.ts'

export const verifyAccounts: Run = (_, io) => withDataDir((dataDir) => verify(dataDir, io))
export const acceptAccounts: Run = (_, io) => withDataDir(async (dataDir) => io.result(await accept(dataDir)))
export const restoreAccounts: Run = (given, io) =>
  withDataDir(async (dataDir) => io.result(await restore(dataDir, given.text('copy') ?? null)))

async function withDataDir(work: (dataDir: string) => Promise<void>): Promise<void> {
  const { dataDir, databaseUrl } = readOptions(environment())
  if (databaseUrl !== null) throw wrongUsage('DATABASE_URL is set: that database is not embedded')
  const lock = await holdDataDir(dataDir)
  try {
    await work(dataDir)
  } finally {
    await lock.release()
  }
}

async function verify(dataDir: string, io: Io): Promise<void> {
  const places = placesIn(dataDir)
  let said = ''
  for (const { name, madeAt } of listCopies(places.copies)) {
    const state = await checkCopy(places.copies, name).then(
      ({ payments, accounts }) => `good, ${payments} payments, ${accounts} accounts`,
      (error: Error) => `bad: ${error.message}`,
    )
    said += `${name}: ${ageOf(madeAt)} old, ${state}\n`
  }
  if (!existsSync(places.database) && !existsSync(places.seal)) {
    return io.result(`${said}${places.database}: there is none yet\n`)
  }
  try {
    await verifySeal(places, readSeal(places.seal))
  } catch (error) {
    io.result(said)
    if (!(error instanceof Damage)) throw error
    throw await refusal(places, error.message, { cause: error, untouched: true })
  }
  io.result(`${said}${places.database}: every page is what was written last\n`)
}

async function restore(dataDir: string, name: string | null): Promise<string> {
  const { name: copy, payments, accounts, madeAt, kept } = await restoreCopy(dataDir, name, Date.now())
  await (await openDatabase({ dataDir, url: null })).close()
  return `restored ${copy}: ${payments} payments, ${accounts} accounts as of ${madeAt.toISOString()}, ${ageOf(madeAt)} ago
what was there is kept in ${kept}

It lacks what happened since then:
- payments: what your wallet was paid since ${madeAt.toISOString()} and is not in the table payments. They are on the chain; no
  payment settles there twice. Payers who got no answer have to be refunded or sent it by hand
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
  return `${database}: PostgreSQL can read it; it is used from now on. Earlier copies are kept in ${copies}\n`
}
