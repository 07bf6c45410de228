import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { startSandboxChain } from '../../src/sandbox/chain.ts'
import { checkHistories, checkMoney, findSecrets, pathsOf, readBooks } from './payments-books.ts'
import { act, type Scene, settleUp } from './payments-calls.ts'
import { createFaults, MOMENTS } from './payments-faults.ts'
import { findGoods } from './payments-goods.ts'
import { makeCustomersKeys } from './payments-keys.ts'
import { createMarket, type Market, type Random } from './payments-market.ts'
import { createProgram, type Program } from './payments-program.ts'
import { seededRandom } from './random.ts'
import { command } from './service.ts'

/**
 * Clients buy from the real service on the sandbox chain, in every way there is, while chain, clients and service fail at
 * random. Whatever happens: what the seller has received is what the books say and what clients have got data for.
 */
const SEED = Number(process.env.PAYMENTS_SEED ?? Date.now() % 1_000_000)
const CALLS = Number(process.env.PAYMENTS_CALLS ?? 2_100)
const KILLS = Math.max(9, Math.floor(CALLS / 300))
const CLIENTS = 16
const PATIENCE_MS = 1_200
/** slots a second, and how long the service seems to be down at most; a blockhash lives 60 s */
const SLOTS = 2.5
const MOST_DOWN_S = 90

const dir = mkdtempSync(join(tmpdir(), 'payments-'))
after(() => rmSync(dir, { recursive: true, force: true }))

/** Clients at work until enough calls were made. */
async function trade(scene: Scene, chain: { advanceSlots(slots: number): void }): Promise<void> {
  const { market } = scene
  let acts = 0
  await Promise.all(
    Array.from({ length: CLIENTS }, async () => {
      while (market.calls < CALLS) {
        const number = ++acts
        if (number % 4 === 0) chain.advanceSlots(1)
        await act(scene, seededRandom(SEED * 100_003 + number))
      }
    }),
  )
}

/** Kills the service again and again while clients are at work, and lets time pass while it is down. */
async function killAll(
  market: Market,
  program: Program,
  faults: ReturnType<typeof createFaults>,
  chain: { advanceSlots(slots: number): void },
  random: Random,
): Promise<void> {
  for (let kill = 1; kill <= KILLS; kill++) {
    const due = (kill * CALLS) / (KILLS + 1)
    while (market.calls < due) await pause(10)
    await faults.kill(MOMENTS[kill % MOMENTS.length]!, random)
    const downS = random() < 0.5 ? 0 : random() * MOST_DOWN_S
    program.aheadMs += Math.round(downS * 1000)
    chain.advanceSlots(Math.round(downS * SLOTS))
    await program.start()
  }
}

async function openPayments(url: string): Promise<number> {
  const { payments } = (await (await fetch(`${url}/readyz`)).json()) as { payments: { open: number } }
  return payments.open
}

test(`${CALLS} calls, ${KILLS} kills: nothing is charged without an answer, nothing answered without a charge`, async (t) => {
  t.diagnostic(`seed ${SEED} (PAYMENTS_SEED), calls ${CALLS} (PAYMENTS_CALLS)`)
  const random = seededRandom(SEED)
  const capture = join(dir, 'market.capture')
  await command('capture', 'simulate', capture, '--trades', '3000', '--seed', '7')
  const data = join(dir, 'data')
  await command('replay', capture, '--data-dir', data, '--json')
  const keys = await makeCustomersKeys(data)
  const chain = await startSandboxChain({ slotMs: 0 })
  t.after(chain.close)
  const { seller: payTo, feePayer } = chain
  const feePayerSecret = JSON.stringify([...chain.feePayerSecret])
  const program = createProgram({
    DATA_DIR: data,
    SOURCE: `capture:${capture}?speed=0`,
    LOG_LEVEL: 'debug',
    PAYMENTS: 'self',
    SOLANA_RPC_URL: chain.rpcUrl,
    FEE_PAYER_KEYPAIR: feePayerSecret,
    PAY_TO: payTo,
    ALLOW_EMBEDDED_LEDGER: '1',
    ALLOW_PLAY_MONEY: '1',
  })
  t.after(() => program.kill())
  await program.start()
  const goods = await findGoods(await program.up(), keys.pro)
  const market = await createMarket({ program, chain, payTo, feePayer, rich: 24, patienceMs: PATIENCE_MS })
  const drained = new Map<string, bigint>()
  const drain = (wallet: string): void => {
    drained.set(wallet, (drained.get(wallet) ?? 0n) + chain.tokens(wallet))
    chain.drain(wallet)
  }
  const scene: Scene = { market, goods, keys, payTo, feePayer, drain }
  const faults = createFaults(chain, program)

  faults.start(seededRandom(SEED + 1))
  await Promise.all([trade(scene, chain), killAll(market, program, faults, chain, random)])
  await faults.calm()

  // nothing that was signed so far can land any more, and the service comes back long after
  await program.kill()
  chain.advanceSlots(200)
  program.aheadMs += 600_000
  await program.start()
  await settleUp(scene, random)
  const url = await program.up()
  for (const end = Date.now() + 60_000; (await openPayments(url)) > 0; await pause(50)) {
    assert.ok(Date.now() < end, 'payments stay open')
  }
  assert.equal(await program.stop(), 0)

  t.diagnostic(`${market.calls} calls: ${JSON.stringify(Object.fromEntries(market.tally))}`)
  t.diagnostic(`faults: ${JSON.stringify(Object.fromEntries(faults.seen))}`)
  assert.deepEqual(market.problems, [])
  const books = await readBooks(data)
  t.diagnostic(`ways: ${JSON.stringify(pathsOf(books))}`)
  checkHistories(books)
  const spent = (wallet: string): bigint =>
    market.wallets.get(wallet)! - (drained.get(wallet) ?? 0n) - chain.tokens(wallet)
  const totals = checkMoney(books, market, { earned: chain.tokens(payTo), spent })
  const { payments, units, left, twice } = totals
  t.diagnostic(
    `${payments} payments of ${market.sales.length} signed, ${units} units; ${left.length} clients left while their answer was on its way, ${twice.length} answered again after a kill`,
  )
  assert.ok(program.kills >= 8 && payments > CALLS / 20, 'too little has happened to prove anything')

  const output = program.output()
  assert.match(output, /"msg":"paid"/)
  assert.match(output, /"level":"debug".*"msg":"request"/)
  const secrets = [
    ...market.secrets,
    keys.pro,
    keys.free,
    feePayerSecret,
    Buffer.from(chain.feePayerSecret).toString('base64'),
  ]
  assert.deepEqual(findSecrets(output, secrets), [])
})
