import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { beginAccounts, checkCopy, Damage, verifyFile } from '../access/sql/accounts-file.ts'
import { ageOf, damageRefusal, listCopies, restoreCopy } from '../access/sql/copies.ts'
import { placesIn } from '../access/sql/places.ts'
import { holdDataDir } from '../base/lock.ts'
import { environment } from '../config/environment.ts'
import { readOptions } from '../config/options.ts'
import type { Run } from './definition.ts'
import type { Io } from './io.ts'
import { wrongUsage } from './parse.ts'

export const verifyAccounts: Run = async (_, io) => verify(dataDirOfAccounts(), io)
export const acceptAccounts: Run = (_, io) => alone(async (dataDir) => io.result(accept(dataDir)))
export const restoreAccounts: Run = (given, io) =>
  alone(async (dataDir) => io.result(restore(dataDir, given.text('copy') ?? null)))

function dataDirOfAccounts(): string {
  const { dataDir, databaseUrl } = readOptions(environment())
  if (databaseUrl !== null) throw wrongUsage('DATABASE_URL is set: that database is not embedded')
  return dataDir
}

async function alone(work: (dataDir: string) => Promise<void>): Promise<void> {
  const dataDir = dataDirOfAccounts()
  const lock = await holdDataDir(dataDir)
  try {
    await work(dataDir)
  } finally {
    await lock.release()
  }
}

/** Reads one consistent state, while a service may be running. */
function verify(dataDir: string, io: Io): void {
  const places = placesIn(dataDir)
  for (const { name, madeAt } of listCopies(places.copies)) {
    io.result(`${name}: ${ageOf(madeAt)} old, ${stateOf(join(places.copies, name))}\n`)
  }
  if (!existsSync(places.file) && listCopies(places.copies).length === 0) {
    return io.result(`${places.file}: there is none yet\n`)
  }
  try {
    verifyFile(places)
  } catch (error) {
    if (!(error instanceof Damage)) throw error
    throw damageRefusal(places, error.message, true)
  }
  io.result(`${places.file}: every page and every row is what was written last\n`)
}

function stateOf(copy: string): string {
  try {
    const { payments, accounts } = checkCopy(copy)
    return `good, ${payments} payments, ${accounts} accounts`
  } catch (error) {
    return `bad: ${(error as Error).message}`
  }
}

function restore(dataDir: string, name: string | null): string {
  const { name: copy, payments, accounts, madeAt, kept } = restoreCopy(dataDir, name, Date.now())
  return `restored ${copy}: ${payments} payments, ${accounts} accounts as of ${madeAt.toISOString()}, ${ageOf(madeAt)} ago
what was there is kept in ${kept}

It lacks what happened since then:
- payments: what your wallet was paid since ${madeAt.toISOString()} and is not in the table payments. They are on the chain; no
  payment settles there twice. Payers who got no answer have to be refunded or sent it by hand
- keys made since then do not work and have to be made anew; keys revoked since then work again: revoke them again
- deposits since then are credited by themselves, as far back as the node of SOLANA_RPC_URL shows them
`
}

/** Accepts the database without its newest commits, or creates an empty one if there is none. */
function accept(dataDir: string): string {
  const places = placesIn(dataDir)
  const isNew = !existsSync(places.file)
  if (isNew) beginAccounts(dataDir, true)
  else verifyFile(places, { behind: true })
  rmSync(places.acknowledged, { force: true })
  if (isNew)
    return `${places.file}: made, without accounts, keys or payments. Earlier copies are kept in ${places.copies}\n`
  return `${places.file}: every page and every row can be read; it is used from now on. Earlier copies are kept in ${places.copies}\n`
}
