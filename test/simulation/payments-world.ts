import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { type SandboxChain, startSandboxChain } from '@ti/sandbox/chain.ts'
import { seededRandom } from '../support/random.ts'
import { checkHistories, checkMoney, findSecrets, pathsOf, readBooks, type Totals } from './payments-books.ts'
import { act, type Scene } from './payments-calls.ts'
import { findGoods } from './payments-goods.ts'
import { makeCustomersKeys } from './payments-keys.ts'
import { createMarket } from './payments-market.ts'
import { createProgram, type Program } from './payments-program.ts'
import { command, operatorOf } from './service.ts'

/** A chain in this process, the service as another one, and clients. */
export interface World {
  readonly chain: SandboxChain
  readonly dataDir: string
  readonly program: Program
  readonly scene: Scene
  /** clients at work until so many calls were made */
  trade(seed: number, calls: number): Promise<void>
  /** waits until the service, without being asked, knows the end of every settlement */
  reconciled(): Promise<void>
  /** stops the service and compares everything with everything */
  judge(): Promise<Totals>
}

interface Readyz {
  readonly payments: { readonly ready: boolean; readonly open: number }
}

const CLIENTS = 12
const BUYERS = 24
/** milliseconds a client waits for an answer while there are faults */
const PATIENCE_MS = 2_500
/** only there to end a test that has failed */
const RECONCILED_MS = 90_000

/** A started service over a small market; `payments` says how it is paid. Removed when the test ends. */
export async function openWorld(
  t: TestContext,
  payments: (chain: SandboxChain) => Promise<Readonly<Record<string, string>>>,
  { poor = true } = {},
): Promise<World> {
  const dir = mkdtempSync(join(tmpdir(), 'payments-'))
  t.after(() => rmSync(dir, { recursive: true, force: true }))
  const capture = join(dir, 'market.capture')
  const data = join(dir, 'data')
  await command('capture', 'simulate', capture, '--trades', '3000', '--seed', '7')
  await command('replay', capture, '--data-dir', data, '--json')
  const keys = await makeCustomersKeys(data)
  const chain = await startSandboxChain({ slotMs: 0 })
  t.after(chain.close)
  const { seller: payTo, feePayer } = chain
  const program = createProgram({
    DATA_DIR: data,
    // at once and to its end, so that answers stand still
    SOURCE: `capture:${capture}?speed=0`,
    LOG_LEVEL: 'debug',
    PAY_TO: payTo,
    ALLOW_PLAY_MONEY: '1',
    ...(await payments(chain)),
  })
  t.after(() => program.kill())
  await program.start()
  const goods = await findGoods(await program.up(), keys.pro)
  const market = await createMarket({ program, chain, payTo, feePayer, rich: BUYERS, patienceMs: PATIENCE_MS })
  const drained = new Map<string, bigint>()
  const drain = (wallet: string): void => {
    drained.set(wallet, (drained.get(wallet) ?? 0n) + chain.tokens(wallet))
    chain.drain(wallet)
  }
  const spent = (wallet: string): bigint =>
    market.wallets.get(wallet)! - (drained.get(wallet) ?? 0n) - chain.tokens(wallet)
  const scene: Scene = { market, goods, keys, payTo, feePayer, poor, drain }

  /** What a service that logs everything has written, searched for whatever opens or pays something. */
  function checkOutput(): void {
    const output = program.output()
    assert.match(output, /"msg":"paid"/)
    assert.match(output, /"level":"debug".*"msg":"request"/)
    const secret = Buffer.from(chain.feePayerSecret)
    const forms = [JSON.stringify([...secret]), secret.toString('base64'), secret.toString('hex')]
    assert.deepEqual(findSecrets(output, [...market.secrets, keys.pro, keys.free, ...forms]), [])
  }

  /** Tells what stays open, and how it came to that. */
  async function fail(payments: Readyz['payments']): Promise<never> {
    await program.stop()
    const { rows, events } = await readBooks(data)
    const open = rows.filter(({ state }) => state === 'settling').map(({ hash }) => events.get(hash))
    const booked = [...events.values()]
      .flat()
      .reduce((sum, { state, amount }) => sum + (state === 'settled' ? amount : 0), 0)
    const money = `${chain.tokens(payTo)} units received, ${booked} booked`
    assert.fail(`payments stay open: ${JSON.stringify(payments)}, ${money}: ${JSON.stringify(open, null, 1)}`)
  }

  return {
    chain,
    dataDir: data,
    program,
    scene,
    async trade(seed, calls) {
      let acts = 0
      const client = async (): Promise<void> => {
        while (market.calls < calls) {
          const number = ++acts
          if (number % 4 === 0) chain.advanceSlots(1)
          await act(scene, seededRandom(seed * 100_003 + number))
        }
      }
      await Promise.all(Array.from({ length: CLIENTS }, client))
    },
    async reconciled() {
      const url = await program.up()
      for (const end = performance.now() + RECONCILED_MS; ; await pause(50)) {
        const { payments } = (await (await fetch(`${operatorOf(url)}/readyz`)).json()) as Readyz
        if (payments.ready && payments.open === 0) return
        if (performance.now() > end) return fail(payments)
      }
    },
    async judge() {
      assert.equal(await program.stop(), 0)
      const books = await readBooks(data)
      t.diagnostic(`${market.calls} calls: ${JSON.stringify(Object.fromEntries(market.tally))}`)
      t.diagnostic(`ways: ${JSON.stringify(pathsOf(books))}`)
      assert.deepEqual(market.problems, [])
      checkHistories(books)
      const totals = checkMoney(books, market, { earned: chain.tokens(payTo), spent })
      t.diagnostic(
        `${totals.payments} payments of ${market.sales.length} signed, ${totals.units} units; ${totals.lost} answers were lost on their way, ${totals.repeated} read more than once`,
      )
      checkOutput()
      return totals
    },
  }
}
