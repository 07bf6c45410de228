import { plainLine } from '@ti/core/base/plain-text.ts'
import { URL_LENGTH } from '@ti/core/contract/account.ts'
import type { Alert } from '../alert.ts'

/** characters of a title and of a line, and lines of a message: within 4,096 also where each takes two units and is escaped */
const TITLE_LENGTH = 200
const LINE_LENGTH = 300
const LINES_MAX = 5

/**
 * Turns an alert into lines without line ends, control characters or direction marks, short enough for Discord and Telegram
 * together. Strangers choose parts of the text, so each service shows these lines as code, in which it renders no link or
 * mention.
 */
export function alertLines({ title, text }: Pick<Alert, 'title' | 'text'>): readonly string[] {
  const rest = text.split('\n').map((line) => plainLine(line, LINE_LENGTH))
  return [plainLine(title, TITLE_LENGTH), ...rest.slice(0, LINES_MAX)].filter((line) => line !== '')
}

interface Link {
  readonly label: string
  readonly url: string
}

/** Keeps the links with a valid address, in a form without characters that would end a link early. */
export const safeLinks = (links: readonly Link[]): readonly Link[] =>
  links.flatMap(({ label, url }) => {
    if (url.length > URL_LENGTH || !URL.canParse(url)) return []
    const { protocol, href } = new URL(url)
    if (protocol !== 'https:' && protocol !== 'http:') return []
    return [{ label: label.replace(/[^\w ]/g, ''), url: href.replace(/[()<>"'`\\\s*_~|]/g, encode) }]
  })

const encode = (char: string): string => `%${char.charCodeAt(0).toString(16).padStart(2, '0').toUpperCase()}`
