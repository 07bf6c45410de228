import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import type { TestContext } from 'node:test'
import { createAccounts } from '../../src/access/accounts/accounts.ts'
import { createSignIn } from '../../src/access/accounts/sign-in.ts'
import { nextClient, PATHS } from '../conformance/x402-door.ts'
import { inV2 } from '../conformance/x402-payments.ts'
import { openScene } from '../conformance/x402-scene.ts'
import { wallet } from '../support/wallet.ts'
import { sendJunk } from './junk.ts'
import { blockhashOf, walletsOf } from './payments-by-hand.ts'

/**
 * A service under junk payments, in a process without a test runner: its hooks on every promise take a fifth of the
 * processor, and the service has none.
 */
const JUNK_PER_SECOND = 99
const CHALLENGES_PER_SECOND = 200
/** the first payments of a process are slow: code is compiled, connections are opened */
const WARM = 100
const QUIET = 100

export interface JunkRun {
  /** milliseconds of the payments of one who has paid before */
  readonly quiet: readonly number[]
  readonly busy: readonly number[]
  /** of the junk payments */
  readonly statuses: readonly number[]
  readonly challenges: number
  readonly tookMs: number
  /** seconds that a second of computing took, at the beginning and at the end */
  readonly slowness: readonly [number, number]
  /** rows that the strangers' payments left, and stored challenges */
  readonly written: number
  readonly stored: number
}

/** How many seconds a second of computing takes here and now: 1 where this process has a core for itself. */
function slowness(): number {
  const [start, before] = [performance.now(), process.cpuUsage()]
  let used = 0
  for (let state = 1; used < 200_000; ) {
    for (let i = 0; i < 1e6; i++) state = (state * 48_271) % 0x7fffffff
    assert.ok(state > 0)
    const { user, system } = process.cpuUsage(before)
    used = user + system
  }
  return Math.max(1, (performance.now() - start) / (used / 1_000))
}

async function runJunk(t: TestContext, seconds: number): Promise<JunkRun> {
  const scene = await openScene(t)
  const now = (): number => Date.now()
  const accounts = createAccounts(scene.database, { now })
  const signIn = createSignIn(scene.database, { accounts, publicUrl: 'https://api.example.com', now })
  const buyer = await scene.buyer(100_000_000)
  // the chain of the scene stands still: one blockhash is good for all
  const blockhash = await blockhashOf(scene.chain.rpcUrl)
  const rows = async () => (await scene.database.sql.selectFrom('payments').select('hash').execute()).length
  const { sql } = scene.database

  async function pay(): Promise<number> {
    const headers = inV2(await scene.byHand({ buyer, blockhash }))
    const start = performance.now()
    assert.equal((await scene.ask(PATHS.new, headers, { from: nextClient() })).status, 200)
    return performance.now() - start
  }
  for (let i = 0; i < WARM; i++) await pay()
  const quiet: number[] = []
  for (let i = 0; i < QUIET; i++) quiet.push(await pay())

  // made beforehand and sent by another process: what the attacker spends is not ours
  const strangers = await walletsOf(seconds * JUNK_PER_SECOND)
  const requests = await Promise.all(
    strangers.map(async (one) => ({
      headers: inV2(await scene.byHand({ buyer: one, blockhash })),
      from: nextClient(),
    })),
  )
  const addresses = Array.from({ length: seconds * CHALLENGES_PER_SECOND }, () => wallet().address)
  const before = await rows()
  // on a machine shared with others a second of the attack takes as much longer as everything here does
  const slow = slowness()
  const junk = sendJunk({ url: `${scene.baseUrl}${PATHS.new}`, requests, perSecond: JUNK_PER_SECOND / slow })
  await junk.begun
  const started = performance.now()
  let challenges = 0
  const attack = setInterval(() => {
    const passed = (performance.now() - started) / (1_000 * slow)
    for (; challenges < Math.min(addresses.length, passed * CHALLENGES_PER_SECOND); challenges++)
      void signIn.challenge(addresses[challenges]!)
  }, 5)
  const busy: number[] = []
  while (performance.now() - started < seconds * 1_000 * slow) busy.push(await pay())
  clearInterval(attack)
  const { statuses, tookMs } = await junk.ended
  return {
    ...{ quiet, busy, statuses, challenges, tookMs, slowness: [slow, slowness()] },
    written: (await rows()) - before - busy.length,
    stored: (await sql.selectFrom('challenges').select('nonce').execute()).length,
  }
}

/** The run in its process, which is started as this one was. */
export function forkJunkRun(seconds: number): Promise<JunkRun> {
  const child = fork(import.meta.filename, [String(seconds)])
  return new Promise((done, fail) => {
    child.once('message', (found) => done(found as JunkRun))
    child.once('close', (code) => fail(new Error(`the service under attack ended with ${code}`)))
  })
}

if (process.argv[1] === import.meta.filename && process.send !== undefined) {
  const ends: (() => unknown)[] = []
  const t = { after: (end: () => unknown) => void ends.push(end) } as unknown as TestContext
  const found = await runJunk(t, Number(process.argv[2]))
  for (const end of ends.reverse()) await end()
  process.send(found, () => process.exit(0))
}
