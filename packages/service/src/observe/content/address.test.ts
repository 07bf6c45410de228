import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../../../../test/support/property.ts'
import { joined, readAddress } from './address.ts'

const V0 = `Qm${'a1'.repeat(22)}`
const V1 = `bafy${'a2'.repeat(28)}`
const TX = `${'aB3_-'.repeat(8)}xyz`

test('what a link points at', () => {
  const table: [link: string, id: string, url: string | null][] = [
    [`ipfs://${V0}`, `ipfs/${V0}`, null],
    [`IPFS://${V0}/`, `ipfs/${V0}`, null],
    [`ipfs://ipfs/${V1}/0.json?x#y`, `ipfs/${V1}/0.json`, null],
    [` https://ipfs.io/ipfs/${V0} `, `ipfs/${V0}`, `https://ipfs.io/ipfs/${V0}`],
    [
      `https://pump.mypinata.cloud/ipfs/${V0}?img-width=256`,
      `ipfs/${V0}`,
      `https://pump.mypinata.cloud/ipfs/${V0}?img-width=256`,
    ],
    [`https://${V1}.ipfs.dweb.link/a/b`, `ipfs/${V1}/a/b`, `https://${V1}.ipfs.dweb.link/a/b`],
    [`ar://${TX}/1.json`, `ar/${TX}/1.json`, null],
    [`https://arweave.net/${TX}`, `ar/${TX}`, `https://arweave.net/${TX}`],
    [`https://abc.arweave.net/${TX}/`, `ar/${TX}`, `https://abc.arweave.net/${TX}/`],
    ['https://example.com/a b#c', 'https://example.com/a%20b', 'https://example.com/a%20b'],
    ['https://example.com/ipfs/short', 'https://example.com/ipfs/short', 'https://example.com/ipfs/short'],
    [
      `https://arweave.net.evil.example/${TX}`,
      `https://arweave.net.evil.example/${TX}`,
      `https://arweave.net.evil.example/${TX}`,
    ],
  ]
  for (const [link, id, url] of table) {
    const address = readAddress(link)
    assert.deepEqual([address?.id, address?.url], [id, url], link)
  }
})

test('what leads nowhere', () => {
  const nothing = [
    '',
    'Qm',
    'ipfs://',
    'ipfs://x',
    `ipfs://${V0}x`,
    'ar://short',
    'data:application/json,{}',
    'file:///etc/passwd',
  ]
  for (const link of [...nothing, 'javascript:alert(1)', 'ftp://example.com/', '//example.com/x', '/x', `ipfs:/${V0}`])
    assert.equal(readAddress(link), null, link)
})

test('whatever a path says, on a gateway it stays below its content', () => {
  const pieces = fc.constantFrom(
    '..',
    '.',
    '%2e%2e',
    '%2E.',
    '/',
    '\\',
    'a',
    '%2f',
    '%5c',
    '//',
    '@evil.example',
    ':80',
    '\t',
    '\n',
    '?',
    '#',
  )
  fc.assert(
    fc.property(
      fc.array(pieces, { maxLength: 12 }),
      fc.constantFrom('ipfs://', 'https://x.example/ipfs/'),
      (path, start) => {
        const address = readAddress(`${start}${V0}/${path.join('')}`)
        if (address === null || address.kind === 'web') return
        const url = new URL(joined('https://gateway.example/', address.path))
        assert.equal(url.origin, 'https://gateway.example')
        assert.ok(url.pathname === `/ipfs/${V0}` || url.pathname.startsWith(`/ipfs/${V0}/`), url.href)
      },
    ),
    { numRuns: 3_000 },
  )
})
