import { renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { LIMITS } from '../config/limits.ts'
import { readHead } from '../log/codec.ts'
import { openSegmentLogToRead } from '../log/segments/log-reader.ts'
import { START } from './meta.ts'
import { logDir, noHistory, stateDir } from './open.ts'

const asideIn = (dir: string): string => join(dir, 'state-of-other-build')

/**
 * Moves a state that another build folded out of the way, so that this build folds its own from the log. OperatorError where
 * the log lacks its beginning or has another version; nothing is changed then.
 */
export function setOtherFoldAside(dir: string): void {
  const log = openSegmentLogToRead(logDir(dir), LIMITS)
  try {
    if (log.chain(START.seq) === undefined) throw noHistory(dir, log.newest())
    for (const first of log.bytes(0, 1)) readHead(0, first)
  } finally {
    log.close()
  }
  removeOtherFold(dir)
  renameSync(stateDir(dir), asideIn(dir))
}

/** Called once this build's state is whole: until then the other one is kept for the build that folded it. */
export const removeOtherFold = (dir: string): void => rmSync(asideIn(dir), { recursive: true, force: true })
