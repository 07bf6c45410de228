import assert from 'node:assert/strict'
import { networkInterfaces } from 'node:os'
import { test } from 'node:test'
import { isPublicSlowly, NETWORK_PREFIXES } from '../../../../../test/support/observe-cidr.ts'
import fc from '../../../../../test/support/property.ts'
import { isOwnAddress, isPublicAddress } from './addresses.ts'
import { readTarget } from './target.ts'

/** What becomes of a host as a stranger writes it: the reason it is refused for, or where it would lead. */
function verdict(host: string): string {
  const read = readTarget(`http://${host}/`, 'stranger', new Set())
  if (!read.ok) return read.reason
  const { target } = read
  return !target.literal ? 'name' : isPublicAddress(target.host) ? `public ${target.host}` : 'address'
}

/** One IPv4 address in every spelling that some parser takes. */
function spellings(address: string): string[] {
  const bytes = address.split('.').map(Number) as [number, number, number, number]
  const [a, b, c, d] = bytes
  const whole = ((a << 24) | (b << 16) | (c << 8) | d) >>> 0
  const hex = (n: number): string => `0x${n.toString(16)}`
  const octal = (n: number): string => `0${n.toString(8)}`
  const wide = (text: string): string => text.replace(/\d/g, (digit) => String.fromCharCode(0xff10 + Number(digit)))
  return [
    address,
    `${address}.`,
    String(whole),
    hex(whole),
    hex(whole).toUpperCase().replace('X', 'x'),
    octal(whole),
    `${a}.${((b << 16) | (c << 8) | d) >>> 0}`,
    `${a}.${b}.${(c << 8) | d}`,
    bytes.map(hex).join('.'),
    bytes.map(octal).join('.'),
    bytes.map((n) => `000${octal(n)}`).join('.'),
    `${hex(a)}.${octal(b)}.${c}.${hex(d)}`,
    `${octal(a)}.${(b << 16) | (c << 8) | d}`,
    wide(address),
    address.replaceAll('.', '。'),
    address.replaceAll('.', '．'),
    [...address].map((char) => (/\d/.test(char) ? `%3${char}` : char)).join(''),
    address.replaceAll('.', '%2e'),
  ]
}

const PRIVATE = ['127.0.0.1', '10.1.2.3', '172.16.9.1', '192.168.0.1', '169.254.169.254', '100.100.100.200', '0.0.0.0']

test('a private address is refused in every spelling', () => {
  for (const address of [...PRIVATE, '127.1.1.1', '198.18.0.1', '203.0.113.9', '224.0.0.1', '255.255.255.255']) {
    for (const text of spellings(address)) assert.equal(verdict(text), 'address', `${address} as ${text}`)
  }
})

test('a public address is taken in the same spellings, so that it is not the spelling that is refused', () => {
  for (const text of spellings('93.184.216.34')) assert.equal(verdict(text), 'public 93.184.216.34', text)
})

test('forms of IPv6 that are local, carry an IPv4 address or are set aside', () => {
  const inside = PRIVATE.flatMap((address) => {
    const [a, b, c, d] = address.split('.').map((n) => Number(n).toString(16).padStart(2, '0'))
    const hex = `${a}${b}:${c}${d}`
    return [
      ...[`::ffff:${address}`, `::ffff:${hex}`, `0:0:0:0:0:ffff:${address}`, `0000::FFFF:${hex}`, `::${address}`],
      ...[`::${hex}`, `64:ff9b::${address}`, `64:ff9b::${hex}`, `64:ff9b:1::${hex}`, `2002:${hex}::`, `2002:${hex}::1`],
      ...[`2001:0:${hex}::1`, `2001::${hex}`, `::ffff:0:${hex}`, `fe80::5efe:${address}`],
    ]
  })
  const others = [
    '::',
    '::1',
    '0:0:0:0:0:0:0:1',
    '0000:0000::0001',
    'fe80::1',
    'febf::1',
    'fec0::1',
    'fc00::1',
    'fd00:ec2::254',
  ]
  const more = [
    'ff02::1',
    'ff0e::1',
    '100::1',
    '2001:db8::1',
    '2001:2::1',
    '2001:10::1',
    '2001:20::1',
    '3fff::1',
    '5f00::1',
    '4000::1',
  ]
  for (const text of [...inside, ...others, ...more]) assert.equal(verdict(`[${text}]`), 'address', text)
  for (const text of ['2606:4700:4700::1111', '2a00:1450:4001:82a::200e', '2001:4860:4860::8888', '2400:cb00::1'])
    assert.match(verdict(`[${text}]`), /^public/, text)
  // what no URL can say, a resolver could
  for (const text of ['fe80::1%eth0', '2606:4700::1%eth0', '', 'localhost', '1.2.3', '1.2.3.4.5', '::ffff:8.8.8.8'])
    assert.equal(isPublicAddress(text), false, text)
})

