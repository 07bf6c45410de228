import { brotliDecompressSync, gunzipSync } from 'node:zlib'

/** Node-specific values, and the names that replace them. */
export interface Named {
  readonly names: Readonly<Record<string, string>>
}

/** Fields that every node sets itself, at any depth of a JSON body. */
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
/** headers with base64-encoded JSON */
const ENCODED = /^(payment-required|payment-response|x-payment-response): (\S+)$/gim

/** Replaces node-specific values by names. The length of the body is checked first, because it depends on them. */
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
    // the rest of a window varies; other waits are constant
    return LIMITED.test(text) ? text.replace(/retry[-_]after("?): ?\d+/g, 'retry after$1: SECONDS') : text
  }
}

/** Decompresses a body, so that values in it can be replaced. */
function decoded(head: string, body: string): string {
  const encoding = /^content-encoding: (\w+)$/im.exec(head)?.[1]
  if (encoding === undefined || body === '') return body
  return (encoding === 'br' ? brotliDecompressSync : gunzipSync)(Buffer.from(body, 'latin1')).toString('latin1')
}

/** The answer to a HEAD has no body, and its length is another answer's. */
const lengthOf = (length: string | undefined, body: string): string =>
  body === '' ? 'OF A BODY' : Number(length) === body.length ? 'RIGHT' : `WRONG (${length} for ${body.length})`

function named(text: string, names: Readonly<Record<string, string>>): string {
  let changed = text
    .replace(/\breq_[\w-]{16}/g, 'REQUEST_ID')
    .replace(/resets in \d+ s/g, 'resets in SECONDS')
    .replace(/Nonce: \w+/g, 'Nonce: NONCE')
    // names of page files contain a hash, and the page is not compared
    .replace(/(\/assets\/[\w.-]*?)-[\w-]{8}(?=\.\w)/g, '$1-HASH')
  for (const [own, name] of Object.entries(names)) changed = changed.replaceAll(own, name)
  for (const [name, value] of FIELDS) {
    // quotes are escaped within the text of a result
    const field = new RegExp(`(\\\\*)"${name}\\1":(${value.source.replaceAll('"', '\\\\*"')})`, 'g')
    changed = changed.replace(field, `"${name}":${name.toUpperCase()}`)
  }
  return changed.replace(TIME, 'TIME')
}
