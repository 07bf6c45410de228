import { EXIT, OperatorError } from '../base/errors.ts'
import type { Options } from '../config/options.ts'

/** A node brings entries from its source into the log, answers requests, or both. Each role folds. */
const ROLES = ['all', 'ingest', 'serve'] as const
export type Role = (typeof ROLES)[number]

/** Throws an OperatorError for any other value, and for a role without any work. */
export function roleOf(text: string | undefined, { logUrls }: Pick<Options, 'logUrls'>): Role {
  const role = ROLES.find((name) => name === (text ?? 'all'))
  if (role === undefined) throw new OperatorError(`--role is one of ${ROLES.join(', ')}`, { exitCode: EXIT.usage })
  if (role !== 'all' && logUrls === null) {
    throw new OperatorError(`--role ${role} needs LOG_URL: the log that nodes share`, { exitCode: EXIT.usage })
  }
  return role
}
