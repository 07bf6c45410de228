/**
 * sfc32 (Chris Doty-Humphrey's small fast counter), a seeded generator: the same seed gives the same numbers on every machine. The
 * first `skipped` outputs are thrown away, because those of similar seeds resemble each other.
 */
export interface Sfc32 {
  /** starts anew, as if just created */
  reseed(a: number, b: number, c: number): void
  /** [0, 2^32) */
  uint32(): number
  /** [0, 1), 32 bits */
  float(): number
  /** [0, n), whole */
  int(n: number): number
}

export function createSfc32(a: number, b: number, c: number, skipped: number): Sfc32 {
  let x = 0
  let y = 0
  let z = 0
  let counter = 0
  const uint32 = (): number => {
    const t = (x + y + counter) | 0
    counter = (counter + 1) | 0
    x = y ^ (y >>> 9)
    y = (z + (z << 3)) | 0
    z = (z << 21) | (z >>> 11)
    z = (z + t) | 0
    return t >>> 0
  }
  const reseed = (a: number, b: number, c: number): void => {
    x = a | 0
    y = b | 0
    z = c | 0
    counter = 1
    for (let i = 0; i < skipped; i++) uint32()
  }
  const float = (): number => uint32() / 4_294_967_296
  reseed(a, b, c)
  return { reseed, uint32, float, int: (n) => Math.floor(float() * n) }
}
