import assert from 'node:assert/strict'
import { sign } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import { base58Encode } from '@ti/core/base/base58.ts'
import { emptyDatabase } from '../../../../../test/support/database.ts'
import { type Wallet, wallet } from '../../../../../test/support/wallet.ts'
import { createAccounts } from './accounts.ts'
import { CHALLENGE_MS } from './challenge.ts'
import { createSignIn, SIGN_IN } from './sign-in.ts'

const signed = ({ key }: Wallet, message: string): Buffer => sign(null, Buffer.from(message), key)
const base64 = (holder: Wallet, message: string): string => signed(holder, message).toString('base64')
const cookieOf = (setCookie: string): string => setCookie.split(';', 1)[0]!

type Bound = 'sessionsPerAccount'
async function setUp(t: TestContext, change: Partial<Record<Bound, number>> & { publicUrl?: string } = {}) {
  const { publicUrl = 'https://api.example.com', ...bounds } = change
  const database = await emptyDatabase(t)
  let ms = Date.UTC(2026, 0, 1, 12)
  const now = () => ms
  const accounts = createAccounts(database, { now })
  const options = { accounts, publicUrl, now, bounds: { ...SIGN_IN, ...bounds } }
  const signIn = createSignIn(database, options)
  const pass = (by: number) => {
    ms += by
  }
  async function enter(holder: Wallet) {
    const challenge = await signIn.challenge(holder.address)
    const done = await signIn.signIn(challenge!.nonce, base64(holder, challenge!.message))
    assert.ok(done.ok)
    return done
  }
  return { database, signIn, enter, pass }
}

test('the message is the text of Sign In With Solana, byte for byte', async (t) => {
  const { signIn } = await setUp(t, { publicUrl: 'http://127.0.0.1:4000' })
  const { address } = wallet()
  const challenge = (await signIn.challenge(address))!
  assert.match(challenge.nonce, /^[1-9A-HJ-NP-Za-km-z]{60,90}$/)
  assert.equal(
    challenge.message,
    [
      '127.0.0.1:4000 wants you to sign in with your Solana account:',
      address,
      '',
      'Sign in to manage your API keys and subscription. This costs nothing and sends no transaction.',
      '',
      'URI: http://127.0.0.1:4000/account',
      'Version: 1',
      'Chain ID: mainnet',
      `Nonce: ${challenge.nonce}`,
      'Issued At: 2026-01-01T12:00:00.000Z',
      'Expiration Time: 2026-01-01T12:05:00.000Z',
    ].join('\n'),
  )
  assert.equal(challenge.fields.domain, '127.0.0.1:4000')
  // a wallet of 43 letters and one more may be another wallet
  for (const no of ['', 'abc', address.padEnd(45, '1'), '0'.repeat(44), `${address.slice(0, -1)}\n`]) {
    assert.equal(await signIn.challenge(no), null, no)
  }
})

test('a signature in base58 or base64 opens a session that its cookie proves; the cookie is not stored', async (t) => {
  const { database, signIn, enter } = await setUp(t)
  const holder = wallet()
  const first = await enter(holder)
  assert.equal(first.account.wallet, holder.address)
  assert.match(
    first.setCookie,
    /^__Host-session=[A-Za-z0-9_-]{43}; Max-Age=604800; HttpOnly; SameSite=Strict; Path=\/; Secure$/,
  )
  const cookie = cookieOf(first.setCookie)
  assert.deepEqual(await signIn.session(cookie), first.account)
  assert.deepEqual(await signIn.session(`a=b; ${cookie}; c=d`), first.account)

  const challenge = (await signIn.challenge(holder.address))!
  const second = await signIn.signIn(
    challenge.nonce,
    base58Encode(signed(holder, challenge.message).toString('latin1')),
  )
  assert.ok(second.ok)
  assert.equal(second.account.id, first.account.id)
  const stored = JSON.stringify(await database.sql.selectFrom('sessions').selectAll().execute())
  assert.ok(!stored.includes(cookie.split('=')[1]!))
})

