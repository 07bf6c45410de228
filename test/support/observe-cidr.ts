/**
 * Which addresses are public, said a second time and in another way: as text of bits against a list of networks. Slow,
 * and independent of what the service does.
 */
const NOT_PUBLIC = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '168.63.129.16/32', '169.254.0.0/16'],
  ...['172.16.0.0/12', '192.0.0.0/24', '192.0.2.0/24', '192.31.196.0/24', '192.52.193.0/24', '192.88.99.0/24'],
  ...['192.168.0.0/16', '192.175.48.0/24', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24', '224.0.0.0/4'],
  '240.0.0.0/4',
  // everything of IPv6 that is not 2000::/3
  ...['::/3', '4000::/2', '8000::/1'],
  ...['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20'],
]

/** The bits of an address as text of 0 and 1: 32 or 128. */
export function bitsOf(address: string): string {
  if (!address.includes(':')) {
    return address
      .split('.')
      .map((n) => Number(n).toString(2).padStart(8, '0'))
      .join('')
  }
  const plain = address.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_, ...n: string[]) => {
    const hex = n.slice(0, 4).map((part) => Number(part).toString(16).padStart(2, '0'))
    return `${hex[0]}${hex[1]}:${hex[2]}${hex[3]}`
  })
  const [left, right] = plain.split('::') as [string, string | undefined]
  const a = left === '' ? [] : left.split(':')
  const b = right === undefined || right === '' ? [] : right.split(':')
  const groups = right === undefined ? a : [...a, ...Array(8 - a.length - b.length).fill('0'), ...b]
  return groups.map((group) => Number.parseInt(group, 16).toString(2).padStart(16, '0')).join('')
}

const NETWORKS = NOT_PUBLIC.map((text) => {
  const [base = '', length = ''] = text.split('/')
  return { bits: bitsOf(base), length: Number(length), size: bitsOf(base).length }
})

export function isPublicSlowly(address: string): boolean {
  const bits = bitsOf(address)
  return !NETWORKS.some(
    (network) => network.size === bits.length && bits.startsWith(network.bits.slice(0, network.length)),
  )
}

/** The networks as generators need them: first bits that are set. */
export const NETWORK_PREFIXES: readonly string[] = NETWORKS.map(({ bits, length }) => bits.slice(0, length))
