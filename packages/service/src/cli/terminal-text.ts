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
export const clean = (text: string, most: number): string =>
  cut(plainLine(text, most * CELL_CHARACTERS).replace(JOINED, ''), most)

/** At most `most` cells of a line that is clean. */
export function cut(line: string, most: number): string {
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

const COLOUR_CODES = { green: 32, red: 31, cyan: 36, yellow: 33, neutral: 2 } as const
export type TerminalColour = keyof typeof COLOUR_CODES

export const painter =
  (colours: boolean) =>
  (colour: TerminalColour, text: string): string =>
    colours ? `\u001b[${COLOUR_CODES[colour]}m${text}\u001b[0m` : text

const OBEYED = /(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu
const OBEYED_BUT_COLOURS = new RegExp(`(?!\\u001b\\[(?:0|2|3[1236])m)${OBEYED.source}`, 'gu')

/** What controls a terminal, as the escape that JSON has for it; lines and tabs stay, and with `colours` those of `painter`. */
export const escaped = (text: string, colours = false): string =>
  text.replace(colours ? OBEYED_BUT_COLOURS : OBEYED, (character) =>
    [...Array(character.length).keys()]
      .map((i) => `\\u${character.charCodeAt(i).toString(16).padStart(4, '0')}`)
      .join(''),
  )

export const jsonLine = (value: unknown): string => escaped(JSON.stringify(value))