test('a plain http address gets a cookie without Secure', async (t) => {
  const { enter } = await setUp(t, { publicUrl: 'http://127.0.0.1:4000' })
  assert.match(
    (await enter(wallet())).setCookie,
    /^session=[\w-]{43}; Max-Age=604800; HttpOnly; SameSite=Strict; Path=\/$/,
  )
})

test('of many that come with one nonce at once, one signs in; later ones find it used', async (t) => {
  const { signIn } = await setUp(t)
  const holder = wallet()
  const { nonce, message } = (await signIn.challenge(holder.address))!
  const results = await Promise.all(Array.from({ length: 6 }, () => signIn.signIn(nonce, base64(holder, message))))
  assert.equal(results.filter(({ ok }) => ok).length, 1)
  for (const result of [...results, await signIn.signIn(nonce, base64(holder, message))]) {
    if (!result.ok) assert.equal(result.reason, 'unknown')
  }
})

test('only the wallet of the challenge signs in, only with its message, once', async (t) => {
  const { database, signIn } = await setUp(t)
  const [victim, thief] = [wallet(), wallet()]
  const attempt = async (make: (message: string) => string) => {
    const { nonce, message } = (await signIn.challenge(victim.address))!
    const result = await signIn.signIn(nonce, make(message))
    assert.ok(!result.ok)
    // nothing is remembered of what failed, so that nobody can use up another one's
    assert.equal((await database.sql.selectFrom('challenges').select('nonce').execute()).length, 0)
    return result.reason
  }
  const theirs = (await signIn.challenge(thief.address))!
  assert.equal(await attempt((message) => base64(thief, message)), 'signature')
  assert.equal(await attempt(() => base64(thief, theirs.message)), 'signature')
  assert.equal(await attempt(() => base64(victim, theirs.message)), 'signature')
  assert.equal(
    await attempt((message) => base64(victim, message.replace('api.example.com', 'evil.example'))),
    'signature',
  )
  assert.equal(await attempt((message) => base64(victim, `${message}\n`)), 'signature')
  assert.equal(await attempt(() => Buffer.alloc(64).toString('base64')), 'signature')
  assert.equal(await attempt(() => ''), 'signature')
  assert.equal(await attempt(() => '1'.repeat(64)), 'signature')
  assert.equal(await attempt(() => `${'A'.repeat(85)}!==`), 'signature')
  assert.equal(await attempt(() => 'x'.repeat(10_000)), 'signature')
  const changed = `${theirs.nonce.slice(0, -1)}${theirs.nonce.endsWith('2') ? '3' : '2'}`
  for (const nonce of ['', 'x', "' or 1=1 --", '1'.repeat(62), '0'.repeat(10_000), changed, `${theirs.nonce}1`]) {
    assert.deepEqual(await signIn.signIn(nonce, base64(victim, 'x')), { ok: false, reason: 'unknown' })
  }
  assert.equal((await database.sql.selectFrom('accounts').select('id').execute()).length, 0)
})

test('an address that is no point of the curve signs in nobody', async (t) => {
  const { signIn } = await setUp(t)
  const odd = base58Encode(Buffer.from('02'.padEnd(64, '0'), 'hex').toString('latin1'))
  const { nonce, message } = (await signIn.challenge(odd))!
  assert.deepEqual(await signIn.signIn(nonce, base64(wallet(), message)), { ok: false, reason: 'signature' })
})

test('a challenge lives five minutes, a session seven days', async (t) => {
  const { database, signIn, enter, pass } = await setUp(t)
  const holder = wallet()
  const [late, inTime] = [(await signIn.challenge(holder.address))!, (await signIn.challenge(holder.address))!]
  pass(299_999)
  assert.ok((await signIn.signIn(inTime.nonce, base64(holder, inTime.message))).ok)
  pass(1)
  assert.deepEqual(await signIn.signIn(late.nonce, base64(holder, late.message)), { ok: false, reason: 'expired' })

  const { setCookie, account } = await enter(holder)
  pass(7 * 86_400_000 - 1)
  assert.deepEqual(await signIn.session(cookieOf(setCookie)), account)
  pass(1)
  assert.equal(await signIn.session(cookieOf(setCookie)), null)
  // what has ended goes when the next comes
  await enter(holder)
  assert.equal((await database.sql.selectFrom('sessions').select('digest').execute()).length, 1)
  // and of what was used only what could still be used
  assert.equal((await database.sql.selectFrom('challenges').select('nonce').execute()).length, 1)
})

