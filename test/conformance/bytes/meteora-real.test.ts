import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { key, keyToBase58 } from '@ti/core/base/base58.ts'
import { type Key, keyAt } from '@ti/core/base/ids.ts'
import { EXCLUDED_OWNERS } from '@ti/core/engine/constants.ts'
import type { ChainEvent } from '@ti/core/model/events.ts'
import { LAUNCHPAD, VENUE } from '@ti/core/model/events.ts'
import * as programs from '@ti/core/model/programs.ts'
import { IDLS as WITNESSES } from '../../outside/witness.ts'
import { decode, hex, keyOf, WHO } from '../../support/encode.ts'
import * as meteora from '../../support/meteora.ts'
import { METEORA_DAMM } from '../../support/programs.ts'
import { foldEntries } from './fold.ts'
import { createOracle, NO_DATA, readData, type Value } from './idl.ts'

/** Real events and the programs' own interface files, which lie beside the project. */

interface Recorded {
  readonly sig: string
  readonly slot: number
  readonly data: string
}
const EVENTS = 'real2/transactions/dbc-events.json'
const recorded: Record<string, Recorded[]> = NO_DATA ? {} : JSON.parse(readData(EVENTS))
const IDLS = { dbc: '../real2/meteora/dbc.idl.json.gz', damm: '../real2/meteora/damm_v2.idl.json.gz' }
const oracle = NO_DATA ? null : { dbc: createOracle(IDLS.dbc), damm: createOracle(IDLS.damm) }

const table: string[] = []
after(() => {
  if (table.length > 0) console.log(['event | slot | decoded', ...table].join('\n'))
})

const record = (value: Value | undefined): Record<string, Value> => value as Record<string, Value>
const number = (value: Value | undefined): number => Number(value as bigint)
const keyOfHex = (value: Value | undefined): Key => keyAt(hex(value as string), 0)

/** The event in the call that would emit it: its accounts are the interface's, with the pool that the event names. */
function emitted(name: string, payload: Buffer): meteora.Step[] & { call: meteora.Step } {
  const fields = oracle!.dbc(payload)!.fields
  const pool = keyOfHex(fields.pool)
  const call: meteora.Step =
    name === 'EvtInitializePool'
      ? [
          programs.METEORA_DBC,
          meteora.accountsAt(16, { 3: keyOfHex(fields.base_mint), 4: programs.WRAPPED_SOL, 5: pool, 10: WHO.user }),
          meteora.createData('createSpl', 'Name', 'SYM', 'https://example.org'),
        ]
      : [
          programs.METEORA_DBC,
          meteora.swapAccounts(WHO.mint, programs.WRAPPED_SOL, WHO.user, pool),
          hex(meteora.CALLS.swap),
        ]
  return Object.assign([meteora.dbc(payload)], { call })
}

function agrees(name: string, said: Record<string, Value>, event: ChainEvent): void {
  if (event.kind === 'trade') {
    const result = record(said.swap_result)
    const isBuy = said.trade_direction === 1n
    const [paid, net, output] = [said.amount_in, result.actual_input_amount, result.output_amount].map(number) as [
      number,
      number,
      number,
    ]
    const fees = number(result.trading_fee) + number(result.protocol_fee) + number(result.referral_fee)
    // every recorded swap is a purchase; where its fee was taken from the quote, the two inputs differ by just the fee
    assert.ok(isBuy && event.isBuy)
    if (paid !== net) assert.equal(paid - net, fees)
    assert.deepEqual([event.userQuote, event.quoteAmount, event.tokenAmount], [paid, net, output])
    const price = (number(result.next_sqrt_price) / 2 ** 64) ** 2
    assert.ok(Math.abs(event.quoteReserve / event.baseReserve / price - 1) < 1e-6)
    // on one piece of a curve the mean price lies between the price before and the one after
    const mean = net / (paid === net ? output + fees : output)
    assert.ok(mean < price && mean > price * 0.9, `${mean} and ${price}`)
    assert.equal(event.venue, VENUE.meteora_dbc)
    return
  }
  if (event.kind === 'create') {
    assert.deepEqual(
      [event.pool, event.mint, event.creator],
      [said.pool, said.base_mint, said.creator].map((one) => keyOfHex(one)),
    )
    assert.equal(event.launchpad, LAUNCHPAD.meteora_dbc)
    return
  }
  assert.equal(event.kind, name === 'EvtCurveComplete' ? 'complete' : name)
}

