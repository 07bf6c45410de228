import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { key } from '@ti/core/base/base58.ts'
import type { Key } from '@ti/core/base/ids.ts'
import type { LogEntry } from '@ti/core/model/entries.ts'
import { LAUNCHPAD } from '@ti/core/model/events.ts'
import { type LaunchFact, launchOf } from '@ti/core/model/facts.ts'
import { PUMP, PUMPSWAP, WRAPPED_SOL } from '@ti/core/model/programs.ts'
import {
  decode,
  token as held,
  instruction,
  keyOf,
  programKeyOf,
  pumpTrade,
  rawTx,
  selfCpi,
  WHO,
} from '../../support/encode.ts'
import { type Folded, foldEntries, simulated } from './fold.ts'
import { NO_DATA } from './idl.ts'
import { createEncoder, readIdl } from './idl-encode.ts'

/**
 * The same market as a reader meets it that came after every launch: an observer finds each creation after the block in
 * which the token was met.
 */
function withoutLaunches(entries: readonly LogEntry[]): LogEntry[] {
  const unmet = new Map<Key, LaunchFact>()
  return entries.flatMap((entry): LogEntry[] => {
    if (entry.kind !== 'block') return [entry]
    const events = entry.events.filter(({ kind }) => kind !== 'create')
    for (const event of entry.events) {
      if (event.kind !== 'create') continue
      unmet.set(event.mint, launchOf(event, entry.slot))
    }
    const facts = [...new Set(events.map(({ mint }) => mint))].flatMap((mint) => unmet.get(mint) ?? [])
    for (const { mint } of facts) unmet.delete(mint)
    const block = { ...entry, events }
    return facts.length === 0 ? [block] : [block, { kind: 'facts', time: entry.time, byOperator: true, facts }]
  })
}

/** Of every traded token, what a card and the list filters are made of. Who is a token's own needs the slot of its creation. */
function factsOf({ engine, store, snapshot }: Folded, mint: Key) {
  const token = store.token(store.tokenIdByMint(mint)!)!
  const { name, symbol, uri, launchpad, supply, decimals, quote, quoteReserve, baseReserve, realToken, mcap, ath } =
    token
  const { trades, buyers, holders, owned, completeSlot, migratedSlot, startQuote } = token
  const { bundles, holders: shares } = engine.tokens.peek(mint) === undefined ? {} : snapshot(mint)
  return {
    ...{
      name,
      symbol,
      uri,
      launchpad,
      supply,
      decimals,
      quote,
      quoteReserve,
      baseReserve,
      realToken,
      mcap,
      ath,
      trades,
      buyers,
      holders,
    },
    ...{ owned, completeSlot, migratedSlot, startQuote: token.mayhem ? 0 : startQuote, bundles, shares },
  }
}

test('a token first seen in a trade is judged as one seen from its birth', async (t) => {
  const entries = await simulated(21, 900, 2)
  const [born, met] = [foldEntries(entries), foldEntries(withoutLaunches(entries))]
  let compared = 0
  let bundled = 0
  let smaller = 0
  let unsized = 0
  for (let id = 0; id < met.engine.globals.nextToken; id++) {
    const { mint, quote, createdKnown } = met.store.token(id)!
    const whole = born.store.token(born.store.tokenIdByMint(mint)!)!
    // evidence counts from the launch: only where it had its first trade at once is it the same moment
    if (whole.createdSlot !== met.store.token(id)!.createdSlot) continue
    assert.equal(createdKnown, false)
    const [expected, found] = [factsOf(born, mint), factsOf(met, mint)]
    // no trade of a DBC curve states the supply: until the graduation such a token has no market cap
    if (found.supply === 0) {
      assert.equal(found.launchpad, LAUNCHPAD.meteora_dbc)
      unsized++
      continue
    }
    // how a curve in USDC began is told by its creation or its first trade alone
    const start = quote === 0 ? {} : { startQuote: 0 }
    const [{ bundles: known, ...rest }, { bundles: all, ...seen }] = [found, expected]
    assert.deepEqual({ ...rest, ...start }, { ...seen, ...start })
    // buying within seconds of the launch is evidence, and when that was cannot be known
    assert.equal(known?.count, all?.count)
    assert.ok(Number(known?.owned_pct_supply ?? 0) <= Number(all?.owned_pct_supply ?? 0))
    if (JSON.stringify(known) !== JSON.stringify(all)) smaller++
    compared++
    if (((expected.bundles?.count as number | undefined) ?? 0) > 0) bundled++
  }
  t.diagnostic(
    `${unsized} tokens without a supply; ${compared} tokens, ${bundled} with bundles, ${smaller} of them smaller without the launch`,
  )
  assert.ok(compared > 30 && bundled > 4 * smaller, `${compared} tokens, ${bundled} with bundles`)
})

