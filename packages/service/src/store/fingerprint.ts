import { readFileSync } from 'node:fs'
import { BUILT } from '../base/root.ts'

/**
 * The fingerprint of the fold: 16 hex digits that the build (`scripts/fingerprint.mjs`) computes from all code that
 * decides the result of folding a log. A state with another fingerprint may differ from this program's fold. Throws if
 * the program was never built.
 */
export const FOLD_FINGERPRINT: string = readFileSync(new URL('fingerprint.txt', BUILT), 'utf8')
