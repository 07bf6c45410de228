/** Text from outside, for a terminal: nothing in it moves the cursor, changes colours or turns the writing round. */

/** control, format (bidirectional marks too), surrogates, private and unassigned characters, and variation selectors */
const UNSEEN = /\p{C}|\p{Variation_Selector}/gu

/** cells of a terminal that a text takes; exact enough for columns, terminals differ about the rest */
export function cells(text: string): number {
  let sum = 0
  for (const { segment } of graphemes.segment(text)) sum += WIDE.test(segment) ? 2 : 1
  return sum
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })
const WIDE =
  /\p{Emoji_Presentation}|[\u{3000}-\u{303e}\u{ff01}-\u{ff60}\u{ffe0}-\u{ffe6}]|(?![\u{ff61}-\u{ffdc}])[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u

/** One line of at most `most` cells; what is cut off leaves `…`. */
export function clean(text: string, most: number): string {
  // no more of a text of megabytes is looked at than could be shown: a cell has few characters once marks are bounded
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

/** `FxtV…Ew4Z`: enough to distinguish tokens and wallets by eye */
export const shortKey = (key: string): string => clean(key.length <= 9 ? key : `${key.slice(0, 4)}…${key.slice(-4)}`, 9)

/** The same value as JSON on one line, without a character that a terminal would obey. */
export const jsonLine = (value: unknown): string =>
  JSON.stringify(value).replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) =>
    [...Array(character.length).keys()]
      .map((i) => `\\u${character.charCodeAt(i).toString(16).padStart(4, '0')}`)
      .join(''),
  )
