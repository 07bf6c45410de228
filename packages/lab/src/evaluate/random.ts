import { createSfc32, type Sfc32 } from '@ti/core/base/sfc32.ts'

/** Random numbers for resampling: the same seed and purpose give the same numbers on every machine. */
export type Random = Pick<Sfc32, 'float' | 'int'>

/** Each purpose has its own stream, so that adding or removing an analysis does not change the others. */
export const createRandom = (seed: number, purpose: string): Random => createSfc32(seed, hash(purpose), 0, 15)

/** FNV-1a, 32 bits. */
function hash(text: string): number {
  let h = 0x811c9dc5
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193)
  return h | 0
}
