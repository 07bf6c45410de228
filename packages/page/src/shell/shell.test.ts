import assert from 'node:assert/strict'
import { test } from 'node:test'
import { match } from './routes.ts'
import { choicesOf, moved } from './search.ts'
import { lagOf } from './standing.ts'

const ADDRESS = 'FxtVmSj9eHyxxvnnMJ6TUgfcM7iRrZuWDtHAjvqDEw4Z'

test('every page has its path', () => {
  const cases: [string, string | null][] = [
    ['/', 'board '],
    [`/token/${ADDRESS}`, `token ${ADDRESS}`],
    [`/trader/${ADDRESS}/`, `trader ${ADDRESS}`],
    [`/deployer/${ADDRESS}`, `deployer ${ADDRESS}`],
    ['/account', 'account '],
    ['/status/', 'status '],
    ['/guide', 'guide '],
    ['/board', null],
    ['/token', null],
    ['/token/0OIl', null],
    [`/token/${ADDRESS}/more`, null],
    ['/status/x', null],
    ['/constructor', null],
  ]
  for (const [path, found] of cases) {
    const at = match(path)
    assert.equal(at && `${at.page} ${at.id}`, found, path)
  }
})

const NOTHING = { tokens: [], wallet: null, people: [], nothing: null }

test('a wallet is offered in the roles it has', () => {
  const wallet = (trades: number, is_deployer: boolean) => ({ address: ADDRESS, user_name: null, is_deployer, trades })
  const kinds = (trades: number, is_deployer: boolean) =>
    choicesOf({ ...NOTHING, wallet: wallet(trades, is_deployer) }).map(({ kind }) => kind)
  assert.deepEqual(kinds(3, false), ['trader'])
  assert.deepEqual(kinds(3, true), ['trader', 'deployer'])
  assert.deepEqual(kinds(0, true), ['deployer'])
  assert.deepEqual(choicesOf(NOTHING), [])
  const people = [{ kind: 'actor' as const, id: 'act_3vZ67CGoRYku', name: 'hollow-iris-7' }]
  assert.deepEqual(
    choicesOf({ ...NOTHING, people }).map(({ to }) => to),
    ['/actor/act_3vZ67CGoRYku'],
  )
})

test('arrows go through the choices and back to the text', () => {
  assert.equal(moved('ArrowDown', -1, 2), 0)
  assert.equal(moved('ArrowDown', 1, 2), -1)
  assert.equal(moved('ArrowUp', -1, 2), 1)
  assert.equal(moved('ArrowUp', 0, 2), -1)
  assert.equal(moved('a', 0, 2), null)
})

test('the lag in words', () => {
  const at = (lag_slots: number | null, ready = true) => lagOf({ ready, reason: 'no block yet', lag_slots }, null)
  assert.equal(lagOf(null, null), null)
  assert.deepEqual([at(2)?.word, at(2)?.rating], ['up to date', 'green'])
  assert.deepEqual([at(50)?.word, at(50)?.rating], ['20 s behind', 'yellow'])
  assert.equal(at(900)?.rating, 'red')
  assert.equal(at(null)?.rating, 'neutral')
  assert.deepEqual([at(2, false)?.word, at(2, false)?.meaning], ['not ready', 'no block yet'])
  assert.equal(lagOf({ ready: true, reason: null, lag_slots: 1 }, 'gone')?.word, 'no answer')
})
