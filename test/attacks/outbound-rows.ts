import { ADDRESSES } from '@ti/service/observe/outbound/connect.ts'
import type { Refusal as Reason } from '@ti/service/observe/outbound/reasons.ts'

/** A URL of a token's page or image that leads somewhere it should not. */
export interface UrlRow {
  readonly name: string
  readonly url: string
  readonly reason: Reason
}

const inside = (name: string, host: string): UrlRow => ({ name, url: `http://${host}/`, reason: 'address' })
const noUrl = (name: string, url: string): UrlRow => ({ name, url, reason: 'url' })
const port = (name: string, host: string): UrlRow => ({ name, url: `http://${host}/`, reason: 'port' })

/** One address of this machine or its neighbours, as parsers spell it. */
const SPELLINGS: readonly UrlRow[] = [
  inside('loopback', '127.0.0.1'),
  inside('loopback, another of its addresses', '127.53.1.9'),
  inside('loopback with a dot behind it', '127.0.0.1.'),
  inside('loopback as one number', '2130706433'),
  inside('loopback in hex', '0x7f000001'),
  inside('loopback in hex, capitals', '0X7F000001'),
  inside('loopback in octal', '017700000001'),
  inside('loopback, octal by parts', '0177.0.0.01'),
  inside('loopback, hex by parts', '0x7f.0x0.0x0.0x1'),
  inside('loopback of two parts', '127.1'),
  inside('loopback of three parts', '127.0.1'),
  inside('loopback, hex and two parts', '0x7f.1'),
  inside('loopback with leading zeros', '0000177.0.0.1'),
  inside('loopback in wide digits', '１２７.０.０.１'),
  inside('loopback with ideographic dots', '127。0。0。1'),
  inside('loopback in circled digits', '①②⑦.⓪.⓪.①'),
  inside('loopback with escaped digits', '%31%32%37.0.0.1'),
  inside('loopback with escaped dots', '127%2e0%2e0%2e1'),
  inside('the unspecified address', '0.0.0.0'),
  inside('the unspecified address, short', '0'),
  inside('a cloud’s metadata', '169.254.169.254'),
  inside('a cloud’s metadata as one number', '2852039166'),
  inside('a cloud’s metadata in octal', '0251.0376.0251.0376'),
  inside('another cloud’s metadata', '100.100.100.200'),
  inside('a cloud’s agent', '168.63.129.16'),
  inside('a private network of 10', '10.0.0.5'),
  inside('a private network of 172.16', '172.31.255.254'),
  inside('a private network of 192.168', '192.168.1.1'),
  inside('everybody', '255.255.255.255'),
  inside('multicast', '239.255.255.250'),
]

const V6: readonly UrlRow[] = [
  inside('IPv6 loopback', '[::1]'),
  inside('IPv6 loopback in full', '[0000:0000:0000:0000:0000:0000:0000:0001]'),
  inside('IPv6 unspecified', '[::]'),
  inside('IPv4 mapped, dotted', '[::ffff:127.0.0.1]'),
  inside('IPv4 mapped, hex', '[::ffff:7f00:1]'),
  inside('IPv4 mapped, in full', '[0:0:0:0:0:ffff:7f00:0001]'),
  inside('IPv4 compatible', '[::127.0.0.1]'),
  inside('IPv4 translated', '[::ffff:0:7f00:1]'),
  inside('NAT64', '[64:ff9b::127.0.0.1]'),
  inside('NAT64 of a house', '[64:ff9b:1::7f00:1]'),
  inside('6to4', '[2002:7f00:1::1]'),
  inside('Teredo', '[2001:0:7f00:1::1]'),
  inside('ISATAP', '[fe80::5efe:127.0.0.1]'),
  inside('IPv6 of a link', '[fe80::1]'),
  inside('IPv6 of a house', '[fd00:ec2::254]'),
  inside('IPv6 of a site', '[fec0::1]'),
  inside('IPv6 multicast', '[ff02::1]'),
  inside('IPv6 of documents', '[2001:db8::1]'),
  noUrl('IPv6 with a zone', 'http://[fe80::1%25eth0]/'),
]

const NAMES: readonly UrlRow[] = [
  inside('localhost', 'localhost'),
  inside('localhost with a dot behind it', 'localhost.'),
  inside('localhost in wide letters', 'ｌｏｃａｌｈｏｓｔ'),
  inside('localhost with an escaped letter', 'lo%63alhost'),
  inside('localhost with a soft hyphen', 'local\u00adhost'),
  inside('a name below localhost', 'a.localhost'),
  inside('a name without a dot', 'redis'),
  inside('a cloud’s metadata by name', 'metadata.google.internal'),
  inside('a cluster’s name', 'kubernetes.default.svc.cluster.local'),
  inside('a router’s name', 'router.home.arpa'),
]

