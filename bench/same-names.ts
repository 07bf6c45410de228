import { brotliDecompressSync, gunzipSync } from 'node:zlib'

/** What is a node's own, and the name it is replaced by. */
export interface Named {
  readonly names: Readonly<Record<string, string>>
}

/** Fields whose values are made anew by every node, at any depth of a body, as they stand in JSON text. */
const FIELDS: readonly (readonly [name: string, value: RegExp])[] = [
  ['cached_at', /"[^"]*"/],
  ['transaction', /"[1-9A-HJ-NP-Za-km-z]{80,90}"/],
  ['nonce', /"[^"]*"/],
  ['expires_at', /"[^"]*"/],
  ['issuedAt', /"[^"]*"/],
  ['expirationTime', /"[^"]*"/],
  ['until', /"[^"]*"/],
  ['left_s', /\d+/],
  ['reset_s', /\d+/],
  ['uptime_s', /\d+/],
  ['memory_bytes', /\d+/],
]
const TIME = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g
const LIMITED = /^HTTP\/1\.1 429 /
/** headers that carry JSON in base64 */
const ENCODED = /^(payment-required|payment-response|x-payment-response): (\S+)$/gim

/** Replaces what is a node's own by its name; the length of a body is checked first, because it is one of these too. */
export function createNormaliser({ names }: Named): (answer: string) => string {
  return (answer) => {
    const end = answer.indexOf('\r\n\r\n')
    const [head, body] = end < 0 ? [answer, ''] : [answer.slice(0, end), answer.slice(end + 4)]
    const length = /^content-length: (\d+)$/im.exec(head)?.[1]
    const lines = head
      .replace(ENCODED, (_, name, text) => `${name}: ${Buffer.from(text, 'base64').toString('latin1')}`)
      .replace(/^date: .*$/im, 'date: DATE')
      .replace(/^x-ratelimit-reset: \d+$/im, 'x-ratelimit-reset: SECONDS')
      .replace(/^etag: .*$/im, 'etag: TAG')
      .replace(/^set-cookie: (\w+)=[^;]+/gim, 'set-cookie: $1=VALUE')
      .replace(/^content-length: \d+$/im, `content-length: ${lengthOf(length, body)}`)
    const text = named(`${lines}\r\n\r\n${decoded(head, body)}`, names)
    // the rest of a window; other waits are constants
    return LIMITED.test(text) ? text.replace(/retry[-_]after("?): ?\d+/g, 'retry after$1: SECONDS') : text
  }
}

/** What a compressed body says: a node's own stands in it too. */
function decoded(head: string, body: string): string {
  const encoding = /^content-encoding: (\w+)$/im.exec(head)?.[1]
  if (encoding === undefined || body === '') return body
  return (encoding === 'br' ? brotliDecompressSync : gunzipSync)(Buffer.from(body, 'latin1')).toString('latin1')
}

/** A HEAD has no body, and then the length is that of another answer. */
const lengthOf = (length: string | undefined, body: string): string =>
  body === '' ? 'OF A BODY' : Number(length) === body.length ? 'RIGHT' : `WRONG (${length} for ${body.length})`

function named(text: string, names: Readonly<Record<string, string>>): string {
  let changed = text
    .replace(/\breq_[\w-]{16}/g, 'REQUEST_ID')
    .replace(/resets in \d+ s/g, 'resets in SECONDS')
    .replace(/Nonce: \w+/g, 'Nonce: NONCE')
    // files of the page are named by what is in them, and the page is not what is compared
    .replace(/(\/assets\/[\w.-]*?)-[\w-]{8}(?=\.\w)/g, '$1-HASH')
  for (const [own, name] of Object.entries(names)) changed = changed.replaceAll(own, name)
  for (const [name, value] of FIELDS) {
    // in a text of a result the quotes are escaped
    const field = new RegExp(`(\\\\*)"${name}\\1":(${value.source.replaceAll('"', '\\\\*"')})`, 'g')
    changed = changed.replace(field, `"${name}":${name.toUpperCase()}`)
  }
  return changed.replace(TIME, 'TIME')
}
