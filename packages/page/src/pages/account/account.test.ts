import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AnswerError } from '../../api/ask.ts'
import { refusalInWords } from '../../api/refusal.ts'
import {
  type Account,
  curlLine,
  dateText,
  dayText,
  inOrder,
  type Key,
  type Offer,
  solText,
  timeLeft,
} from './account.ts'
import { amountDue, PACE, paceAt, payLink, sandboxCommand, sightOf } from './payment.ts'
import { qrPath } from './qr.ts'
import { isSignedOut, rightAddress } from './words.ts'

const SOL = 1_000_000_000
const offer: Offer = {
  pay_to: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
  lamports: SOL,
  days: 30,
  reference: 'So11111111111111111111111111111111111111112',
  url: 'solana:EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v?amount=1&reference=So11111111111111111111111111111111111111112&label=Token%20Intelligence&message=30%20days%20of%20Pro',
}
const account: Account = {
  signed_in: true,
  wallet: offer.pay_to,
  plan: 'free',
  paid_until: null,
  balance_lamports: 0,
  keys: [],
  limits: { requests_per_minute: 5, live_keys: 5 },
  subscribe: offer,
}

test('lamports are written as SOL, exactly', () => {
  const cases: [number, string][] = [
    [0, '0'],
    [1, '0.000000001'],
    [SOL, '1'],
    [SOL / 4, '0.25'],
    [100 * SOL, '100'],
    [SOL + 1, '1.000000001'],
    [9_007_199_254_740_991, '9007199.254740991'],
  ]
  for (const [lamports, text] of cases) assert.equal(solText(lamports), text)
})

test('what is seen of a payment: nothing, a part, the whole, more, too much', () => {
  const until = '2026-02-01T00:00:00.000000Z'
  const later = '2026-03-03T00:00:00.000000Z'
  assert.deepEqual(sightOf(account, account, offer), { kind: 'nothing' })
  assert.deepEqual(sightOf(account, { ...account, balance_lamports: SOL / 4 }, offer), {
    kind: 'part',
    received: SOL / 4,
    missing: (SOL / 4) * 3,
  })
  assert.deepEqual(sightOf(account, { ...account, paid_until: until }, offer), { kind: 'paid', until, over: 0 })
  const pro: Account = { ...account, paid_until: until }
  assert.deepEqual(sightOf(pro, pro, offer), { kind: 'nothing' })
  assert.deepEqual(sightOf(pro, { ...pro, paid_until: later, balance_lamports: 5 }, offer), {
    kind: 'paid',
    until: later,
    over: 5,
  })
  assert.deepEqual(sightOf(pro, { ...pro, balance_lamports: SOL }, offer), { kind: 'kept', balance: SOL })
})

test('a wallet is asked for what is missing, and for a whole period where nothing is', () => {
  assert.equal(amountDue(offer, 0), SOL)
  assert.equal(amountDue(offer, SOL / 4), (SOL / 4) * 3)
  assert.equal(amountDue(offer, SOL), SOL)
  assert.equal(amountDue(offer, 5 * SOL), SOL)
})

test('the link changes the amount alone, and is none where it is no payment to the account', () => {
  assert.equal(payLink(offer, '1'), offer.url)
  assert.equal(payLink(offer, '0.75'), offer.url.replace('amount=1&', 'amount=0.75&'))
  for (const url of [
    'https://elsewhere.example',
    'javascript:alert(1)',
    'solana:other?amount=1',
    `solana:${offer.pay_to}`,
  ]) {
    assert.equal(payLink({ ...offer, url }, '1'), null, url)
  }
})

test('the account is looked at often, then seldom, then no more', () => {
  assert.equal(paceAt(0), PACE.briskMs)
  assert.equal(paceAt(PACE.slowAfterMs), PACE.slowMs)
  assert.equal(paceAt(PACE.endAfterMs), null)
  // an address has sixty calls a minute here, for all account paths
  assert.ok(60_000 / PACE.briskMs <= 15, 'too often')
})

test('live keys come first, newest first', () => {
  const key = (id: string, state: Key['state'], day: number): Key => ({
    id,
    name: id,
    state,
    created_at: `2026-01-0${day}T00:00:00.000000Z`,
    expires_at: null,
    revoked_at: null,
    last_used_at: null,
    calls: 0,
  })
  const keys = [key('a', 'revoked', 5), key('b', 'live', 1), key('c', 'expired', 4), key('d', 'live', 3)]
  assert.deepEqual(
    inOrder(keys).map(({ id }) => id),
    ['d', 'b', 'a', 'c'],
  )
})