describe('recorded events of the bonding curve', { skip: NO_DATA }, () => {
  test('decode to what the interface says', () => {
    let seen = 0
    for (const [name, list] of Object.entries(recorded)) {
      for (const { slot, data } of list) {
        const bytes = Buffer.from(data, 'base64')
        assert.equal(bytes.subarray(0, 8).toString('hex'), 'e445a52e51cb9a1d')
        const payload = bytes.subarray(8)
        const said = oracle!.dbc(payload)!
        assert.equal(said.name, name)
        const inner = emitted(name, payload)
        const { events, counts } = decode(meteora.transaction(WHO.user, [{ call: inner.call, inner }]))
        assert.equal(events.length, 1)
        // the mint's own instruction is not among the recorded bytes
        assert.deepEqual(
          [...counts.keys()],
          name === 'EvtInitializePool' ? ['supply_unknown:meteora_dbc.EvtInitializePool'] : [],
        )
        agrees(name, said.fields, events[0]!)
        table.push(`${name} | ${slot} | ${events[0]!.kind}`)
        seen++
      }
    }
    assert.equal(seen, 8)
  })

  test('a purchase that filled its curve and the completion are of one pool and one transaction', () => {
    const [swap] = recorded.EvtSwap!.filter(({ sig }) => recorded.EvtCurveComplete!.some((one) => one.sig === sig))
    const complete = recorded.EvtCurveComplete!.find(({ sig }) => sig === swap!.sig)!
    const payloads = [swap!, complete].map(({ data }) => Buffer.from(data, 'base64').subarray(8))
    const [, call] = [0, emitted('EvtSwap', payloads[0]!).call]
    const { events } = decode(meteora.transaction(WHO.user, [{ call, inner: payloads.map(meteora.dbc) }]))
    assert.deepEqual(
      events.map(({ kind }) => kind),
      ['trade', 'complete'],
    )
  })

  test('a token first seen in a swap has no supply, and nothing that follows from one', () => {
    const price = { kind: 'facts', time: 1, byOperator: false, facts: [{ kind: 'sol_price', usd: 150 }] } as const
    for (const { slot, data } of recorded.EvtSwap!) {
      const inner = emitted('EvtSwap', Buffer.from(data, 'base64').subarray(8))
      const { events } = decode(meteora.transaction(WHO.user, [{ call: inner.call, inner }]))
      const folded = foldEntries([price, { kind: 'block', slot, parent: slot - 1, time: 2, events }])
      const token = folded.engine.tokens.peek(events[0]!.mint)!.token
      assert.deepEqual([token.supply, token.createdKnown, token.trades], [0, false, 1])
      // the contract has no null for these
      const { market, holders } = folded.snapshot(token.mint)
      assert.deepEqual([market!.mcap, market!.ath_mcap, holders!.pct_supply_owned, holders!.top_10_pct], [0, 0, 0, 0])
    }
  })

  test('Moonshot’s configuration is one that trades', () => {
    const configs = recorded.EvtSwap!.map(({ data }) => keyToBase58(keyAt(Buffer.from(data, 'base64'), 48)))
    assert.ok(configs.includes('FbKf76ucsQssF7XZBuzScdJfugtsSKwZFYztKsMEhWZM'))
  })

  test('cut anywhere or with any bit changed, no event throws', () => {
    for (const [name, list] of Object.entries(recorded)) {
      const payload = Buffer.from(list[0]!.data, 'base64').subarray(8)
      const { call } = emitted(name, payload)
      const through = (bytes: Buffer) =>
        decode(meteora.transaction(WHO.user, [{ call, inner: [meteora.dbc(bytes)] }])).events
      for (let length = 0; length < payload.length; length++)
        assert.equal(through(payload.subarray(0, length)).length, 0)
      for (let bit = 0; bit < payload.length * 8; bit++) {
        const changed = Buffer.from(payload)
        changed[bit >> 3]! ^= 1 << (bit & 7)
        assert.ok(through(changed).length <= 1)
      }
    }
  })
})

const newest = { dbc: WITNESSES.meteora_dbc, damm: WITNESSES.damm_v2 }

