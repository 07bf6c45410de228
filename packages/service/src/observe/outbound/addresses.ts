import { isIPv4, isIPv6 } from 'node:net'
import { networkInterfaces } from 'node:os'

/**
 * Addresses of the public internet. No stranger can make us connect to any other address (this machine, its neighbours, its
 * provider's services, reserved and documentation ranges).
 *
 * IPv4 is a list of refused ranges. IPv6 is a list of allowed ones: 2000::/3, the only allocated space, without the ranges that
 * embed an IPv4 address or are reserved. So mapped (::ffff:0:0/96), NAT64 (64:ff9b::/96), unique local, link local, site
 * local and multicast addresses are refused without a rule. The ranges are from the IANA special-purpose registries.
 */
type Range = readonly [text: string, bits: number]

const REFUSED_V4: readonly Range[] = [
  ['0.0.0.0', 8], // this network, unspecified
  ['10.0.0.0', 8], // private
  ['100.64.0.0', 10], // carrier-grade NAT
  ['127.0.0.0', 8], // loopback
  ['168.63.129.16', 32], // a cloud's agent, reachable from its machines only
  ['169.254.0.0', 16], // link-local, and the metadata services of clouds
  ['172.16.0.0', 12], // private
  ['192.0.0.0', 24], // protocol assignments
  ['192.0.2.0', 24], // documentation
  ['192.31.196.0', 24], // AS112
  ['192.52.193.0', 24], // AMT relays
  ['192.88.99.0', 24], // 6to4 relays
  ['192.168.0.0', 16], // private
  ['192.175.48.0', 24], // AS112
  ['198.18.0.0', 15], // benchmarks
  ['198.51.100.0', 24], // documentation
  ['203.0.113.0', 24], // documentation
  ['224.0.0.0', 4], // multicast
  ['240.0.0.0', 4], // reserved, broadcast
]

const REFUSED_V6: readonly Range[] = [
  ['2001::', 23], // protocol assignments: Teredo, ORCHID, benchmarks
  ['2001:db8::', 32], // documentation
  ['2002::', 16], // 6to4: an IPv4 address inside
  ['2620:4f:8000::', 48], // AS112
  ['3fff::', 20], // documentation
]

/** True if `text`, an address in the form of a resolver or of WHATWG URLs, is on the public internet. */
export function isPublicAddress(text: string): boolean {
  if (isIPv4(text)) {
    const value = v4(text)
    return !V4.some(([base, bits]) => (value ^ base) >>> (32 - bits) === 0)
  }
  // a zone (fe80::1%eth0) belongs to a link
  if (!isIPv6(text) || text.includes('%')) return false
  const groups = v6(text)
  if (groups === null || groups[0]! >> 13 !== 1) return false
  return !V6.some(([base, bits]) => startsAlike(groups, base, bits))
}

/** Four numbers as 32 bits, signed. */
const v4 = (text: string): number => text.split('.').reduce((value, part) => (value << 8) | Number(part), 0)

/** Eight groups; null where the last two are written as an IPv4 address, which no public address is. */
function v6(text: string): number[] | null {
  if (text.includes('.')) return null
  const [head = '', tail] = text.split('::')
  const read = (part: string): number[] =>
    part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16))
  if (tail === undefined) return read(head)
  const [before, after] = [read(head), read(tail)]
  return [...before, ...new Array<number>(8 - before.length - after.length).fill(0), ...after]
}

function startsAlike(a: readonly number[], b: readonly number[], bits: number): boolean {
  const whole = bits >> 4
  for (let i = 0; i < whole; i++) if (a[i] !== b[i]) return false
  const rest = bits & 15
  return rest === 0 || (a[whole]! ^ b[whole]!) >> (16 - rest) === 0
}

const V4 = REFUSED_V4.map(([text, bits]) => [v4(text), bits] as const)
const V6 = REFUSED_V6.map(([text, bits]) => [v6(text)!, bits] as const)

/** True for this machine's own addresses: services there may trust it, even if a firewall blocks everyone else. */
export function isOwnAddress(text: string): boolean {
  for (const entries of Object.values(networkInterfaces())) {
    for (const { address } of entries ?? []) if (address === text) return true
  }
  return false
}
