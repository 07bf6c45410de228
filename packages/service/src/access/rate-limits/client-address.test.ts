import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { test } from 'node:test'
import { createClientAddress } from './client-address.ts'

const request = (remoteAddress: string, forwarded?: string): IncomingMessage =>
  ({ socket: { remoteAddress }, headers: { 'x-forwarded-for': forwarded } }) as unknown as IncomingMessage

test('without trusted proxies the header of a client is never believed', () => {
  const address = createClientAddress([])
  assert.equal(address(request('203.0.113.9', '1.2.3.4')), '203.0.113.9')
  assert.equal(address(request('::ffff:203.0.113.9', '1.2.3.4')), '203.0.113.9')
})

test('an IPv6 client is its /64, however it is written', () => {
  const address = createClientAddress([])
  for (const text of ['2001:db8:1:2:3:4:5:6', '2001:DB8:1:2::9', '2001:0db8:0001:0002:ffff::']) {
    assert.equal(address(request(text)), '2001:db8:1:2::/64')
  }
  assert.equal(address(request('::1')), '0:0:0:0::/64')
  assert.equal(address(request('fe80::1%eth0')), 'fe80:0:0:0::/64')
  assert.notEqual(address(request('2001:db8:1:3::9')), '2001:db8:1:2::/64')
})

test('behind trusted proxies the nearest address that is none of them counts', () => {
  const address = createClientAddress(['10.0.0.0/8', 'fd00::/8', '192.0.2.7'])
  const cases: [remote: string, header: string | undefined, expected: string][] = [
    ['10.1.1.1', '198.51.100.4', '198.51.100.4'],
    ['10.1.1.1', '6.6.6.6, 198.51.100.4', '198.51.100.4'],
    ['10.1.1.1', '6.6.6.6, 198.51.100.4, 192.0.2.7, 10.2.2.2', '198.51.100.4'],
    ['::ffff:10.1.1.1', '198.51.100.4:5123', '198.51.100.4'],
    ['fd00::1', '[2001:db8::7]:443', '2001:db8:0:0::/64'],
    ['203.0.113.9', '198.51.100.4', '203.0.113.9'],
    ['10.1.1.1', undefined, '10.1.1.1'],
    ['10.1.1.1', '', '10.1.1.1'],
    ['10.1.1.1', 'unknown', '10.1.1.1'],
    ['10.1.1.1', '198.51.100.4, _hidden', '10.1.1.1'],
    ['10.1.1.1', '10.2.2.2, 10.3.3.3', '10.1.1.1'],
    ['10.1.1.1', Array(5_000).fill('198.51.100.4').join(','), '10.1.1.1'],
  ]
  for (const [remote, header, expected] of cases) {
    assert.equal(address(request(remote, header)), expected, `${remote} ${header?.slice(0, 60)}`)
  }
})

test('one proxied connection carries many clients', () => {
  const address = createClientAddress(['10.0.0.0/8'])
  const shared = request('10.1.1.1', '198.51.100.4')
  assert.equal(address(shared), '198.51.100.4')
  shared.headers['x-forwarded-for'] = '198.51.100.5'
  assert.equal(address(shared), '198.51.100.5')
})
