import assert from 'node:assert/strict'
import { Agent, request } from 'node:http'
import { type TestContext, test } from 'node:test'
import {
  createFreeTrials,
  RATE_FREE_ADDRESS,
  RATE_FREE_NETWORK,
  TRIAL_NETWORK_MS,
} from '@ti/service/access/free-tier.ts'
import { createClientAddress } from '@ti/service/access/rate-limits/client-address.ts'
import { createMemoryWindows, RATES } from '@ti/service/access/rate-limits/windows.ts'
import type { TrialSeat } from '@ti/service/access/trials.ts'
import { TRIALS } from '@ti/service/access/trials.ts'
import { createLogger } from '@ti/service/base/log.ts'
import { createMetrics } from '@ti/service/base/metrics.ts'
import { createHttpFace } from '@ti/service/faces/http/face.ts'
import { fakeKeys, fakeOperations, READY } from '../support/fake-service.ts'
import { HOUR_MS, MINUTE_MS, setUpTrials } from '../support/trials.ts'

/**
 * Wallets cost nothing. Before: each free key had five calls a minute and each account twenty minutes of streams an hour, so
 * 10,000 wallets on 10 addresses had 50,000 answers a minute and ten streams without end.
 */
const WALLETS = 10_000
const ADDRESSES = 10
const addressOf = (wallet: number): string => `127.0.0.${10 + (wallet % ADDRESSES)}`
const authorizationOf = (wallet: number): string => `Bearer sk_live_${String(wallet).padStart(43, '0')}`

/** The real face; each key is a free account's of its own. */
async function startFace(t: TestContext, trustedProxies: readonly string[] = []) {
  const face = createHttpFace({
    operations: fakeOperations(),
    keys: {
      ...fakeKeys(),
      check: (authorization = '') => ({
        ok: true,
        id: authorization,
        account: authorization.slice(-8, -1),
        plan: 'free',
      }),
    },
    windows: createMemoryWindows(() => 0),
    clientAddress: createClientAddress(trustedProxies),
    cashier: null,
    status: () => READY,
    logger: createLogger('error', { write() {} }),
    metrics: createMetrics(),
    publicUrl: 'https://api.example.com',
    openApi: '{}',
  })
  const { port } = await face.listen('127.0.0.1', 0)
  t.after(() => face.close())
  return port
}

interface Asked {
  readonly port: number
  readonly agent: Agent
  readonly authorization: string
  readonly forwarded?: string
}

const statusOf = ({ port, agent, authorization, forwarded }: Asked): Promise<number> =>
  new Promise((done, fail) => {
    const headers = { authorization, ...(forwarded !== undefined && { 'x-forwarded-for': forwarded }) }
    const sent = request({ port, agent, host: '127.0.0.1', path: '/v1/tokens/new', headers }, (response) => {
      response.resume().once('end', () => done(response.statusCode!))
    })
    sent.once('error', fail).end()
  })

const answered = (statuses: readonly number[]): number => statuses.filter((status) => status === 200).length

test('10,000 wallets from 10 addresses get the free answers of 10 addresses', async (t) => {
  const port = await startFace(t)
  const agents = Array.from(
    { length: ADDRESSES },
    (_, i) => new Agent({ keepAlive: true, maxSockets: 4, localAddress: addressOf(i) }),
  )
  t.after(() => agents.forEach((agent) => void agent.destroy()))
  const statuses: number[] = []
  for (let from = 0; from < WALLETS; from += 500) {
    const wallets = Array.from({ length: 500 }, (_, i) => from + i)
    const sent = wallets.map((wallet) =>
      statusOf({ port, agent: agents[wallet % ADDRESSES]!, authorization: authorizationOf(wallet * 10) }),
    )
    statuses.push(...(await Promise.all(sent)))
  }
  assert.equal(answered(statuses), ADDRESSES * RATE_FREE_ADDRESS)
  assert.equal(statuses.filter((status) => status === 429).length, WALLETS - answered(statuses))
  t.diagnostic(`${answered(statuses)} of ${WALLETS} calls of a minute answered; before, all of them`)
})

