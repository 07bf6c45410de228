import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RATE_FREE_ADDRESS, RATE_FREE_NETWORK } from '@ti/service/access/free-tier.ts'
import { fakeSessions, OWN, openPage } from '../conformance/http/web-scene.ts'
import { KEYS } from '../support/fake-service.ts'

/**
 * `WEB_ACCESS=signed-in`: a wallet signs in for nothing. Before: 120 reads a minute for each, 360 for an address, so 1,000
 * wallets on 10 addresses read 3,600 times a minute through the page, and one wallet as much as 1,728 dollars a day buy.
 */
const WALLETS = 1_000
const ADDRESSES = 10
const READS = ['/app/v1/tokens/new', '/app/v1/tokens/pumps', '/app/status', '/app/search?q=a'] as const

test('1,000 fresh wallets from 10 addresses read no more through the page than 10 addresses get for nothing', async (t) => {
  const sessions = fakeSessions()
  const scene = await openPage(t, { mode: 'signed-in', sessions })
  const served: number[] = Array.from({ length: ADDRESSES }, () => 0)
  const refused = Array.from({ length: ADDRESSES }, () => 0)
  for (let wallet = 0; wallet < WALLETS; wallet++) {
    const place = wallet % ADDRESSES
    const cookie = sessions.enter(`fresh-${wallet}`, 'free')
    // below the windows of what a fresh cookie costs: the best that an attacker can do is to come back
    const from = `127.88.0.${1 + place}`
    const { status } = await scene.ask(READS[wallet % READS.length]!, { ...OWN, ...cookie }, { from })
    if (status === 200) served[place]!++
    else refused[place]!++
  }
  for (const reads of served) assert.equal(reads, RATE_FREE_ADDRESS)
  // and neither does a free key beside get anything more, nor the page beside a key
  for (let place = 0; place < ADDRESSES; place++) {
    const authorization = `Bearer ${KEYS.free}`
    const { status } = await scene.ask('/v1/tokens/new', { authorization }, { from: `127.88.0.${1 + place}` })
    assert.equal(status, 429)
  }
  t.diagnostic(`${served.reduce((a, b) => a + b)} reads of ${WALLETS} wallets in a minute; before, 3,600`)
})

test('a /48 of IPv6 reads what its free answers are, however many of its networks are used', async (t) => {
  const sessions = fakeSessions()
  const scene = await openPage(t, { mode: 'signed-in', sessions, trustedProxies: ['127.0.0.0/8'] })
  let served = 0
  for (let wallet = 0; wallet < 200; wallet++) {
    const headers = {
      ...OWN,
      ...sessions.enter(`fresh-${wallet}`, 'free'),
      'x-forwarded-for': `2001:db8:7:${wallet}::1`,
    }
    if ((await scene.ask(READS[0], headers)).status === 200) served++
  }
  assert.equal(served, RATE_FREE_NETWORK)
})
