import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { EXIT, OperatorError } from '../base/errors.ts'
import { stateDir } from './open.ts'

/** damaged states that are kept aside; and the period in milliseconds: more repairs than that within it mean that the machine is at fault */
export const DAMAGED_STATES_KEPT = 2
export const STATE_REPAIRS = 2
export const STATE_REPAIR_WINDOW_MS = 3_600_000

const PREFIX = 'state-damaged-'

/** Names of the states that were set aside, oldest first. */
export const damagedStates = (dir: string): string[] =>
  readdirSync(dir)
    .filter((name) => name.startsWith(PREFIX))
    .sort()

/**
 * Moves a damaged state aside, so that it is folded again, and keeps the newest few for diagnosis. Throws an
 * OperatorError if this happened too often within an hour, because then the file is not the cause.
 */
export function setStateAside(dir: string, why: string, nowMs: number): string {
  const recent = damagedStates(dir).filter((name) => nowMs - timeOf(name) < STATE_REPAIR_WINDOW_MS)
  if (recent.length >= STATE_REPAIRS) {
    throw new OperatorError(
      `${stateDir(dir)} was found damaged ${recent.length + 1} times within an hour (${why}): the disk or the memory of this ` +
        'machine is failing. Move DATA_DIR to another machine and start there',
      { exitCode: EXIT.badFile },
    )
  }
  let name = `${PREFIX}${new Date(nowMs).toISOString().replaceAll(':', '-')}`
  while (existsSync(join(dir, name))) name += 'a'
  renameSync(stateDir(dir), join(dir, name))
  for (const old of damagedStates(dir).slice(0, -DAMAGED_STATES_KEPT))
    rmSync(join(dir, old), { recursive: true, force: true })
  return join(dir, name)
}

/** Unix milliseconds at which a state was last set aside; 0 if never, or if it was removed. */
export const lastSetAside = (dir: string): number => Math.max(0, ...damagedStates(dir).map(timeOf))

/** Unix milliseconds in the name of a state that was set aside. */
function timeOf(name: string): number {
  const [day, time = ''] = name.slice(PREFIX.length).split('T')
  const ms = Date.parse(`${day}T${time.replace('-', ':').replace('-', ':').replace(/a*$/, '')}`)
  return Number.isNaN(ms) ? 0 : ms
}
