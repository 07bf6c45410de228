/** Makes untrusted text safe for a terminal: it cannot move the cursor, change colours or the writing direction. */

/** control, format (also bidirectional), surrogate, private and unassigned characters, and variation selectors */
const UNSEEN = /\p{C}|\p{Variation_Selector}/gu

/** the width of a text in terminal cells; precise enough for columns, as terminals differ */
export function cells(text: string): number {
  let sum = 0
  for (const { segment } of graphemes.segment(text)) sum += WIDE.test(segment) ? 2 : 1
  return sum
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })
const WIDE =
  /\p{Emoji_Presentation}|[\u{3000}-\u{303e}\u{ff01}-\u{ff60}\u{ffe0}-\u{ffe6}]|(?![\u{ff61}-\u{ffdc}])[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u

/** One line of at most `most` cells; truncated text ends in `…`. */
export function clean(text: string, most: number): string {
  // examines only as much of a huge text as could be shown: with bounded marks, a cell has few characters
  const line = text
    .slice(0, most * 64)
    .replace(/\s+/gu, ' ')
    .replace(UNSEEN, '')
    .replace(/(\p{M}{2})\p{M}+/gu, '$1')
    .trim()
  if (cells(line) <= most) return line
  let kept = ''
  let room = most - 1
  for (const { segment } of graphemes.segment(line)) {
    room -= cells(segment)
    if (room < 0) break
    kept += segment
  }
  return `${kept}…`
}

export const padEnd = (text: string, width: number): string => text + ' '.repeat(Math.max(0, width - cells(text)))

/** `FxtV…Ew4Z`, enough to tell tokens and wallets apart */
export const shortKey = (key: string): string => clean(key.length <= 9 ? key : `${key.slice(0, 4)}…${key.slice(-4)}`, 9)

/** JSON on one line, with all characters escaped that control a terminal. */
export const jsonLine = (value: unknown): string =>
  JSON.stringify(value).replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) =>
    [...Array(character.length).keys()]
      .map((i) => `\\u${character.charCodeAt(i).toString(16).padStart(4, '0')}`)
      .join(''),
  )
