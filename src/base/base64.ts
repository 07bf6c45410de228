const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
/** Six bits by character code; 0 for what is no digit. */
const DIGIT = new Uint8Array(128)
for (let i = 0; i < 64; i++) DIGIT[ALPHABET.charCodeAt(i)] = i
const PAD = 61

/**
 * Bytes of standard base64 with its padding (RFC 4648, section 4), or null. The platform's decoder skips what does not belong
 * there, takes the URL alphabet too, and so turns a damaged text into other bytes.
 */
export function base64Decode(text: string): Buffer | null {
  const { length } = text
  if (length === 0 || length % 4 !== 0) return length === 0 ? Buffer.alloc(0) : null
  const padding = text.charCodeAt(length - 1) !== PAD ? 0 : text.charCodeAt(length - 2) !== PAD ? 1 : 2
  const bytes = Buffer.from(text, 'base64')
  // what was skipped, and everything behind a padding in the middle, is missing at the end
  if (bytes.length !== (length / 4) * 3 - padding) return null
  if (text.includes('-') || text.includes('_')) return null
  // bits that no byte takes must be zero, or two texts would mean the same bytes: two of the last digit for each padding
  const spare = padding === 0 ? 0 : DIGIT[text.charCodeAt(length - 1 - padding) & 127]! & (padding === 1 ? 3 : 15)
  return spare === 0 ? bytes : null
}
