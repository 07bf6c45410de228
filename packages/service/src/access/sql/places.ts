import { join } from 'node:path'

/** Paths of the embedded database in a data directory. */
export interface Places {
  readonly dataDir: string
  readonly file: string
  /** newest acknowledged commit; SQLite accepts a write-ahead log that lost its end as a shorter one */
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
