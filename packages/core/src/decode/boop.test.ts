import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  bytes,
  decode,
  hex,
  instruction,
  join,
  keyOf,
  logOf,
  rawTx,
  text,
  token,
  u8,
  u64,
  WHO,
} from '../../../../test/support/encode.ts'
import { BOOP } from '../../../../test/support/programs.ts'
import type { Key } from '../base/ids.ts'
import { LAUNCHPAD, QUOTE, VENUE } from '../model/events.ts'
import { BOOP_TEXT, METEORA_DAMM_AUTHORITY, WRAPPED_SOL } from '../model/programs.ts'
import type { RawTransaction } from '../model/raw.ts'

const VAULT = keyOf(41)
const AUTHORITY = keyOf(42)
/** The recorded curve: 30 SOL and 1,002,320,930 tokens, virtual. */
const PRODUCT = 30_000_000_000n * 1_002_320_930_000_000_000n
const OFFSET = 2_320_930_000_000_000n

const bought = (paid: bigint, tokens: bigint, fee: bigint): Buffer =>
  join(hex('4759de7cd7c0e68a'), bytes(WHO.mint), u64(paid), u64(tokens), u64(fee), bytes(WHO.user), bytes(WHO.user))
const sold = (tokens: bigint, got: bigint, fee: bigint): Buffer =>
  join(hex('ccefb64df1334d42'), bytes(WHO.mint), u64(tokens), u64(got), u64(fee), bytes(WHO.user), bytes(WHO.user))

const CALLS = {
  buy: [hex('8a7f0e5b26577369'), [WHO.mint, WHO.curve, keyOf(51), VAULT, keyOf(52), keyOf(53), WHO.user]],
  sell: [hex('6d3d28bbe6b087ae'), [WHO.mint, WHO.curve, keyOf(51), VAULT, keyOf(52), keyOf(53), WHO.user]],
  create: [
    join(hex('5434cce4188cea4b'), u64(7), text('Boop\u200b Coin'), text('B\u202eC'), text('https://example.org')),
    [keyOf(54), keyOf(55), WHO.mint, WHO.user],
  ],
  deploy: [
    join(hex('b459c74ca8ecd98a'), bytes(WHO.creator), u64(7)),
    [WHO.mint, AUTHORITY, WHO.curve, keyOf(52), VAULT, keyOf(54), WHO.user],
  ],
} as const satisfies Record<string, readonly [Buffer, readonly Key[]]>

/** Outer calls, each with an inner one, a log with the events, and what the curve's vault holds afterwards. */
function transaction(
  calls: readonly (readonly [Buffer, readonly Key[]])[],
  payloads: readonly Buffer[],
  left: number | null = null,
): RawTransaction {
  const keys: Key[] = [WHO.user]
  const instructions = calls.map(([data, accounts]) => instruction(keys, BOOP, accounts, data))
  const inner = calls.map((_, outer) => ({ outer, instructions: [instruction(keys, keyOf(99), [], u8(3))] }))
  const postTokens = left === null ? [] : [token(keys.indexOf(VAULT), WHO.mint, AUTHORITY, left, 9)]
  return rawTx({ keys, instructions, inner, logs: payloads.flatMap((one) => logOf([BOOP_TEXT, one])), postTokens })
}

