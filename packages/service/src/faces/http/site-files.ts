import { send } from '../answer.ts'
import type { Serve } from '../answering.ts'
import { textDocument } from './document.ts'

/** Files that crawlers and those who found a flaw look for on every site. */

const TEXT = 'text/plain; charset=utf-8'
const DAY_MS = 86_400_000
/** days for which a security.txt that was read may be relied on; RFC 9116 wants less than a year */
const SECURITY_DAYS = 180

/** Crawlers find the page. What has a price, belongs to an account or is a stream is not for them. */
export const robots = textDocument(
  TEXT,
  ['User-agent: *', ...['/v1/', '/app/', '/account', '/mcp', '/socket'].map((path) => `Disallow: ${path}`), ''].join(
    '\n',
  ),
)

/** RFC 9116. `contact` is a mailto: or https: URI. */
export const securityText =
  (contact: string, publicUrl: string): Serve =>
  (_request, response, id) => {
    const expires = new Date(Math.ceil(Date.now() / DAY_MS + SECURITY_DAYS) * DAY_MS).toISOString()
    const canonical = `${publicUrl}/.well-known/security.txt`
    const lines = [`Contact: ${contact}`, `Expires: ${expires}`, 'Preferred-Languages: en', `Canonical: ${canonical}`]
    return send(response, 200, id, TEXT, `${lines.join('\n')}\n`)
  }