test('a session ends with its own cookie alone', async (t) => {
  const { signIn, enter } = await setUp(t)
  const [one, two] = [await enter(wallet()), await enter(wallet())]
  assert.notEqual(one.account.id, two.account.id)
  const forgotten = await signIn.signOut(cookieOf(one.setCookie))
  assert.match(forgotten, /^__Host-session=; Max-Age=0; HttpOnly; SameSite=Strict; Path=\/; Secure$/)
  assert.equal(await signIn.session(cookieOf(one.setCookie)), null)
  assert.deepEqual(await signIn.session(cookieOf(two.setCookie)), two.account)
  await signIn.signOut(undefined)
  await signIn.signOut("__Host-session=' or 1=1 --")
  for (const none of [
    undefined,
    '',
    '__Host-session=',
    `session=${cookieOf(two.setCookie).split('=')[1]}`,
    `__Host-session=${'A'.repeat(43)}`,
    cookieOf(two.setCookie).toLowerCase(),
    ';=;'.repeat(1_000),
  ]) {
    assert.equal(await signIn.session(none), null, none)
  }
  assert.deepEqual(await signIn.session(cookieOf(two.setCookie)), two.account)
  // what another program on the same host left under the same name does not hide it
  assert.deepEqual(await signIn.session(`__Host-session=x; ${cookieOf(two.setCookie)}`), two.account)
})

test('sessions are bounded; the oldest make room', async (t) => {
  const { signIn, enter, pass } = await setUp(t, { sessionsPerAccount: 2 })
  const a = wallet()
  const sessions = []
  for (let i = 0; i < 3; i++) {
    sessions.push(await enter(a))
    pass(1_000)
  }
  const states = await Promise.all(sessions.map(async ({ setCookie }) => signIn.session(cookieOf(setCookie))))
  assert.deepEqual(
    states.map((state) => state !== null),
    [false, true, true],
  )
})

// before: the 101st that anybody asked for in a wallet's name made its owner's unknown
test('however many challenges strangers ask for in its name, a wallet signs in with its own, and none is written', async (t) => {
  const { database, signIn, pass } = await setUp(t)
  const holder = wallet()
  const own = (await signIn.challenge(holder.address))!
  for (let i = 0; i < 20_000; i++) assert.ok(await signIn.challenge(holder.address))
  const rows = () => database.sql.selectFrom('challenges').select('nonce').execute()
  assert.deepEqual(await rows(), [])
  assert.ok((await signIn.signIn(own.nonce, base64(holder, own.message))).ok)
  assert.deepEqual(await rows(), [{ nonce: own.nonce }])
  assert.deepEqual(await signIn.signIn(own.nonce, base64(holder, own.message)), { ok: false, reason: 'unknown' })
  // remembered until nobody could use it any more
  pass(CHALLENGE_MS)
  const next = (await signIn.challenge(holder.address))!
  assert.ok((await signIn.signIn(next.nonce, base64(holder, next.message))).ok)
  assert.deepEqual(await rows(), [{ nonce: next.nonce }])
})

test('another node of the same database takes a challenge; who has another secret does not', async (t) => {
  const { database, signIn } = await setUp(t)
  const now = () => Date.UTC(2026, 0, 1, 12)
  const node = () =>
    createSignIn(database, { accounts: createAccounts(database, { now }), publicUrl: 'https://api.example.com', now })
  const holder = wallet()
  const [first, second] = [(await signIn.challenge(holder.address))!, (await signIn.challenge(holder.address))!]
  assert.ok((await node().signIn(first.nonce, base64(holder, first.message))).ok)
  assert.deepEqual(await signIn.signIn(first.nonce, base64(holder, first.message)), { ok: false, reason: 'unknown' })
  await database.sql.deleteFrom('secrets').execute()
  const stranger = await node().signIn(second.nonce, base64(holder, second.message))
  assert.deepEqual(stranger, { ok: false, reason: 'unknown' })
})
