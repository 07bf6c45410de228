/** Control, format and direction characters, halves of characters, private and unassigned ones, line ends, fillers. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu

/** What strangers wrote, as one line of at most `most` characters that does nothing to the text around it. */
export function plainLine(text: string, most: number): string {
  // marks are put together first, and then at most a few of them may stand on one letter
  const line = text
    .normalize('NFC')
    .replace(UNPRINTABLE, '')
    .replace(/(\p{M}{2})\p{M}+/gu, '$1')
    .replace(/\s+/gu, ' ')
    .trim()
  const characters = [...line]
  return characters.length <= most
    ? line
    : `${characters
        .slice(0, most - 1)
        .join('')
        .trimEnd()}…`
}
