import { join } from 'node:path'

/** Paths of the embedded database in a data directory. */
export type Places = ReturnType<typeof placesIn>

export const placesIn = (dataDir: string) => ({
  dataDir,
  file: join(dataDir, 'accounts.sqlite'),
  /** newest acknowledged commit; SQLite accepts a write-ahead log that lost its end as a shorter one */
  acknowledged: join(dataDir, 'accounts.sqlite-acknowledged'),
  copies: join(dataDir, 'accounts-copies'),
  /** prefix of directories that keep a damaged database */
  damaged: join(dataDir, 'accounts-damaged-'),
})
