import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keyToBase58 } from '@ti/core/base/base58.ts'
import type { Key } from '@ti/core/base/ids.ts'
import * as svm from '@x402/svm'
import { factsOf } from '../golden/judge.ts'
import { comparable, emitted, withCall } from '../golden/scene.ts'
import { decode } from '../support/encode.ts'
import { encodeEvent, fieldsOf, type Wire } from './encode.ts'
import { dexParser, fixedAccount, type IdlType, type Program } from './witness.ts'

/**
 * The layouts of all events that the decoder reads, field by field: payloads are written by the interface with values that
 * are all different, cut after every field as older layouts were, and what the decoder reads by its offsets is what the
 * interface reads by its fields.
 */
const SEED = 20_261_123
let state = SEED
/** xorshift32 */
const next = (below: number): number => {
  state ^= state << 13
  state ^= state >>> 17
  state ^= state << 5
  return (state >>> 0) % below
}
const amount = (): bigint => BigInt(next(2 ** 31)) * 4_096n + BigInt(next(4_096)) + 1n
const randomKey = (): string =>
  keyToBase58(Buffer.from(Array.from({ length: 32 }, () => next(256))).toString('latin1') as Key)
const word = (): string => Array.from({ length: next(12) }, () => 'abcdé '[next(6)]).join('')

function anyValue(program: Program, type: IdlType): Wire {
  if (type === 'pubkey') return randomKey()
  if (type === 'bool') return next(2) === 1
  if (type === 'string') return word()
  if (typeof type === 'string')
    return /^[ui]8$/.test(type) ? BigInt(next(10)) : /16$/.test(type) ? BigInt(next(1_000)) : amount()
  if ('vec' in type) return Array.from({ length: next(3) }, () => anyValue(program, type.vec))
  if (!('defined' in type)) throw new Error(`no such type here: ${JSON.stringify(type)}`)
  // Shareholder, the one record in a list; enums by number
  return fieldsOrEnum(program, type.defined.name)
}
const fieldsOrEnum = (program: Program, name: string): Wire => {
  try {
    return Object.fromEntries(fieldsOf(program, name).map((field) => [field.name, anyValue(program, field.type)]))
  } catch {
    return 0n
  }
}

const QUOTES = [dexParser.TOKENS.NATIVE!, fixedAccount('pump', 'migrate', 'wsol_mint'), svm.USDC_MAINNET_ADDRESS]
/** Fields that have to fit each other for the event to be one that can happen. */
const FITTING: Readonly<Record<string, () => Record<string, Wire>>> = {
  TradeEvent: () => ({
    quote_mint: QUOTES[next(3)]!,
    ix_name: 'buy',
    sol_amount: amount() + 2n ** 32n,
    quote_amount: amount() + 2n ** 32n,
    fee: BigInt(next(2 ** 30)),
    creator_fee: BigInt(next(2 ** 30)),
    cashback: BigInt(next(2 ** 30)),
  }),
  CreateEvent: () => ({ quote_mint: QUOTES[next(3)]!, name: 'a name', symbol: 'SYM', uri: 'https://example.com/a' }),
  CompletePumpAmmMigrationEvent: () => ({ quote_mint: QUOTES[next(3)]! }),
  CreatePoolEvent: () => ({ quote_mint: QUOTES[1 + next(2)]! }),
  BuyEvent: () => ({ ix_name: 'buy', pool_base_token_reserves: amount() + 2n ** 44n }),
  SellEvent: () => ({ pool_quote_token_reserves: amount() + 2n ** 44n }),
}

/** A trade of LaunchLab on its curve's constant product, its fees on top of what moved. */
function labTrade(): Record<string, Wire> {
  const [virtualBase, virtualQuote] = [amount() + 2n ** 50n, amount() + 2n ** 44n]
  const [sold, raised] = [amount(), amount()]
  const bought = amount()
  const product = (virtualBase - sold) * (virtualQuote + raised)
  const after = product / (virtualBase - sold - bought) - virtualQuote
  const fees = [amount(), amount(), amount(), amount()]
  return {
    virtual_base: virtualBase,
    virtual_quote: virtualQuote,
    total_base_sell: sold + bought + amount(),
    real_base_before: sold,
    real_quote_before: raised,
    real_base_after: sold + bought,
    real_quote_after: after,
    protocol_fee: fees[0]!,
    platform_fee: fees[1]!,
    creator_fee: fees[2]!,
    share_fee: fees[3]!,
    amount_in: after - raised + fees[0]! + fees[1]! + fees[2]! + fees[3]!,
    amount_out: bought,
    trade_direction: 0n,
  }
}

/** program, event, bytes from which it is read (of a creation its texts decide) */
const EVENTS: readonly (readonly [Program, string, number])[] = [
  ['pump', 'TradeEvent', 129],
  ['pump', 'CreateEvent', Infinity],
  ['pump', 'CompleteEvent', 72],
  ['pump', 'CompletePumpAmmMigrationEvent', 168],
  ['pump_amm', 'BuyEvent', 360],
  ['pump_amm', 'SellEvent', 360],
  ['pump_amm', 'CreatePoolEvent', 205],
  ['launchlab', 'TradeEvent', 147],
]
const ROUNDS = 40

for (const [program, event, least] of EVENTS)
  test(`${program}.${event}: every field, and every layout that ends after one`, async (t) => {
    let read = 0
    const skips = new Map<string, number>()
    for (let round = 0; round < ROUNDS; round++) {
      const own = program === 'launchlab' ? labTrade() : FITTING[event]?.()
      const values = Object.fromEntries(
        fieldsOf(program, event).map(({ name, type }) => [name, anyValue(program, type)]),
      )
      const { payload, ends } = encodeEvent(program, event, { ...values, ...own })
      const whole = factsOf(program, payload)
      // LaunchLab's older layout is no shorter one of the same fields: golden bytes have it
      for (const end of program === 'launchlab' ? ends.slice(-1) : ends) {
        const cut = payload.subarray(0, end)
        const { events, counts } = decode(await emitted(program, cut, whole))
        const found = events.filter(({ kind }) => kind !== 'balance')
        if (found.length === 0) {
          const [reason] = counts.keys()
          assert.match(reason ?? '', /^(too_short|guard):/, `${event} of ${end} bytes`)
          assert.ok(end < payload.length, `${event}: the whole is skipped as ${reason}`)
          // a curve in another coin than SOL needs the sums in that coin, which came last
          assert.ok(end < least || (own?.quote_mint ?? QUOTES[0]) !== QUOTES[0], `${event} of ${end} bytes: ${reason}`)
          skips.set(reason!, (skips.get(reason!) ?? 0) + 1)
          continue
        }
        const expected = await withCall(program, cut, factsOf(program, cut)!)
        assert.deepEqual(
          comparable(found[0]!, expected),
          expected,
          `${event} of ${end} bytes, seed ${SEED}, round ${round}`,
        )
        read++
      }
    }
    assert.ok(read >= ROUNDS, `${read} read`)
    t.diagnostic(
      `${read} payloads read, skipped ${[...skips].map(([reason, n]) => `${reason} ${n}`).join(', ') || 'none'}`,
    )
  })
