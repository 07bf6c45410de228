import assert from 'node:assert/strict'
import { test } from 'node:test'
import { alertPath, linksElsewhere } from './alert.ts'
import { readKept } from './kept.ts'

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
