/**
 * Makes strangers' text one line of plain text. It is cleaned where it enters, before the log, because the result depends
 * on the Unicode tables of the running Node.
 */

const ASCII_WORDS = /^(?:[\x21-\x7e]+(?: [\x21-\x7e]+)*)?$/

/** Braille's blank is white space that Unicode counts as a symbol. */
const SPACES = /[\s\u2800]+/gu

/** Without these, words of ordinary scripts are read otherwise (RFC 5892, appendix A): viramas, and Arabic letters that join. */
const VIRAMA = String.raw`[\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d4d\u0dca\u1039\u17d2]`
const JOINING = String.raw`(?![\u0621-\u0625\u0627\u0629\u062f-\u0632\u0648])(?=\p{L})\p{Script=Arabic}`
const KEPT = String.raw`(?<=${VIRAMA})[\u200c\u200d](?=\p{L})|(?<=${JOINING})\u200c(?=(?=\p{L})\p{Script=Arabic})`

/** A picture, with the colour of its skin or shown in colour where it is not by itself; up to four joined to one (UTS #51); keycaps. */
const PICTURE = String.raw`\p{ExtPict}(?:[\u{1f3fb}-\u{1f3ff}]|(?<=(?=\p{Emoji})(?!\p{EPres})\p{ExtPict})\ufe0f)?`
const PICTURES = String.raw`${PICTURE}(?:\u200d${PICTURE}){0,3}|[\d#*]\ufe0f(?=\u20e3)`
/** Control, format and direction characters, tags, halves, private and unassigned ones, fillers, stand-ins for objects. */
const UNSEEN = new RegExp(String.raw`(${PICTURES})|(?!${KEPT})[\p{C}\p{Default_Ignorable_Code_Point}\ufffc]`, 'gu')

/** Marks above and below a letter reach into other lines: two of those that fit any letter, five of a script’s own. */
const PILED = /((?:(?=\p{M})\p{Script=Inherited}){2})(?:(?=\p{M})\p{Script=Inherited})+|(\p{M}{5})\p{M}+/gu
/** They would stand on the character before the text. */
const LEADING = /^(?:\p{M}| )+/u

const round = (text: string): string =>
  text.replace(SPACES, ' ').replace(UNSEEN, '$1').normalize('NFC').replace(PILED, '$1$2').replace(LEADING, '').trimEnd()

/** What is left may meet what it was kept from, so a second round follows a change. */
function tidy(text: string): string {
  const once = round(text)
  return once === text ? once : round(once)
}

/** One line of at most `most` characters without any that is invisible or does something to the text around it. */
export function plainLine(text: string, most: number): string {
  if (text.length <= most && ASCII_WORDS.test(text)) return text
  // four times the bound leaves room for what is dropped, and keeps the work bounded
  const line = tidy(text.slice(0, most * 4))
  const characters = [...line]
  return characters.length <= most ? line : `${tidy(characters.slice(0, most - 1).join(''))}…`
}

/** A stranger’s words within our own: in quotation marks, which they cannot leave. */
export const quoted = (text: string, most: number, line: (text: string, most: number) => string = plainLine): string =>
  `“${line(text.replace(/["＂\p{Pi}\p{Pf}]/gu, ''), most)}”`
