import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { test } from 'node:test'
import { fakeKeys, KEYS } from '../../../../../test/support/fake-service.ts'
import { sharedWith } from '../../../../../test/support/shared.ts'
import type { FollowedKey, KeyCheck } from '../../access/keys.ts'
import type { TrialDecision } from '../../access/trials.ts'
import { type AdmissionOptions, createAdmission, type Ticket } from './admission.ts'

const URL = `/socket/websocket?vsn=2.0.0&api_key=${KEYS.pro}`
const request = (url: string, headers: IncomingMessage['headers'] = {}) => ({ url, headers }) as IncomingMessage

/** Trials whose decisions a test makes. */
function createTrialsDouble() {
  const asked: string[] = []
  const decide: ((decision: TrialDecision) => void)[] = []
  const seats = { open: 0, time: true }
  const seat = () => {
    seats.open++
    let released = false
    return {
      hasTime: () => seats.time,
      release() {
        if (!released) seats.open--
        released = true
      },
    }
  }
  return {
    asked,
    seats,
    grant: () => decide.shift()!({ ok: true, seat: seat() }),
    refuse: (retryAfterS: number) => decide.shift()!({ ok: false, retryAfterS }),
    trials: {
      open(account: string) {
        asked.push(account)
        return new Promise<TrialDecision>((resolve) => decide.push(resolve))
      },
    },
  }
}

/** A key whose plan a test changes. */
function createKey(plan: 'pro' | 'free') {
  const state: { now: KeyCheck } = { now: { ok: true, id: 'key', account: 'acc', plan } }
  const become = (next: 'pro' | 'free' | 'revoked') => {
    state.now =
      next === 'revoked' ? { ok: false, reason: 'revoked' } : { ok: true, id: 'key', account: 'acc', plan: next }
  }
  return { become, keys: { follow: (): FollowedKey => ({ found: state.now, again: () => state.now }) } }
}

function open(change: Partial<AdmissionOptions> = {}) {
  const shared = change.shared ?? sharedWith({})
  const admission = createAdmission({
    keys: fakeKeys(),
    trials: createTrialsDouble().trials,
    clientAddress: () => '192.0.2.1',
    ...change,
    shared,
  })
  return {
    ...admission,
    get open() {
      const { pro, free, visitor } = shared.usage().sockets.used
      return pro + free + visitor
    },
  }
}

async function ticketOf(admission: ReturnType<typeof open>, url = URL): Promise<Ticket> {
  const admitted = await admission.admit(request(url))
  if (!admitted.ok) throw new Error(admitted.reason)
  return admitted.ticket
}

/** what was promised and is not waited for goes on */
const settle = () => new Promise(setImmediate)

test('the version is that of the last vsn; none is the first version', async () => {
  const admission = open()
  const version = async (query: string) => {
    const admitted = await admission.admit(request(`/socket/websocket?api_key=${KEYS.pro}${query}`))
    return admitted.ok ? admitted.version : `${admitted.status} ${admitted.reason}`
  }
  for (const vsn of ['2.0.0', '2.0.5', '2.0.10']) assert.equal(await version(`&vsn=${vsn}`), 2, vsn)
  for (const vsn of ['1.0.0', '1.0.7']) assert.equal(await version(`&vsn=${vsn}`), 1, vsn)
  assert.equal(await version(''), 1)
  assert.equal(await version('&vsn=abc&vsn=2.0.0'), 2)
  for (const vsn of [
    '',
    '2',
    '2.0',
    'abc',
    '2.1.0',
    '3.0.0',
    '1.1.0',
    '2.0.00',
    '2.0.0x',
    '02.0.0',
    '2.0.-1',
    ' 2.0.0',
  ]) {
    assert.equal(await version(`&vsn=${vsn}`), '403 version', vsn)
  }
  assert.equal(await version(`&vsn=2.0.0&vsn=abc`), '403 version')
})

test('the key comes from the URL, else the header, else the subprotocols', async () => {
  const admission = open()
  const plain = '/socket/websocket?vsn=2.0.0'
  const token = (key: string) => `base64url.bearer.phx.${Buffer.from(key).toString('base64url')}`
  const header = { authorization: `Bearer ${KEYS.pro}` }
  const offered = { 'sec-websocket-protocol': `phoenix, ${token(KEYS.pro)}` }
  const good: [string, IncomingMessage['headers']][] = [
    [URL, {}],
    [URL, { authorization: 'Bearer nonsense', 'sec-websocket-protocol': token('nonsense') }],
    [plain, header],
    [plain, { ...header, 'sec-websocket-protocol': token('nonsense') }],
    [plain, offered],
    [plain, { 'sec-websocket-protocol': `${token(KEYS.pro)}` }],
  ]
  const bad: [string, IncomingMessage['headers']][] = [
    [plain, {}],
    ['/socket/websocket', { 'sec-websocket-protocol': 'phoenix' }],
    [`${plain}&api_key=`, header],
    [`${plain}&api_key=${KEYS.revoked}`, header],
    [`${plain}&api_key=${KEYS.expired}`, {}],
    [`${plain}&api_key=Bearer ${KEYS.pro}`, {}],
    [plain, { authorization: KEYS.pro }],
    [plain, { 'sec-websocket-protocol': `phoenix, ${token(`${KEYS.pro}\n`)}` }],
    [plain, { 'sec-websocket-protocol': 'phoenix, base64url.bearer.phx.' }],
  ]
  for (const [url, headers] of good) assert.equal((await admission.admit(request(url, headers))).ok, true, url)
  for (const [url, headers] of bad) {
    const admitted = await admission.admit(request(url, headers))
    assert.deepEqual(admitted, { ok: false, status: 403, reason: 'key' }, `${url} ${JSON.stringify(headers)}`)
  }
  assert.equal(admission.open, good.length)
})

