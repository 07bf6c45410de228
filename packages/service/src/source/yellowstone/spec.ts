import { EXIT, OperatorError } from '../../base/errors.ts'

/** endpoints of one source */
const ENDPOINTS = 8

interface Endpoint {
  readonly url: string
  readonly token: string | undefined
}

const refuse = (message: string): OperatorError =>
  new OperatorError(`source yellowstone: ${message}`, { exitCode: EXIT.usage })

/**
 * Endpoints from their URLs and YELLOWSTONE_TOKEN: one token, or with several endpoints as many, in their order, between
 * commas (empty for an endpoint without). A token goes to its own endpoint only, and never over a plain connection that
 * leaves the machine. OperatorError says what is wrong; it never repeats a token.
 */
export function endpointsOf(urls: readonly string[], tokens: string | undefined): Endpoint[] {
  if (urls.length > ENDPOINTS) throw refuse(`has more than ${ENDPOINTS} endpoints`)
  const parts = tokens === undefined || tokens === '' ? urls.map(() => '') : tokens.split(',')
  if (parts.length !== urls.length)
    throw refuse(
      `YELLOWSTONE_TOKEN has ${parts.length} tokens for ${urls.length} endpoints. Write one for each, separated by commas`,
    )
  return urls.map((text, i) => {
    const url = checked(text)
    const token = parts[i]!.trim()
    if (/[^\x21-\x7e]/.test(token)) throw refuse('YELLOWSTONE_TOKEN has characters that a token cannot have')
    if (token !== '' && url.protocol === 'http:' && !isLoopback(url.hostname))
      throw refuse(`${url.origin} would be sent its token unprotected. Use https`)
    return { url: url.href.replace(/\/$/, ''), token: token === '' ? undefined : token }
  })
}

function checked(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:') || url.hostname === '')
    throw refuse('takes an address like https://host:port')
  // addresses are logged, so they may hold no secret
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    throw refuse(`${url.origin}: has more than an address. Give the token in YELLOWSTONE_TOKEN`)
  return url
}

const isLoopback = (host: string): boolean => host === 'localhost' || host === '[::1]' || /^127(\.\d+){3}$/.test(host)
