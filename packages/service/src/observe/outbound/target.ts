import { isIP } from 'node:net'

/** characters of a URL: a longer one is no link to a page */
const URL_LENGTH = 2_048

/** Names of this machine and its neighbours; also any name without a dot, which a search list may complete. */
const LOCAL_NAME = /(^|\.)(localhost|localdomain|local|internal|intranet|lan|home|corp|private|onion|home\.arpa)$/

/** The origin of a request's host: the operator's configuration, or a stranger on the chain or the internet. */
export type NamedBy = 'operator' | 'stranger'

export interface Target {
  readonly url: URL
  /** host name without brackets and trailing dots */
  readonly host: string
  readonly port: number
  readonly literal: boolean
  /** the operator named it and allowed its origin: it may be anywhere, also on this machine */
  readonly allowed: boolean
  /** this machine, where strangers may name it */
  readonly local: boolean
}

/** `localhost` is not resolved: it is this machine. */
const LOOPBACK: Readonly<Record<string, string>> = { localhost: '127.0.0.1', '127.0.0.1': '127.0.0.1', '::1': '::1' }

type TargetFault = 'url' | 'port' | 'address'

/**
 * Reads the target of a URL, or the reason for refusing it. The address behind a name is checked later, once it is known. An
 * allowed origin applies only to hosts named by the operator; otherwise every launch could reach the internal network.
 */
export function readTarget(
  text: string,
  namedBy: NamedBy,
  allow: ReadonlySet<string>,
  loopback = false,
): { ok: true; target: Target } | { ok: false; reason: TargetFault } {
  const refuse = (reason: TargetFault) => ({ ok: false, reason }) as const
  if (text.length > URL_LENGTH || !URL.canParse(text)) return refuse('url')
  const url = new URL(text)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return refuse('url')
  if (url.username !== '' || url.password !== '') return refuse('url')
  // a string of dots is not the end of a name that can be resolved or compared
  const host = url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  if (host === '' || host.endsWith('.')) return refuse('url')
  const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port)
  const own = loopback ? LOOPBACK[host] : undefined
  if (own !== undefined) {
    return { ok: true, target: { url, host: own, port, literal: true, allowed: false, local: true } }
  }
  const literal = isIP(host) !== 0
  const allowed = namedBy === 'operator' && allow.has(url.origin)
  if (!allowed) {
    if (port !== 80 && port !== 443) return refuse('port')
    if (!literal && (!host.includes('.') || LOCAL_NAME.test(host))) return refuse('address')
  }
  return { ok: true, target: { url, host, port, literal, allowed, local: false } }
}

/** `http://host:port` as in `URL.origin`; null if the text is not an http(s) origin. */
export function readOrigin(text: string): string | null {
  if (!URL.canParse(text)) return null
  const { protocol, origin } = new URL(text)
  return protocol === 'http:' || protocol === 'https:' ? origin : null
}
