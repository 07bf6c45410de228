const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
/** Six bits by character code; -1 if the character is not a digit. */
const DIGIT = new Int8Array(128).fill(-1)
for (let i = 0; i < 64; i++) DIGIT[ALPHABET.charCodeAt(i)] = i
const PAD = 61
/** Costs nothing for a text that the engine keeps in bytes, as it does nearly every one. */
const WIDE = /[\u0100-\uffff]/

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
  // the decoder takes what is above U+00FF by its low byte
  if (text.includes('-') || text.includes('_') || WIDE.test(text)) return null
  return padding === 0 || isWhole(text, padding) ? bytes : null
}

/** Bits of the last group that no byte takes must be zero, or two texts would mean the same bytes: two for each padding. */
function isWhole(text: string, padding: number): boolean {
  const end = text.length - padding
  let last = 0
  for (let i = text.length - 4; i < end; i++) {
    last = DIGIT[text.charCodeAt(i)] ?? -1
    if (last < 0) return false
  }
  return (last & (padding === 1 ? 3 : 15)) === 0
}
