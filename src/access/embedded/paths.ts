import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** bytes of a page of PostgreSQL, which its files consist of */
export const PAGE_BYTES = 8_192

/** Paths of the embedded database and of its seals in a data directory. */
export interface Places {
  /** the files of PostgreSQL */
  readonly database: string
  /** what those files have to be: a manifest, a journal of pages that were written since, a witness of the WAL */
  readonly seal: string
  readonly copies: string
  /** prefix of directories that keep a damaged database */
  readonly damaged: string
  /** present while the first database is being made: nothing in it was ever acknowledged */
  readonly making: string
  /** present since the first complete database: a ledger exists, and no empty one is created in its place */
  readonly begun: string
  /** present after PostgreSQL itself complained of damage, with its words */
  readonly suspect: string
}

export const placesIn = (dataDir: string): Places => ({
  database: join(dataDir, 'accounts'),
  seal: join(dataDir, 'accounts-seal'),
  copies: join(dataDir, 'accounts-copies'),
  damaged: join(dataDir, 'accounts-damaged-'),
  making: join(dataDir, 'accounts-seal', 'making'),
  begun: join(dataDir, 'accounts-begun'),
  suspect: join(dataDir, 'accounts-seal', 'suspect'),
})

export const isEmpty = ({ database }: Places): boolean => !existsSync(database) || readdirSync(database).length === 0

/** PostgreSQL creates a new database wherever this file is missing, over whatever is there. */
export const isDatabase = ({ database }: Places): boolean => existsSync(join(database, 'PG_VERSION'))
