import { plainLine } from '@ti/core/base/plain-text.ts'

/** Makes untrusted text safe for a terminal: it cannot move the cursor, change colours or the writing direction. */

/** the width of a text in terminal cells; precise enough for columns, as terminals differ */
export function cells(text: string): number {
  let sum = 0
  for (const { segment } of graphemes.segment(text)) sum += WIDE.test(segment) ? 2 : 1
  return sum
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })
const WIDE =
  /\p{Emoji_Presentation}|[\u{3000}-\u{303e}\u{ff01}-\u{ff60}\u{ffe0}-\u{ffe6}]|(?![\u{ff61}-\u{ffdc}])[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u

/** characters of a cell at most: marks on one letter are few */
const CELL_CHARACTERS = 16
/** Terminals disagree on the width of joined and coloured pictures. */
const JOINED = /\p{Join_Control}|\p{Variation_Selector}/gu

/** Untrusted text on one line of at most `most` cells; truncated text ends in `…`. */
export function clean(text: string, most: number): string {
  const line = plainLine(text, most * CELL_CHARACTERS).replace(JOINED, '')
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

/** What controls a terminal, as the escape that JSON has for it; lines and tabs stay. */
export const escaped = (text: string): string =>
  text.replace(/(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, (character) =>
    [...Array(character.length).keys()]
      .map((i) => `\\u${character.charCodeAt(i).toString(16).padStart(4, '0')}`)
      .join(''),
  )

export const jsonLine = (value: unknown): string => escaped(JSON.stringify(value))
