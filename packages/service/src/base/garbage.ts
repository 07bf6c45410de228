import { setFlagsFromString } from 'node:v8'

/**
 * New objects are always young, where most of them die. By itself V8 makes records old at once in code whose earlier ones
 * survived: those that the fold reads do, those of a reading do not. Then dead old records keep alive what they point to, and
 * each collection in a reading of very many holders copies 4 MB instead of 0.2 to 0.4. For the whole process, before it works.
 */
export const makeEverythingYoung = (): void => setFlagsFromString('--no-allocation-site-pretenuring')

/**
 * Lets the old generation grow by this many percent over what lived at the last full collection, instead of to a multiple that V8
 * derives from the machine's memory: the service then uses what its state needs, and neither more on a larger machine nor in
 * waves. Marking costs the same for each byte that grew old, however large the heap is.
 */
export const boundHeapGrowth = (percent: number): void => setFlagsFromString(`--heap-growing-percent=${percent}`)