test('times are said in words', () => {
  const now = Date.UTC(2026, 0, 1)
  const at = (ms: number) => new Date(now + ms).toISOString()
  const cases: [number, string | null][] = [
    [-1, null],
    [0, null],
    [1, '1 minute'],
    [90 * 60_000, '90 minutes'],
    [5 * 3_600_000, '5 hours'],
    [30 * 86_400_000, '30 days'],
    [30 * 86_400_000 - 1, '29 days'],
  ]
  for (const [ms, text] of cases) assert.equal(timeLeft(at(ms), now), text)
  assert.equal(timeLeft('never', now), null)
  assert.equal(dateText('2026-11-14T13:05:59.000000Z'), '14 Nov 2026, 13:05 UTC')
  assert.equal(dateText('never'), 'never')
  assert.equal(dayText('2026-11-14T23:59:59.000000Z'), '14 Nov 2026')
  assert.equal(dayText('never'), 'never')
})

test('the first command has the key in its header, not in its address', () => {
  const line = curlLine('https://api.example.com', 'sk_live_x')
  assert.equal(line, 'curl -s -H "Authorization: Bearer sk_live_x" https://api.example.com/v1/tokens/new')
})

const refusal = (status: number, message: string, more: Partial<AnswerError> = {}) => ({
  status,
  error: { code: 'bad_request', message, ...more },
})

test('refusals say what to do', () => {
  assert.equal(
    refusalInWords(refusal(429, '', { retry_after: 1 })),
    'Too many requests from your address. Try again in 1 second.',
  )
  assert.match(refusalInWords(refusal(429, '')), /in a minute\.$/)
  assert.match(
    refusalInWords(refusal(0, 'The service could not be reached.')),
    /^The service could not be reached\. Check/,
  )
  assert.match(refusalInWords(refusal(503, 'x')), /right now/)
  assert.match(refusalInWords(refusal(500, 'x')), /went wrong/)
  assert.equal(
    refusalInWords(refusal(400, 'an account may have 5 live keys: revoke one first')),
    'An account may have 5 live keys: revoke one first.',
  )
  const ended = refusal(404, 'x', { reason: 'not_signed_in' })
  assert.equal(refusalInWords(ended), 'Your session has ended. Sign in again.')
  assert.equal(isSignedOut(ended), true)
  assert.equal(isSignedOut(refusal(404, 'x', { reason: 'not_found' })), false)
  for (const reason of ['challenge_unknown', 'challenge_expired', 'wrong_signature'] as const) {
    assert.match(refusalInWords(refusal(400, 'x', { reason })), /sign in again/i)
  }
  const unheardOf = { reason: 'of a newer service' as never }
  assert.equal(refusalInWords(refusal(400, 'name: too long', unheardOf)), 'Name: too long.')
})

test('a page that is open at another address than the service’s own says where to go', () => {
  const cases: [string, string | null, string | null, string | null][] = [
    ['http://127.0.0.1:4000', 'http://127.0.0.1:4000', null, null],
    ['http://localhost:4000', 'http://127.0.0.1:4000', null, 'http://127.0.0.1:4000/account'],
    ['https://a.example', 'https://b.example/api', null, 'https://b.example/api/account'],
    ['http://localhost:4000', null, 'http://127.0.0.1:4000', 'http://127.0.0.1:4000/account'],
    ['http://localhost:4000', null, null, null],
  ]
  for (const [here, url, named, to] of cases) assert.equal(rightAddress(here, url, named), to, String(url))
  for (const odd of ['', 'nonsense', 'javascript:alert(1)']) {
    assert.equal(rightAddress('https://a.example', odd, null), null)
  }
})

test('the sandbox is paid by a command of the checkout', () => {
  const command = `npm run demo:pay -- --subscribe ${offer.reference}`
  assert.equal(sandboxCommand(offer, '1', 'http://127.0.0.1:4000'), command)
  assert.equal(
    sandboxCommand(offer, '0.75', 'http://127.0.0.1:4077'),
    `${command} --sol 0.75 --url http://127.0.0.1:4077`,
  )
})

test('a code is drawn by runs of dark squares', () => {
  assert.equal(
    qrPath([
      [true, true, false, true],
      [false, false, false, false],
      [false, true, true, true],
    ]),
    'M0 0h2v1h-2zM3 0h1v1h-1zM1 2h3v1h-3z',
  )
  assert.equal(qrPath([]), '')
})
