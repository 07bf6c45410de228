import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { key } from '@ti/core/base/base58.ts'
import type { Key } from '@ti/core/base/ids.ts'
import type { LogEntry } from '@ti/core/model/entries.ts'
import { LAUNCHPAD } from '@ti/core/model/events.ts'
import { WRAPPED_SOL } from '@ti/core/model/programs.ts'
import { decodeEntry, encodeEntry } from '@ti/service/log/codec.ts'
import { decode, instruction, keyOf, rawTx, selfCpi, WHO } from '../../support/encode.ts'
import { LAUNCHLAB } from '../../support/programs.ts'
import { foldEntries } from './fold.ts'
import { createOracle, NO_DATA, parseCsv, readData } from './idl.ts'
import { readIdl } from './idl-encode.ts'

const IDL = 'raydium_launchlab_idl.json'
/** What is listed behind the named accounts: mints of both sides, not named in every version of the interface. */
const SWAP = { user: 0, authority: 1, pool: 4, mint: 9, quote: 10 }

function swapTx(payload: Buffer, pool: Key, mint: Key, quote: Key = WRAPPED_SOL) {
  const keys: Key[] = [keyOf(90)]
  const accounts = Array.from({ length: 15 }, (_, i) => keyOf(100 + i))
  Object.assign(accounts, { [SWAP.user]: WHO.user, [SWAP.pool]: pool, [SWAP.mint]: mint, [SWAP.quote]: quote })
  const data = Buffer.from(readIdl(IDL).instructions.find(({ name }) => name === 'buy_exact_in')!.discriminator)
  const outer = instruction(keys, LAUNCHLAB, accounts, data)
  const event = instruction(keys, LAUNCHLAB, [], selfCpi(payload))
  return rawTx({ keys, instructions: [outer], inner: [{ outer: 0, instructions: [event] }] })
}

const foldBlock = (events: ReturnType<typeof decode>['events']) => {
  const block: LogEntry = { kind: 'block', slot: 9, parent: 8, time: 1, events }
  const price: LogEntry = { kind: 'facts', time: 1, byOperator: false, facts: [{ kind: 'sol_price', usd: 150 }] }
  return foldEntries([price, decodeEntry(1, Buffer.from(encodeEntry(block)))])
}

describe('LaunchLab today', { skip: NO_DATA }, () => {
  test('real trades of 147 bytes, one with reserves beyond 2^53', () => {
    const oracle = createOracle(IDL)
    const { buy, sell } = JSON.parse(readData('real2/transactions/launchlab.json'))
    const logged = parseCsv(readData('real2/events.csv')).find(({ program }) => program === 'launchlab')!
    const cases = [buy, sell].map(({ line, pool, mint }) => [line.split(' ').at(-1), key(pool), key(mint)] as const)
    let beyond = 0
    for (const [base64, pool, mint] of [...cases, [logged.payload_base64!, null, WHO.mint] as const]) {
      const payload = Buffer.from(base64, 'base64')
      assert.equal(payload.length, 147)
      const said = oracle(payload)!.fields as Record<string, bigint>
      const { events, counts } = decode(swapTx(payload, pool ?? (payload.toString('latin1', 8, 40) as Key), mint))
      assert.deepEqual([...counts], [])
      const [trade] = events
      assert.ok(trade?.kind === 'trade', 'no trade')
      const isBuy = (said.trade_direction as unknown) === 'Buy'
      const fees = said.protocol_fee! + said.platform_fee! + said.creator_fee! + said.share_fee!
      const moved = (before: bigint, after: bigint) => (after > before ? after - before : before - after)
      const tokens = moved(said.real_base_before!, said.real_base_after!)
      const quote = moved(said.real_quote_before!, said.real_quote_after!)
      assert.equal(BigInt(trade.tokenAmount), tokens)
      assert.equal(tokens, isBuy ? said.amount_out : said.amount_in)
      assert.equal(BigInt(trade.quoteAmount), quote)
      assert.equal(BigInt(trade.userQuote), isBuy ? quote + fees : quote - fees)
      assert.equal(BigInt(trade.userQuote), isBuy ? said.amount_in : said.amount_out)
      const price =
        Number(said.virtual_quote! + said.real_quote_after!) / Number(said.virtual_base! - said.real_base_after!)
      assert.equal(Math.abs(trade.quoteReserve / trade.baseReserve / price - 1) < 1e-12, true)
      if (said.virtual_base! > 2n ** 53n) beyond++
      const token = foldBlock(events).engine.tokens.peek(mint)!.token
      const billion = said.total_base_sell! > 2n ** 53n ? 1e18 : 1e15
      assert.deepEqual([token.supply, token.launchpad, token.mcap > 0], [billion, LAUNCHPAD.launchlab, true])
    }
    assert.equal(beyond, 1)
  })

  test('a migration is inferred from the instruction of a transaction that succeeded', () => {
    for (const { name, discriminator, accounts } of readIdl(IDL).instructions) {
      if (!name.startsWith('migrate_to_')) continue
      const place = (wanted: string): number => accounts.findIndex((account) => account.name === wanted)
      const given = accounts.map((_, i) => keyOf(200 + i))
      given[place('quote_mint')] = WRAPPED_SOL
      const pool = given[Math.max(place('cpswap_pool'), place('amm_pool'))]!
      const keys: Key[] = [keyOf(90)]
      const outer = instruction(keys, LAUNCHLAB, given, Buffer.from(discriminator))
      const tx = rawTx({ keys, instructions: [outer], inner: [{ outer: 0, instructions: [] }] })
      const { events, counts } = decode(tx)
      assert.deepEqual([...counts], [], name)
      assert.deepEqual(
        events.map((event) => [event.kind, event.mint, event.kind === 'migrate' ? event.pool : null]),
        [['migrate', given[place('base_mint')], pool]],
      )
      assert.deepEqual(decode({ ...tx, failed: true }).events, [])
      const folded = foldBlock(events)
      const { status, meta } = folded.snapshot(events[0]!.mint)
      assert.deepEqual([status!.has_migrated, meta!.launchpad], [true, 'launchlab'])
      assert.deepEqual(
        folded.told().map(({ type }) => type),
        ['token_graduated'],
      )
    }
  })
})
