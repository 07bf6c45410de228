/** Chance for resampling: the same seed and purpose give the same numbers on every machine. */
export interface Random {
  /** [0, 1), 32 bits */
  float(): number
  /** [0, n), whole */
  int(n: number): number
  /** in place (Fisher and Yates) */
  shuffle(items: { [index: number]: number; readonly length: number }): void
}

/**
 * sfc32 (Chris Doty-Humphrey). Each purpose has a stream of its own, so that one analysis more or less leaves the
 * numbers of the others as they were.
 */
export function createRandom(seed: number, purpose: string): Random {
  let x = seed | 0
  let y = hash(purpose)
  let z = 0
  let counter = 1
  const uint32 = (): number => {
    const t = (x + y + counter) | 0
    counter = (counter + 1) | 0
    x = y ^ (y >>> 9)
    y = (z + (z << 3)) | 0
    z = (z << 21) | (z >>> 11)
    z = (z + t) | 0
    return t >>> 0
  }
  // the first outputs of similar seeds resemble each other
  for (let i = 0; i < 15; i++) uint32()
  const float = (): number => uint32() / 4_294_967_296
  const int = (n: number): number => Math.floor(float() * n)
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