describe('instructions and addresses as the interfaces have them', { skip: NO_DATA }, () => {
  const MINT = key('36tgp72XmYWGk7btzSyQqrMChTeM6xRFBA94qgampump')
  const CURVE = key('8Jub6qHUmNUT3jcnbjJPMU4otbFv9YgTdK4qnykAsxJJ')
  const POOL = key('8wwzq5r9mGGD81e623wMZ9XFjiksn4ynMr9wCq2G8rYY')

  test('the pair of a pool from the accounts of each swapping instruction; the pool that pump opened is the canonical one', () => {
    const file = 'npm_pump-swap-sdk-1.20.0_pump_amm.json'
    const idl = readIdl(file)
    const swap = createEncoder(file)
    for (const name of ['buy', 'sell', 'buy_exact_quote_in', 'boost_buy_and_burn']) {
      const { accounts, discriminator } = idl.instructions.find((one) => one.name === name)!
      for (const pool of [POOL, WHO.pool]) {
        const payload = swap(name === 'sell' ? 'SellEvent' : 'BuyEvent', {
          ...{ pool, user: WHO.user, user_base_token_account: WHO.other },
          ...(name === 'sell'
            ? { base_amount_in: 5, quote_amount_out: 1 }
            : { base_amount_out: 5, quote_amount_in: 2 }),
          ...{ pool_base_token_reserves: 1_000, pool_quote_token_reserves: 300 },
        })
        const given = accounts.map((_, i) => keyOf(300 + i))
        for (const [account, value] of Object.entries({ pool, base_mint: MINT, quote_mint: WRAPPED_SOL }))
          given[accounts.findIndex((one) => one.name === account)] = value
        const keys: Key[] = [keyOf(90)]
        const outer = instruction(keys, PUMPSWAP, given, Buffer.from(discriminator))
        const inner = [{ outer: 0, instructions: [instruction(keys, PUMPSWAP, [], selfCpi(payload))] }]
        const { events } = decode(rawTx({ keys, instructions: [outer], inner }))
        const canonical = events.find((event) => event.kind === 'migrate')
        assert.equal(canonical?.token?.earlier ?? false, pool === POOL, name)
        assert.equal(events.find((event) => event.kind === 'trade')?.mint, MINT, name)
      }
    }
  })

  test('the curve of an instruction that is not known is the one that the mint gives', () => {
    const payload = pumpTrade({ mint: MINT })
    for (const curve of [CURVE, programKeyOf(77)]) {
      const keys: Key[] = [WHO.user]
      const outer = instruction(keys, PUMP, [keyOf(1), curve, MINT], Buffer.alloc(8, 9))
      const inner = [{ outer: 0, instructions: [instruction(keys, PUMP, [], selfCpi(payload))] }]
      const rows = [held(1, MINT, curve, 700), held(2, MINT, keyOf(88), 5)]
      const { events } = decode(rawTx({ keys, instructions: [outer], inner, postTokens: rows }))
      const trade = events.find((event) => event.kind === 'trade')
      assert.equal(trade?.pool, curve === CURVE ? CURVE : null)
      // whatever the curve is, no one signs for it, so it is nobody
      const owners = events.flatMap((event) => (event.kind === 'balance' && !event.program ? [event.owner] : []))
      assert.ok(owners.includes(keyOf(88)))
      assert.equal(owners.includes(CURVE), false)
    }
  })
})