describe('Boop', () => {
  test('a buy on the recorded curve: fee on top, reserves from the vault', () => {
    const [left, tokens] = [984_000_000_000_000_000n, 4_000_000_000_000n]
    const paid = PRODUCT / (left + OFFSET) - PRODUCT / (left + OFFSET + tokens)
    const { events, counts } = decode(transaction([CALLS.buy], [bought(paid, tokens, 900n)], Number(left)))
    assert.deepEqual([...counts], [])
    const [trade] = events
    assert.ok(trade?.kind === 'trade')
    assert.deepEqual(
      [trade.mint, trade.pool, trade.user, trade.isBuy, trade.venue, trade.quote, trade.decimals, trade.supply],
      [WHO.mint, WHO.curve, WHO.user, true, VENUE.boop, QUOTE.SOL, 9, 1e18],
    )
    assert.deepEqual(
      [trade.tokenAmount, trade.quoteAmount, trade.userQuote],
      [Number(tokens), Number(paid), Number(paid) + 900],
    )
    assert.ok(Math.abs(trade.quoteReserve / Number(PRODUCT / (left + OFFSET)) - 1) < 1e-9)
    assert.ok(Math.abs(trade.baseReserve / Number(left + OFFSET) - 1) < 1e-9)
  })

  test('a sale: the fee is taken from what the curve pays', () => {
    const [trade] = decode(transaction([CALLS.sell], [sold(40_902_282_128_000n, 1_372_446n, 13_863n)])).events
    assert.ok(trade?.kind === 'trade')
    assert.deepEqual([trade.isBuy, trade.quoteAmount, trade.userQuote], [false, 1_386_309, 1_372_446])
    // without the vault's balance the mean price is what is known
    assert.ok(Math.abs(trade.quoteReserve / trade.baseReserve / (1_386_309 / 40_902_282_128_000) - 1) < 1e-6)
  })

  test('a trade that is none of the recorded curve gives its mean price', () => {
    const [trade] = decode(transaction([CALLS.buy], [bought(5_000_000n, 4_000_000_000_000n, 0n)], 9e17)).events
    assert.ok(trade?.kind === 'trade')
    assert.ok(Math.abs(trade.quoteReserve / trade.baseReserve / (5_000_000 / 4e12) - 1) < 1e-5)
  })

  test('a launch with its texts, and the first buy', () => {
    const deployed = join(hex('e150b222d927b894'), bytes(WHO.mint), bytes(WHO.creator))
    const made = join(hex('607a718a32e39539'), text('Boop Coin'), text('BC'), text('https://example.org'))
    const first = bought(30_000n, 1_000_000_000_000n, 300n)
    const tx = transaction([CALLS.create, CALLS.deploy, CALLS.buy], [made, deployed, first])
    const { events, counts } = decode(tx)
    assert.deepEqual([...counts.keys()], ['not_needed:boop.TokenCreatedEvent'])
    const [create, trade] = events
    assert.ok(create?.kind === 'create' && trade?.kind === 'trade')
    assert.deepEqual(
      [create.mint, create.pool, create.user, create.creator, create.launchpad, create.supply, create.decimals],
      [WHO.mint, WHO.curve, WHO.user, WHO.creator, LAUNCHPAD.boop, 1e18, 9],
    )
    assert.deepEqual([create.name, create.symbol, create.uri], ['Boop Coin', 'BC', 'https://example.org'])
    assert.deepEqual([create.outer, trade.outer], [1, 2])
  })

  test('graduation, and a pool on either AMM', () => {
    const graduated = join(hex('49746f1a5cd9928d'), bytes(WHO.mint), u64(1), u64(2), u64(3))
    const graduate = [hex('2debe1b511da4082'), [WHO.mint, WRAPPED_SOL]] as const
    assert.deepEqual(
      decode(transaction([graduate], [graduated])).events.map(({ kind, mint }) => [kind, mint]),
      [['complete', WHO.mint]],
    )
    const at = (length: number, named: Readonly<Record<number, Key>>): Key[] =>
      Array.from({ length }, (_, i) => named[i] ?? keyOf(300 + i))
    const pools = [
      [hex('f6fe2125e1b029e8'), at(21, { 4: METEORA_DAMM_AUTHORITY, 5: WHO.pool, 9: WHO.mint, 10: WRAPPED_SOL })],
      [hex('412d774dccb25402'), at(22, { 3: WHO.pool, 4: WRAPPED_SOL, 5: WHO.mint })],
      [hex('4e2cad1d84b404ac'), at(22, { 3: WHO.pool, 4: WHO.mint, 5: WRAPPED_SOL })],
    ] as const
    for (const call of pools) {
      const [event] = decode(transaction([call], [])).events
      assert.ok(event?.kind === 'migrate')
      assert.deepEqual([event.mint, event.pool, event.token?.launchpad], [WHO.mint, WHO.pool, LAUNCHPAD.boop])
    }
  })

  test('the vault is no holder, and what does not fit is refused by name', () => {
    const { events } = decode(transaction([CALLS.buy], [bought(5_000n, 4_000_000_000n, 0n)], 5e15))
    assert.deepEqual(
      events.filter((event) => event.kind === 'balance' && event.owner === AUTHORITY),
      [],
    )
    const names = (payload: Buffer, call: readonly [Buffer, readonly Key[]] = CALLS.buy): string[] => [
      ...decode(transaction([call], [payload])).counts.keys(),
    ]
    assert.deepEqual(names(bought(0n, 5n, 0n)), ['zero_amount:boop.TokenBoughtEvent'])
    assert.deepEqual(names(bought(5n, 5n, 0n).subarray(0, 100)), ['too_short:boop.TokenBoughtEvent'])
    const deployed = join(hex('e150b222d927b894'), bytes(keyOf(9)), bytes(WHO.creator))
    assert.deepEqual(names(deployed, CALLS.deploy), ['no_instruction:boop.BondingCurveDeployedEvent'])
  })
})