describe('constants and layouts against the interface files', { skip: NO_DATA }, () => {
  const cases = [
    ['dbc', programs.METEORA_DBC, programs.METEORA_DBC_AUTHORITY],
    ['damm', METEORA_DAMM, programs.METEORA_DAMM_AUTHORITY],
  ] as const

  for (const [name, program, authority] of cases) {
    test(`${name}: program, and the authority over its pools, which is no holder`, () => {
      const { address, instructions } = newest[name]
      assert.equal(program, key(address))
      const said = instructions.flatMap(({ accounts }) => accounts.filter((one) => one.name === 'pool_authority'))
      const addresses = new Set(said.flatMap((one) => one.address ?? []))
      assert.deepEqual([...addresses].map(key), [authority])
      assert.ok(EXCLUDED_OWNERS.has(authority))
    })
  }

  test('calls list the accounts where the decoder looks for them', () => {
    const names = {
      swap: ['dbc', 'swap', { 1: 'config', 2: 'pool', 7: 'base_mint', 8: 'quote_mint', 9: 'payer' }],
      swap2: ['dbc', 'swap2', { 1: 'config', 2: 'pool', 7: 'base_mint', 8: 'quote_mint', 9: 'payer' }],
      createSpl: [
        'dbc',
        'initialize_virtual_pool_with_spl_token',
        { 0: 'config', 2: 'creator', 3: 'base_mint', 4: 'quote_mint', 5: 'pool', 6: 'base_vault', 10: 'payer' },
      ],
      create2022: [
        'dbc',
        'initialize_virtual_pool_with_token2022',
        { 0: 'config', 2: 'creator', 3: 'base_mint', 4: 'quote_mint', 5: 'pool', 6: 'base_vault', 8: 'payer' },
      ],
      swap2Hooked: [
        'dbc',
        'swap2_with_transfer_hook',
        { 1: 'config', 2: 'pool', 7: 'base_mint', 8: 'quote_mint', 9: 'payer' },
      ],
      createHooked: [
        'dbc',
        'initialize_virtual_pool_with_token2022_transfer_hook',
        { 0: 'config', 2: 'creator', 3: 'base_mint', 4: 'quote_mint', 5: 'pool', 6: 'base_vault', 9: 'payer' },
      ],
      createConfig: ['dbc', 'create_config', { 0: 'config', 3: 'quote_mint' }],
      migrateDammV2: ['dbc', 'migration_damm_v2', { 0: 'virtual_pool', 4: 'pool', 13: 'base_mint', 14: 'quote_mint' }],
      migrateDammV1: [
        'dbc',
        'migrate_meteora_damm',
        { 0: 'virtual_pool', 4: 'pool', 7: 'token_a_mint', 8: 'token_b_mint', 11: 'a_token_vault' },
      ],
    } as const
    for (const [call, [file, name, places]] of Object.entries(names)) {
      const found = newest[file].instructions.find((one) => one.name === name)!
      assert.equal(Buffer.from(found.discriminator).toString('hex'), meteora.CALLS[call as keyof typeof meteora.CALLS])
      for (const [place, account] of Object.entries(places))
        assert.equal(found.accounts[Number(place)]!.name, account, `${name} ${place}`)
    }
    for (const name of ['swap', 'swap2'] as const) {
      const found = newest.damm.instructions.find((one) => one.name === name)!
      assert.equal(Buffer.from(found.discriminator).toString('hex'), meteora.CALLS[name])
      const places = { 1: 'pool', 6: 'token_a_mint', 7: 'token_b_mint', 8: 'payer' }
      for (const [place, account] of Object.entries(places))
        assert.equal(found.accounts[Number(place)]!.name, account, `${name} ${place}`)
    }
  })

  test('the test’s own payloads are read by the interface as what they say', () => {
    const swap: meteora.Swap = {
      ...{ pool: WHO.pool, isBuy: true, included: 1_000n, excluded: 990n, output: 77n, root: 5n << 64n },
      fees: [7n, 2n, 1n],
    }
    const result = {
      trading_fee: 7n,
      protocol_fee: 2n,
      referral_fee: 1n,
      output_amount: 77n,
      next_sqrt_price: 5n << 64n,
    }
    const first = oracle!.dbc(meteora.evtSwap(swap))!.fields
    assert.deepEqual(first.swap_result, { ...result, actual_input_amount: 990n })
    assert.deepEqual([first.amount_in, first.trade_direction, keyOfHex(first.pool)], [1_000n, 1n, WHO.pool])
    const second = oracle!.dbc(meteora.evtSwap2(swap))!.fields
    assert.deepEqual(second.swap_result, {
      ...{ included_fee_input_amount: 1_000n, excluded_fee_input_amount: 990n, amount_left: 0n },
      ...result,
    })
    assert.equal(second.current_timestamp, 1_790_000_000n)
    const pool: meteora.DammSwap = { ...swap, fees: [7n, 2n, 4n, 1n], reserve: 123n }
    const damm = oracle!.damm(meteora.evtDammSwap(pool))!.fields
    assert.deepEqual(damm.swap_result, {
      ...{ included_fee_input_amount: 1_000n, excluded_fee_input_amount: 990n, amount_left: 0n, partner_fee: 4n },
      ...result,
    })
    assert.deepEqual(
      [damm.included_transfer_fee_amount_in, damm.excluded_transfer_fee_amount_out, damm.reserve_b_amount],
      [1_000n, 77n, 123n],
    )
    const created = oracle!.dbc(meteora.evtInitializePool(WHO.pool, WHO.creator, WHO.mint))!.fields
    assert.deepEqual([created.pool, created.config, created.creator, created.base_mint].map(keyOfHex), [
      WHO.pool,
      meteora.CONFIG,
      WHO.creator,
      WHO.mint,
    ])
    const opened = oracle!.damm(meteora.evtDammInitializePool(keyOf(1), keyOf(2), keyOf(3)))!.fields
    assert.deepEqual([opened.pool, opened.token_a_mint, opened.token_b_mint].map(keyOfHex), [
      keyOf(1),
      keyOf(2),
      keyOf(3),
    ])
    assert.equal(oracle!.dbc(meteora.evtCurveComplete(WHO.pool))!.fields.quote_reserve, 85_000_000_000n)
  })
})
