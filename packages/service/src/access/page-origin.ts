import type { IncomingHttpHeaders } from 'node:http'
import { isLoopback } from '../config/options.ts'

/** Distinguishes requests of the service's own page from those of other pages and of programs. */
export type OwnOrigin = ReturnType<typeof createOwnOrigin>

/** A header that a page of another origin cannot send without a preflight, which it does not pass. */
const PAGE_HEADER = 'x-page'

/**
 * The Host must be ours in any case, because an attacker can point a domain at this address (DNS rebinding) and is then of the
 * same origin. An Origin must be ours too. Browsers send `Sec-Fetch-Site` over TLS and on loopback. Over plain HTTP elsewhere
 * they do not, and a same-origin GET has no Origin either, so the page's own header decides. All loopback names mean this
 * machine.
 */
export function createOwnOrigin(publicUrl: string) {
  const url = new URL(publicUrl)
  const own = isLoopback(url.hostname) ? ['localhost', '127.0.0.1', '[::1]'].map((name) => named(url, name)) : [url]
  const origins = new Set(own.map(({ origin }) => origin))
  const hosts = own.map(({ host }) => host)
  // loopback ports may be forwarded, and attackers cannot use a loopback name
  const nameOf = (host: string): string => (isLoopback(url.hostname) ? host.replace(/:\d+$/, '') : host)
  const names = new Set(hosts.map(nameOf))
  const isHost = (host = ''): boolean => names.has(nameOf(host.toLowerCase()))
  return {
    origin: url.origin,
    /** a value of the Origin header that is the service's own */
    has: (origin: string | undefined): boolean => origin !== undefined && origins.has(origin),
    /** a value of the Host header that is the service's own */
    isHost,
    /** a request that a browser sends for a page of the service only */
    sent({ 'sec-fetch-site': site, origin, host, [PAGE_HEADER]: page }: IncomingHttpHeaders): boolean {
      if (!isHost(host) || (origin !== undefined && !origins.has(origin))) return false
      if (site !== undefined) return site === 'same-origin'
      return origin !== undefined || page !== undefined
    },
  }
}

function named(url: URL, hostname: string): URL {
  const other = new URL(url)
  other.hostname = hostname
  return other
}
