import { writeFileSync } from 'node:fs'
import { PAGE, readPage, renewed } from './page.ts'

/** Writes the verdicts of docs/examples.md anew, after the formulas changed. */
writeFileSync(PAGE, renewed(readPage()))