test('room is counted by key and in all, and given back once', async () => {
  const double = createTrialsDouble()
  const admission = open({
    trials: double.trials,
    shared: sharedWith({ sockets: { pool: { pro: 3, free: 1 }, share: { pro: 2 } } }),
  })
  const first = await ticketOf(admission)
  await ticketOf(admission)
  const third = await admission.admit(request(URL))
  assert.deepEqual(third, { ok: false, status: 429, reason: 'key sockets', retryAfterS: 60 })
  const free = admission.admit(request(URL.replace(KEYS.pro, KEYS.free)))
  // a seat that is waited for takes room
  assert.equal(admission.open, 3)
  first.release()
  first.release()
  assert.equal(admission.open, 2)
  await ticketOf(admission)
  const full = await admission.admit(request(URL.replace(KEYS.pro, KEYS.free)))
  assert.deepEqual(full, { ok: false, status: 503, reason: 'sockets', retryAfterS: 60 })
  // who has no key learns nothing about room
  const stranger = await admission.admit(request(URL.replace(KEYS.pro, KEYS.revoked)))
  assert.deepEqual(stranger, { ok: false, status: 403, reason: 'key' })
  double.refuse(17)
  assert.deepEqual(await free, { ok: false, status: 429, reason: 'trial', retryAfterS: 17 })
  assert.equal(admission.open, 2)
  assert.deepEqual(double.asked, ['acc_free'])
})

test('a trial: a seat is taken before the upgrade and given back at the end', async () => {
  const double = createTrialsDouble()
  const admission = open({ trials: double.trials })
  const asked = ticketOf(admission, URL.replace(KEYS.pro, KEYS.free))
  double.grant()
  const ticket = await asked
  assert.deepEqual([ticket.plan, ticket.holds(), double.seats.open], ['free', true, 1])
  double.seats.time = false
  assert.equal(ticket.holds(), false)
  ticket.release()
  assert.deepEqual([double.seats.open, admission.open], [0, 0])
})

test('a key that is revoked holds no longer', async () => {
  const key = createKey('pro')
  const ticket = await ticketOf(open({ keys: key.keys }))
  assert.equal(ticket.holds(), true)
  key.become('revoked')
  assert.equal(ticket.holds(), false)
})

test('a node that stops serving admits nobody, and sends away who is there', async () => {
  let isServing = true
  const admission = open({ isServing: () => isServing })
  const ticket = await ticketOf(admission)
  assert.equal(ticket.holds(), true)
  isServing = false
  assert.equal(ticket.holds(), false)
  const refused = { ok: false, status: 503, reason: 'stopping', retryAfterS: 5 }
  assert.deepEqual([await admission.admit(request(URL)), await admission.enter(request(URL))], [refused, refused])
})

test('a key that comes to Pro gives its seat back; one that loses Pro asks for one, once', async () => {
  const double = createTrialsDouble()
  const key = createKey('free')
  const asked = ticketOf(open({ keys: key.keys, trials: double.trials }))
  double.grant()
  const ticket = await asked
  key.become('pro')
  double.seats.time = false
  assert.deepEqual([ticket.holds(), double.seats.open], [true, 0])
  key.become('free')
  assert.deepEqual([ticket.holds(), ticket.holds(), double.asked.length], [true, true, 2])
  double.seats.time = true
  double.grant()
  await settle()
  assert.deepEqual([ticket.holds(), double.asked.length, double.seats.open], [true, 2, 1])
  key.become('pro')
  assert.deepEqual([ticket.holds(), double.seats.open], [true, 0])
  key.become('free')
  ticket.holds()
  double.refuse(5)
  await settle()
  assert.equal(ticket.holds(), false)
})

test('a seat that comes after the socket has gone is given back', async () => {
  const double = createTrialsDouble()
  const key = createKey('pro')
  const ticket = await ticketOf(open({ keys: key.keys, trials: double.trials }))
  key.become('free')
  ticket.holds()
  ticket.release()
  double.grant()
  await settle()
  assert.equal(double.seats.open, 0)
})
