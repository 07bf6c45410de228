import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { key } from '@ti/core/base/base58.ts'
import { liquidityOf, sharesOf } from '@ti/core/engine/liquidity.ts'
import { priceOf } from '@ti/core/engine/tokens.ts'
import { VENUE } from '@ti/core/model/events.ts'
import { foldMaterial } from './fold.ts'
import { DATA, NO_DATA, readData } from './idl.ts'

/** Liquidity in transactions of the programs themselves, and pools with SOL as their base. */
const VM = join(DATA, 'real3/vm/plain_walk.tar.gz')
const dir = mkdtempSync(join(tmpdir(), 'liquidity-'))
after(() => rmSync(dir, { recursive: true, force: true }))

interface Expected {
  readonly label: string
  readonly mint: string
  readonly sqrtPrice: string
}

/** A life of a token up to the file that begins with `last`, and what its accounts said. */
function life(name: string, last: string) {
  const folder = join(dir, name)
  const files = readdirSync(folder).filter((file) => file.endsWith('.json') && file.slice(0, 2) <= last)
  const expected: Expected[] = JSON.parse(readFileSync(join(folder, 'expect.jsonx'), 'utf8'))
  return { files: files.map((file) => join(folder, file)), expected }
}

describe('liquidity of real programs', { skip: NO_DATA }, () => {
  if (NO_DATA === false) execFileSync('tar', ['xzf', VM, '-C', dir])

  for (const name of ['dbc_spl_0', 'dbc_22_1'])
    test(`${name}: the plan, the pool as it opens and its locks, before any trade in it`, async () => {
      const { expected } = life(name, '08')
      const mint = key(expected[0]!.mint)
      const tokenOf = async (last: string) => {
        const folded = await foldMaterial(life(name, last).files)
        return { folded, token: folded.engine.tokens.peek(mint)!.token }
      }
      const planned = await tokenOf('07')
      assert.deepEqual(sharesOf(liquidityOf(planned.token)!), { locked: 1, pullable: 0 })
      assert.equal(planned.token.liquidity!.pool, planned.token.curve)
      const { token, folded } = await tokenOf('08')
      const { total, locked, pool } = token.liquidity!
      assert.equal(pool, token.pool)
      // half is locked after each of the two deposits, so all of it is
      assert.ok(Math.abs(locked / total - 1) < 1e-9 && sharesOf(token.liquidity!)!.pullable < 1e-9)
      // the quote that the two deposits left, and the price at which the curve ended
      const moved = folded.events.flatMap((event) => (event.kind === 'liquidity' ? [event.quoteAmount] : []))
      const quote = moved.reduce((sum, one) => sum + one, 0)
      assert.deepEqual([token.realQuote, Math.abs(token.quoteReserve - quote) <= 1], [quote, true])
      const root = Number(BigInt(expected.findLast(({ sqrtPrice }) => sqrtPrice !== undefined)!.sqrtPrice)) / 2 ** 64
      assert.ok(Math.abs(priceOf(token) / root ** 2 - 1) < 1e-6)
    })

  test('pump burns what it deposits at a graduation: nothing of the pool can be pulled', async () => {
    const { events, engine } = await foldMaterial([join(DATA, 'real2/transactions/migrate_tx_sep20.json')])
    const opened = events.find((event) => event.kind === 'liquidity')
    assert.ok(opened?.kind === 'liquidity')
    assert.deepEqual([opened.locked, opened.program], [opened.total, true])
    const { token } = engine.tokens.peek(opened.mint)!
    assert.equal(token.pool, opened.pool)
  })

  test('a PumpSwap pool with SOL as its base: one sale, with the reserves of its vaults', async () => {
    const { right, cases } = JSON.parse(readData('real3/cases/r5_reversed.json'))
    const { events, snapshot } = await foldMaterial(cases)
    const trades = events.flatMap((event) => (event.kind === 'trade' ? [event] : []))
    assert.equal(trades.length, right.trades)
    const [sale] = trades
    assert.deepEqual(
      [sale!.venue, sale!.isBuy, sale!.tokenAmount, sale!.userQuote],
      [VENUE.pumpswap, right.side === 'buy', right.token, right.sol],
    )
    const vaults = cases[1].meta.postTokenBalances.map((row: { uiTokenAmount: { amount: string } }) =>
      Number(row.uiTokenAmount.amount),
    )
    assert.deepEqual([sale!.quoteReserve, sale!.baseReserve], vaults.slice(0, 2))
    assert.equal(snapshot(sale!.mint).meta!.name, 'Rev')
  })
})