test('names of the house, ports, credentials and schemes', () => {
  const local = [
    'localhost',
    'LOCALHOST',
    'localhost.',
    'a.localhost',
    'printer.local',
    'db.internal',
    'metadata',
    'redis',
  ]
  const more = [
    'metadata.google.internal',
    'router.lan',
    'x.home.arpa',
    'lo%63alhost',
    'ｌｏｃａｌｈｏｓｔ',
    'svc.cluster.local.',
    'hidden.onion',
  ]
  for (const host of [...local, ...more]) assert.equal(verdict(host), 'address', host)
  for (const host of ['example.com', 'internal.example.com', 'local.example', 'notlocalhost.com'])
    assert.equal(verdict(host), 'name', host)
  for (const host of ['example.com:22', 'example.com:8080', 'example.com:6379', 'example.com:0'])
    assert.equal(verdict(host), 'port', host)
  for (const host of ['example.com:80', 'example.com:443']) assert.equal(verdict(host), 'name', host)
  for (const host of [
    'user@example.com',
    'user:pass@example.com',
    ':x@example.com',
    'a..',
    '',
    '1.2.3.256',
    '0x100000000',
    '[::1',
    '%00.com',
  ])
    assert.equal(verdict(host), 'url', host)
  for (const url of [
    'file:///etc/passwd',
    'ftp://example.com/',
    'gopher://example.com/',
    'data:,x',
    'javascript:1',
    'ipfs://Qm',
    '//example.com/',
    'x',
    `http://example.com/${'a'.repeat(3_000)}`,
  ])
    assert.deepEqual(readTarget(url, 'operator', new Set()), { ok: false, reason: 'url' }, url)
})

test('an allowed origin counts for the operator, and only for its own scheme, host and port', () => {
  const allow = new Set(['http://10.0.0.5:8899', 'http://db.internal'])
  const read = (url: string, by: 'operator' | 'stranger'): string => {
    const result = readTarget(url, by, allow)
    return result.ok ? (result.target.allowed ? 'allowed' : 'judged') : result.reason
  }
  assert.equal(read('http://10.0.0.5:8899/x', 'operator'), 'allowed')
  assert.equal(read('http://167772165:8899/x', 'operator'), 'allowed', 'the same origin in another spelling')
  assert.equal(read('http://db.internal/x', 'operator'), 'allowed')
  assert.equal(read('http://10.0.0.5:8899/x', 'stranger'), 'port')
  assert.equal(read('http://db.internal/x', 'stranger'), 'address')
  assert.equal(read('http://10.0.0.5:8898/x', 'operator'), 'port')
  assert.equal(read('https://10.0.0.5/x', 'operator'), 'judged')
})

const octets = fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255), fc.nat(255)).map((parts) => parts.join('.'))

/** An address whose first bits are a network's, or all but the last of them: both sides of every border. */
const nearNetwork = fc
  .tuple(fc.constantFrom(...NETWORK_PREFIXES), fc.boolean(), fc.bigInt(0n, (1n << 128n) - 1n))
  .map(([prefix, outside, noise]) => {
    const size = isV4Prefix(prefix) ? 32 : 128
    const bits = outside && prefix.length > 0 ? prefix.slice(0, -1) + (prefix.endsWith('1') ? '0' : '1') : prefix
    const rest = noise
      .toString(2)
      .padStart(128, '0')
      .slice(0, size - bits.length)
    return textOf(bits + rest)
  })
const isV4Prefix = (prefix: string): boolean => NETWORK_PREFIXES.indexOf(prefix) < V4_NETWORKS
const V4_NETWORKS = 19
const textOf = (bits: string): string =>
  bits.length === 32
    ? bits
        .match(/.{8}/g)!
        .map((part) => Number.parseInt(part, 2))
        .join('.')
    : bits
        .match(/.{16}/g)!
        .map((part) => Number.parseInt(part, 2).toString(16))
        .join(':')

test('the filter and a slow list of networks say the same', () => {
  const any = fc.oneof(
    octets,
    fc.ipV4(),
    fc.ipV6().filter((text) => !text.includes('.')),
    nearNetwork,
  )
  fc.assert(
    fc.property(any, (address) => assert.equal(isPublicAddress(address), isPublicSlowly(address), address)),
    { numRuns: 20_000 },
  )
})

test('this machine’s own addresses are known', () => {
  const own = Object.values(networkInterfaces()).flatMap((entries) => (entries ?? []).map(({ address }) => address))
  assert.notEqual(own.length, 0)
  for (const address of own) assert.equal(isOwnAddress(address), true, address)
  assert.equal(isOwnAddress('93.184.216.34'), false)
})
