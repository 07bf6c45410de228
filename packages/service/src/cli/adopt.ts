import { EXIT, OperatorError } from '../base/errors.ts'
import { environment } from '../config/environment.ts'
import { readOptions } from '../config/options.ts'
import { openLog } from '../service/shared-log.ts'
import { FOLD_FINGERPRINT } from '../store/fingerprint.ts'
import type { Run } from './definition.ts'

export const adopt: Run = async (given, io) => {
  const log = await openLog(readOptions(environment()), io.signal)
  if (log === null) throw new OperatorError('adopt needs LOG_URL: the log that nodes share', { exitCode: EXIT.usage })
  try {
    const before = await log.agreed(FOLD_FINGERPRINT)
    await log.agree(FOLD_FINGERPRINT)
    const text = `nodes with fingerprint ${FOLD_FINGERPRINT} serve; before: ${before}`
    io.result(`${given.has('json') ? JSON.stringify({ agreed: FOLD_FINGERPRINT, before }) : text}\n`)
  } finally {
    await log.close()
  }
}
