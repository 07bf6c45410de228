import { renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { readHead } from '../log/codec.ts'
import { openSegmentLogToRead } from '../log/segments/log-reader.ts'
import { START } from './meta.ts'
import { logDir, noHistory, stateDir } from './open.ts'

const asideIn = (dir: string): string => join(dir, 'state-of-other-build')

/**
 * Moves another build's state aside, so that this build folds its own from the log. Throws an OperatorError, and
 * changes nothing, if the log lacks its beginning or has another version.
 */
export function setOtherFoldAside(dir: string): void {
  const log = openSegmentLogToRead(logDir(dir))
  try {
    if (log.chain(START.seq) === undefined) throw noHistory(dir, log.newest())
    for (const first of log.bytes(0, 1)) readHead(0, first)
  } finally {
    log.close()
  }
  removeOtherFold(dir)
  renameSync(stateDir(dir), asideIn(dir))
}

/** Called once this build's state is complete. Until then the other one is kept for its own build. */
export const removeOtherFold = (dir: string): void => rmSync(asideIn(dir), { recursive: true, force: true })