test('five keys of an account have the calls of one, and an account that is over takes nothing from its neighbours', async (t) => {
  const port = await startFace(t)
  const agent = new Agent({ keepAlive: true, maxSockets: 1, localAddress: addressOf(0) })
  t.after(() => agent.destroy())
  const ask = (wallet: number, key: number) =>
    statusOf({ port, agent, authorization: authorizationOf(wallet * 10 + key) })
  const statuses: number[] = []
  for (let call = 0; call < 50; call++) statuses.push(await ask(1, call % 5))
  assert.equal(answered(statuses), RATES.free)
  const neighbour: number[] = []
  for (let call = 0; call < 10; call++) neighbour.push(await ask(2, 0))
  assert.equal(answered(neighbour), RATES.free)
})

test('a /48 of IPv6 is four addresses, however many of its networks are used', async (t) => {
  const port = await startFace(t, ['127.0.0.0/8'])
  const agent = new Agent({ keepAlive: true, maxSockets: 4 })
  t.after(() => agent.destroy())
  const statuses: number[] = []
  for (let wallet = 0; wallet < 300; wallet++) {
    const forwarded = `2001:db8:7:${wallet.toString(16)}::1`
    statuses.push(await statusOf({ port, agent, authorization: authorizationOf(wallet * 10), forwarded }))
  }
  assert.equal(answered(statuses), RATE_FREE_NETWORK)
  const elsewhere = await statusOf({ port, agent, authorization: authorizationOf(9_990), forwarded: '2001:db8:8::1' })
  assert.equal(elsewhere, 200)
})

interface Hour {
  /** minutes in which an address had a stream */
  readonly minutes: readonly number[]
  readonly tried: number
}

/** Every minute of an hour new wallets of each address ask for a stream, and keep it as long as they may. */
async function hourOfStreams(t: TestContext, places: readonly string[], wallets: number): Promise<Hour> {
  const { node, pass } = await setUpTrials(t)
  const trials = createFreeTrials(node())
  const each = Math.ceil(wallets / places.length / 60)
  const open = places.map((): TrialSeat[] => [])
  const minutes = places.map(() => 0)
  let tried = 0
  for (let at = 0; at < HOUR_MS; at += MINUTE_MS) {
    const asked = places.flatMap((place, i) =>
      Array.from({ length: each }, async () => {
        const decision = await trials.open(`acct_${tried++}`, place)
        if (decision.ok) open[i]!.push(decision.seat)
      }),
    )
    await Promise.all(asked)
    open.forEach((seats, i) => {
      if (seats.length > 0) minutes[i]!++
    })
    pass(MINUTE_MS)
    for (const seats of open) {
      for (const seat of seats.splice(0)) {
        if (seat.hasTime()) seats.push(seat)
        else seat.release()
      }
    }
    for (const [i, seats] of open.entries()) {
      // some are enough to hold the stream
      for (const seat of seats.splice(3)) seat.release()
      open[i] = seats
    }
  }
  return { minutes, tried }
}

test('10,000 wallets from 10 addresses follow the streams for the minutes of 10 addresses', async (t) => {
  const places = Array.from({ length: ADDRESSES }, (_, i) => addressOf(i))
  const { minutes, tried } = await hourOfStreams(t, places, WALLETS)
  assert.ok(tried >= WALLETS)
  assert.deepEqual(
    minutes,
    places.map(() => TRIALS.ms / MINUTE_MS),
  )
  t.diagnostic(`${tried} wallets had ${minutes.join(', ')} minutes of the hour; before, 60 on each address`)
})

test('a /48 of IPv6 has no stream without end', async (t) => {
  const places = Array.from({ length: 20 }, (_, i) => `2001:db8:7:${i}::/64`)
  const { minutes } = await hourOfStreams(t, places, 1_200)
  const most = TRIAL_NETWORK_MS / MINUTE_MS
  // places follow at once, so each has at most what the network has
  assert.ok(Math.max(...minutes) <= TRIALS.ms / MINUTE_MS)
  assert.ok(most < 60)
  const { minutes: turns } = await inTurns(t)
  assert.equal(turns, most)
})

/** Whoever is used up makes room for the next network of the same /48. */
async function inTurns(t: TestContext): Promise<{ readonly minutes: number }> {
  const { node, pass } = await setUpTrials(t)
  const trials = createFreeTrials(node())
  let seat: TrialSeat | null = null
  let minutes = 0
  for (let at = 0; at < 60; at++) {
    if (seat === null) {
      const decision = await trials.open(`acct_${at}`, `2001:db8:7:${at}::/64`)
      seat = decision.ok ? decision.seat : null
    }
    if (seat !== null) minutes++
    pass(MINUTE_MS)
    if (seat !== null && !seat.hasTime()) {
      seat.release()
      seat = null
    }
  }
  return { minutes }
}
