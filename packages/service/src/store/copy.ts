import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { backup, DatabaseSync } from '@photostructure/sqlite'
import { OperatorError } from '../base/errors.ts'
import { refuse } from './damage.ts'
import { stateDir, stateFile } from './open.ts'

/** all pages in one step, because concurrent commits would restart a partial copy */
const ALL_PAGES = 2 ** 31 - 1

/** Copies the state in `dir` as of one commit into the directory `to`, while another process may be writing. */
export async function copyState(dir: string, to: string): Promise<void> {
  const path = stateFile(dir)
  if (!existsSync(path)) throw refuse(path, 'there is no such file')
  mkdirSync(stateDir(to), { recursive: true })
  const source = new DatabaseSync(path, { readOnly: true })
  try {
    await backup(source, stateFile(to), { rate: ALL_PAGES })
  } catch (error) {
    rmSync(stateDir(to), { recursive: true, force: true })
    throw new OperatorError(`${path} could not be copied to ${to}: ${(error as Error).message}`, { cause: error })
  } finally {
    source.close()
  }
}
