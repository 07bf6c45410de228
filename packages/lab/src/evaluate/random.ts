import { createSfc32, type Sfc32 } from '@ti/core/base/sfc32.ts'

/** Random numbers for resampling: the same seed and purpose give the same numbers on every machine. */
export interface Random extends Pick<Sfc32, 'float' | 'int'> {
  /** In place (Fisher and Yates). */
  shuffle(items: { [index: number]: number; readonly length: number }): void
}

/** Each purpose has its own stream, so that adding or removing an analysis does not change the others. */
export function createRandom(seed: number, purpose: string): Random {
  const { float, int } = createSfc32(seed, hash(purpose), 0, 15)
  return {
    float,
    int,
    shuffle(items) {
      for (let i = items.length - 1; i > 0; i--) {
        const j = int(i + 1)
        const kept = items[i]!
        items[i] = items[j]!
        items[j] = kept
      }
    },
  }
}

/** FNV-1a, 32 bits. */
function hash(text: string): number {
  let h = 0x811c9dc5
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193)
  return h | 0
}
