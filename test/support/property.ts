import fc from 'fast-check'
import { seed } from './chance.ts'

fc.configureGlobal({ seed: seed() })

/** fast-check with the seed of this run; by itself it takes another every time. */
export default fc