const FORMS: readonly UrlRow[] = [
  port('another service’s port', 'plain.example:6379'),
  port('the port of a shell', 'plain.example:22'),
  port('port zero', 'plain.example:0'),
  noUrl('a name before the host', 'http://plain.example@127.0.0.1/'),
  noUrl('a password before the host', 'http://a:b@plain.example/'),
  inside('a host before a fragment and an at', '127.0.0.1#@plain.example'),
  noUrl('a file', 'file:///etc/passwd'),
  noUrl('gopher', 'gopher://plain.example:70/_x'),
  noUrl('data', 'data:application/json,1'),
  noUrl('two dots behind a name', 'http://plain.example../'),
  noUrl('an address that is too large', 'http://127.0.0.256/'),
  noUrl('a NUL in a name', 'http://plain.example%00.evil.example/'),
  noUrl('a URL of 4 kB', `http://plain.example/${'x'.repeat(4_000)}`),
]

export const OUTBOUND_URLS: readonly UrlRow[] = [...SPELLINGS, ...V6, ...NAMES, ...FORMS]

/** A name of a stranger, and what its name servers say when they are asked again and again. */
export interface NameRow {
  readonly name: string
  readonly answers: readonly (readonly string[])[]
  readonly reason: Reason | 'ok'
}

export const PUBLIC = '93.184.216.34'

export const OUTBOUND_NAMES: readonly NameRow[] = [
  { name: 'a name of loopback', answers: [['127.0.0.1']], reason: 'address' },
  { name: 'a name of a cloud’s metadata', answers: [['169.254.169.254']], reason: 'address' },
  { name: 'a name of a private network', answers: [['10.0.0.5']], reason: 'address' },
  { name: 'a name of IPv6 loopback', answers: [['::1']], reason: 'address' },
  { name: 'a name of a mapped address', answers: [['::ffff:127.0.0.1']], reason: 'address' },
  { name: 'a name of an address of a link', answers: [['fe80::1%eth0']], reason: 'address' },
  { name: 'one bad address behind a good one', answers: [[PUBLIC, '127.0.0.1']], reason: 'address' },
  { name: 'one bad address before a good one', answers: [['127.0.0.1', PUBLIC]], reason: 'address' },
  { name: 'an answer that is no address', answers: [['nonsense']], reason: 'address' },
  { name: 'no address', answers: [[]], reason: 'dns' },
  {
    name: 'more addresses than are looked at',
    answers: [Array.from({ length: ADDRESSES + 1 }, (_, i) => `93.184.${i >> 8}.${i & 255}`)],
    reason: 'dns',
  },
  // rebinding: judged by the first answer, dialled by the same
  { name: 'another address when asked again', answers: [[PUBLIC], ['127.0.0.1']], reason: 'ok' },
]

/** What a server that may be asked answers with. */
export interface AnswerRow {
  readonly name: string
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  readonly reason: Reason
}

const moved = (name: string, location: string, reason: Reason, status = 302): AnswerRow => ({
  name,
  status,
  headers: { location },
  reason,
})

export const OUTBOUND_ANSWERS: readonly AnswerRow[] = [
  moved('redirect to loopback', 'http://127.0.0.1/', 'address'),
  moved('redirect to loopback, for good', 'http://127.0.0.1/', 'address', 308),
  moved('redirect to loopback as one number', 'http://2130706433/', 'address'),
  moved('redirect to a mapped address', 'http://[::ffff:7f00:1]/', 'address'),
  moved('redirect without a scheme', '//169.254.169.254/latest/meta-data/', 'address'),
  moved('redirect with backslashes', '\\\\127.0.0.1\\', 'address'),
  moved('redirect to a name of loopback', 'http://inner.example/', 'address'),
  moved('redirect to another port', 'http://plain.example:6379/', 'port'),
  moved('redirect to a file', 'file:///etc/passwd', 'url'),
  moved('redirect with a password', 'http://a:b@plain.example/', 'url'),
  moved('redirect to where it was', '/', 'redirects'),
  moved('redirect to no URL', 'http://[', 'redirect'),
  { name: 'redirect to nowhere', status: 302, headers: {}, reason: 'redirect' },
  { name: 'a page instead of data', status: 200, headers: { 'content-type': 'text/html' }, reason: 'content_type' },
  {
    name: 'more than was asked for',
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: 'x'.repeat(20_000),
    reason: 'too_large',
  },
  {
    name: 'compressed, though nobody asked for it',
    status: 200,
    headers: { 'content-type': 'application/json', 'content-encoding': 'br' },
    body: 'x',
    reason: 'encoding',
  },
]
