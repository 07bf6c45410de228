import { EXIT, OperatorError } from '../base/errors.ts'
import type { Options } from '../config/options.ts'

/** What a node does: bring what its source gives into the log, answer, or both. Each of them folds. */
const ROLES = ['all', 'ingest', 'serve'] as const
export type Role = (typeof ROLES)[number]

/** OperatorError for any other value, or where the node would have nothing to do. */
export function roleOf(text: string | undefined, { logUrls }: Pick<Options, 'logUrls'>): Role {
  const role = ROLES.find((name) => name === (text ?? 'all'))
  if (role === undefined) throw new OperatorError(`--role is one of ${ROLES.join(', ')}`, { exitCode: EXIT.usage })
  if (role !== 'all' && logUrls === null) {
    throw new OperatorError(`--role ${role} needs LOG_URL: the log that nodes share`, { exitCode: EXIT.usage })
  }
  return role
}
