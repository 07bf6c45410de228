/** An identicon derived from the mint: five mirrored columns in one of eight tints. */
interface MarkShape {
  /** 0 to 7 */
  readonly tint: number
  /** SVG path in a 7 × 7 square */
  readonly path: string
}

/** FNV-1a, 32 bits */
function hash(text: string, seed: number): number {
  let value = (0x811c9dc5 ^ seed) >>> 0
  for (let i = 0; i < text.length; i += 1) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193) >>> 0
  value ^= value >>> 15
  return Math.imul(value, 0x2c1b3c6d) >>> 0
}

const COLUMNS = 3
const ROWS = 5

export function markOf(mint: string): MarkShape {
  const bits = hash(mint, 1)
  let path = ''
  for (let i = 0; i < COLUMNS * ROWS; i += 1) {
    if (((bits >>> (i + 8)) & 1) === 0) continue
    const x = i % COLUMNS
    const y = Math.floor(i / COLUMNS) + 1
    path += `M${x + 1} ${y}h1v1h-1z`
    if (x < 2) path += `M${5 - x} ${y}h1v1h-1z`
  }
  return { tint: hash(mint, 2) >>> 29, path: path === '' ? 'M3 1h1v5h-1z' : path }
}
