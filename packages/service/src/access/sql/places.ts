import { join } from 'node:path'

/** Paths of the embedded database in a data directory. */
export interface Places {
  readonly dataDir: string
  readonly file: string
  /** the newest commit that was acknowledged: SQLite takes a write-ahead log that lost its end for a shorter one */
  readonly acknowledged: string
  readonly copies: string
  /** prefix of directories that keep a damaged database */
  readonly damaged: string
}

export const placesIn = (dataDir: string): Places => ({
  dataDir,
  file: join(dataDir, 'accounts.sqlite'),
  acknowledged: join(dataDir, 'accounts.sqlite-acknowledged'),
  copies: join(dataDir, 'accounts-copies'),
  damaged: join(dataDir, 'accounts-damaged-'),
})
