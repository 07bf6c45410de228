/**
 * SHA-256 of many short texts. The browser's own hash is asynchronous, which costs ten times the hash itself, and is missing
 * over plain HTTP.
 */

/** First 32 bits of the fractional part of a root, as the standard defines its constants. */
const fraction = (root: number): number => Math.floor((root - Math.floor(root)) * 2 ** 32) | 0

function primes(count: number): number[] {
  const found: number[] = []
  for (let n = 2; found.length < count; n++) if (found.every((prime) => n % prime !== 0)) found.push(n)
  return found
}

const PRIMES = primes(64)
const ROUNDS = Int32Array.from(PRIMES, (prime) => fraction(Math.cbrt(prime)))
const START = Int32Array.from(PRIMES.slice(0, 8), (prime) => fraction(Math.sqrt(prime)))

const BLOCK = 64
const words = new Int32Array(64)

function compress(state: Int32Array, bytes: Uint8Array, at: number): void {
  const w = words
  for (let i = 0, from = at; i < 16; i++, from += 4) {
    w[i] = (bytes[from]! << 24) | (bytes[from + 1]! << 16) | (bytes[from + 2]! << 8) | bytes[from + 3]!
  }
  for (let i = 16; i < 64; i++) {
    const [x, y] = [w[i - 15]!, w[i - 2]!]
    const s0 = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3)
    const s1 = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10)
    w[i] = (w[i - 16]! + s0 + w[i - 7]! + s1) | 0
  }
  let a = state[0]!
  let b = state[1]!
  let c = state[2]!
  let d = state[3]!
  let e = state[4]!
  let f = state[5]!
  let g = state[6]!
  let h = state[7]!
  for (let i = 0; i < 64; i++) {
    const s1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7))
    const one = (h + s1 + ((e & f) ^ (~e & g)) + ROUNDS[i]! + w[i]!) | 0
    const s0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10))
    const two = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0
    h = g
    g = f
    f = e
    e = (d + one) | 0
    d = c
    c = b
    b = a
    a = (one + two) | 0
  }
  state[0] = (state[0]! + a) | 0
  state[1] = (state[1]! + b) | 0
  state[2] = (state[2]! + c) | 0
  state[3] = (state[3]! + d) | 0
  state[4] = (state[4]! + e) | 0
  state[5] = (state[5]! + f) | 0
  state[6] = (state[6]! + g) | 0
  state[7] = (state[7]! + h) | 0
}

/** Hashes texts with a common prefix; whole blocks of the prefix are hashed once. ASCII only. */
interface Prefix {
  /** hash of the prefix and `end`, as eight words that the next call overwrites */
  hash(end: string): Int32Array
}

export function createPrefix(beginning: string): Prefix {
  const bytes = new TextEncoder().encode(beginning)
  const whole = bytes.length - (bytes.length % BLOCK)
  const middle = START.slice()
  for (let at = 0; at < whole; at += BLOCK) compress(middle, bytes, at)
  const rest = bytes.subarray(whole)
  const state = new Int32Array(8)
  const last = new Uint8Array(2 * BLOCK)

  return {
    hash(end) {
      let length = rest.length + end.length
      if (length + 9 > last.length) throw new RangeError('the end is too long')
      state.set(middle)
      last.fill(0)
      last.set(rest)
      for (let i = 0; i < end.length; i++) last[rest.length + i] = end.charCodeAt(i)
      last[length] = 0x80
      const size = length + 9 <= BLOCK ? BLOCK : 2 * BLOCK
      length = (whole + length) * 8
      last[size - 4] = length >>> 24
      last[size - 3] = length >>> 16
      last[size - 2] = length >>> 8
      last[size - 1] = length
      for (let at = 0; at < size; at += BLOCK) compress(state, last, at)
      return state
    },
  }
}
