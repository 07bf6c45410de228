import type { IncomingMessage } from 'node:http'
import { BlockList, isIP, type Socket } from 'node:net'

/** proxies a request may have passed: longer headers are not believed */
const FORWARDED_HOPS = 20

/** The address that a request counts for: an IPv4 address, or an IPv6 /64. */
export type ClientAddress = (request: IncomingMessage) => string

/**
 * Uses the socket's address, unless it is a trusted proxy: then the last untrusted entry of X-Forwarded-For. Entries that a
 * client forged are further left and never reached.
 */
export function createClientAddress(trustedProxies: readonly string[]): ClientAddress {
  const isTrusted = trustIn(trustedProxies)
  const known = new WeakMap<object, string>()

  function forwarded(request: IncomingMessage, own: string): string {
    const header = request.headers['x-forwarded-for']
    const hops = typeof header === 'string' ? header.split(',', FORWARDED_HOPS + 1) : []
    if (hops.length > FORWARDED_HOPS) return subject(own)
    for (const hop of hops.reverse()) {
      const address = plain(hop.trim())
      if (isIP(address) === 0) return subject(own)
      if (!isTrusted(address)) return subject(address)
    }
    return subject(own)
  }

  return (request) => {
    const { socket } = request
    const remembered = known.get(socket)
    if (remembered !== undefined) return remembered
    const own = plain(socket.remoteAddress ?? '')
    if (isIP(own) !== 0 && isTrusted(own)) return forwarded(request, own)
    const found = subject(own)
    known.set(socket, found)
    return found
  }
}

/** True if the client came over TLS, as a trusted proxy says in X-Forwarded-Proto; with several proxies, the first hop counts. */
export function createTlsCheck(trustedProxies: readonly string[]): (request: IncomingMessage) => boolean {
  const isTrusted = trustIn(trustedProxies)
  return ({ socket, headers }) => {
    const scheme = headers['x-forwarded-proto']
    if (typeof scheme !== 'string' || !/^https\b/i.test(scheme)) return false
    const address = plain(socket.remoteAddress ?? '')
    return isIP(address) !== 0 && isTrusted(address)
  }
}

/** The address that a connection counts for before it sends anything; null for a trusted proxy, which carries many clients. */
export function createPeerAddress(
  trustedProxies: readonly string[],
): (socket: Pick<Socket, 'remoteAddress'>) => string | null {
  const isTrusted = trustIn(trustedProxies)
  return ({ remoteAddress = '' }) => {
    const address = plain(remoteAddress)
    return isIP(address) !== 0 && isTrusted(address) ? null : subject(address)
  }
}

function trustIn(trustedProxies: readonly string[]): (address: string) => boolean {
  const trusted = blockList(trustedProxies)
  return (address) => trusted?.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4') ?? false
}

function blockList(networks: readonly string[]): BlockList | null {
  if (networks.length === 0) return null
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', bits] = network.split('/')
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    if (bits === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(bits), family)
  }
  return list
}

/** Removes zone, port and brackets, and unwraps IPv4-mapped IPv6. */
function plain(text: string): string {
  const bare = text.replace(/^\[(.*)\](?::\d+)?$/, '$1').replace(/%.*$/, '')
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(bare)
  if (mapped !== null) return mapped[1]!
  return /^\d+\.\d+\.\d+\.\d+:\d+$/.test(bare) ? bare.slice(0, bare.indexOf(':')) : bare
}

/** The /48 of an IPv6 subject; null for IPv4. */
export function networkOf(counted: string): string | null {
  const [a, b, c, d] = counted.split(':')
  return d === undefined ? null : `${a}:${b}:${c}::/48`
}

function subject(address: string): string {
  if (isIP(address) !== 6) return address
  const [head = '', tail] = address.toLowerCase().split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - left.length - right.length)
  const groups = [...left, ...Array<string>(zeros).fill('0'), ...right]
  const network = groups.slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16))
  return `${network.join(':')}::/64`
}
