import { readFileSync } from 'node:fs'
import { BUILT } from '../base/root.ts'

/**
 * The fingerprint of the fold: 16 hex digits that the build makes of everything that decides what the fold of a log gives
 * (`scripts/fingerprint.mjs`). A state of another fingerprint is not what this program folds from the same log. Throws where the
 * program was never built.
 */
export const FOLD_FINGERPRINT: string = readFileSync(new URL('fingerprint.txt', BUILT), 'utf8')
