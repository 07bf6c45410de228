import assert from 'node:assert/strict'
import { test } from 'node:test'
import { alertPath, linksElsewhere, whyInWords } from './alert.ts'
import { readKept } from './kept.ts'

test('numbers are said as the page says them, unknown ones by their names', () => {
  const why = {
    sol_amount: 1.25,
    mcap: 12_345,
    token_amount: 1_234_567,
    score: 6.5,
    rugged: false,
    launchpad: 'pumpfun',
  }
  assert.deepEqual(whyInWords({ why }), [
    ...['1.25 SOL', 'market cap $12.3k', '1.23M tokens', 'score 6.5', 'rugged false', 'launchpad pumpfun'],
  ])
  assert.deepEqual(whyInWords({ why: { reported: 20, more: 1_250, minute_from: 60, kols: null, toString: 'x' } }), [
    ...['20 reported one by one', '1,250 more in that minute', 'kols unknown', 'toString x'],
  ])
})

test('an alert leads to its token, else to its wallet, else to the list', () => {
  assert.equal(alertPath({ mint: 'M', wallet: 'W' }), '/token/M')
  assert.equal(alertPath({ mint: null, wallet: 'W' }), '/trader/W')
  assert.equal(alertPath({ mint: null, wallet: null }), '/account#alerts')
})

test('links to the page itself are left to the page', () => {
  const links = [
    { label: 'token', url: 'https://here.example/token/M' },
    { label: 'transaction', url: 'https://solscan.io/tx/S' },
    { label: 'broken', url: 'nowhere' },
  ]
  assert.deepEqual(
    linksElsewhere({ links }, 'https://here.example').map(({ label }) => label),
    ['transaction'],
  )
})

test('what a browser has kept counts for its account, and only where it is whole', () => {
  const nothing = { account: 'W', read: 0, notify: false }
  const whole = JSON.stringify({ account: 'W', read: 12, notify: true })
  assert.deepEqual(readKept(whole, 'W'), { account: 'W', read: 12, notify: true })
  assert.deepEqual(readKept(whole, 'V'), { ...nothing, account: 'V' })
  for (const text of [null, '', '{', '[]', 'null', '{"account":"W","read":-1}', '{"account":"W","read":"9"}'])
    assert.deepEqual(readKept(text, 'W'), nothing, String(text))
  assert.deepEqual(readKept('{"account":"W","read":3,"notify":"yes"}', 'W'), { ...nothing, read: 3 })
})
