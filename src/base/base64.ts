/**
 * Bytes of standard base64 with its padding (RFC 4648, section 4), or null. The platform's decoder skips what does not belong
 * there, takes the URL alphabet too, and so turns a damaged text into other bytes.
 */
export function base64Decode(text: string): Buffer | null {
  const { length } = text
  if (length === 0 || length % 4 !== 0) return length === 0 ? Buffer.alloc(0) : null
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0
  const bytes = Buffer.from(text, 'base64')
  // what was skipped, and everything behind a padding in the middle, is missing at the end
  if (bytes.length !== (length / 4) * 3 - padding) return null
  if (text.includes('-') || text.includes('_')) return null
  // bits that no byte takes must be zero, or two texts would mean the same bytes
  const isWhole = padding === 0 || bytes.toString('base64', bytes.length - (3 - padding)) === text.slice(-4)
  return isWhole ? bytes : null
}
