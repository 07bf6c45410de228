import { writeFileSync } from 'node:fs'
import { foldSlice } from './slice.ts'
import { pageOf, SLICE_PAGE } from './whole-market.ts'

writeFileSync(SLICE_PAGE, pageOf(foldSlice()))
console.log(SLICE_PAGE)
