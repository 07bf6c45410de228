import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  BUY,
  decode,
  hex,
  instruction,
  join,
  keyOf,
  logOf,
  programKeyOf,
  pumpBuyAccounts,
  pumpTrade,
  pumpTx,
  rawTx,
  selfCpi,
  token,
  u64,
  WHO,
} from '../../../../test/support/encode.ts'
import { key } from '../base/base58.ts'
import { type Key, ZERO_KEY } from '../base/ids.ts'
import type { BalanceEvent, TradeEvent } from '../model/events.ts'
import { LAUNCHLAB_TEXT, MAYHEM, MAYHEM_TEXT, PUMP, PUMP_TEXT } from '../model/programs.ts'
import type { RawTransaction } from '../model/raw.ts'

const ROUTER = 'JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4'
const MOONSHOT = 'MoonCVVNZFSYkqNXP6bxHLPL6QQJiMagDL3qcqUQTrG'
/** What moved besides what the trades say. */
const movedBy = ({ before, after, explained }: BalanceEvent): number => after - before - explained
const users = (tx: Parameters<typeof decode>[0]): Key[] =>
  decode(tx).events.flatMap((event) => (event.kind === 'trade' ? [event.user] : []))

describe('transactions', () => {
  test('trap 2: one discriminator, three programs: only the emitter decides', () => {
    const payload = pumpTrade()
    for (const [program, found] of [
      [PUMP_TEXT, 1],
      [MOONSHOT, 0],
      [ROUTER, 0],
    ] as const)
      assert.equal(decode(rawTx({ logs: logOf([program, payload]) })).events.length, found, program)
    // the emitter is the top of the stack, not an earlier program
    assert.equal(decode(rawTx({ logs: logOf([ROUTER, [PUMP_TEXT], payload]) })).events.length, 0)
    assert.equal(decode(rawTx({ logs: logOf([PUMP_TEXT, [ROUTER], payload]) })).events.length, 1)
    const keys: Key[] = []
    const foreign = instruction(keys, keyOf(50), [], selfCpi(payload))
    const call = instruction(keys, PUMP, pumpBuyAccounts(), BUY)
    const tx = rawTx({ keys, instructions: [call], inner: [{ outer: 0, instructions: [foreign] }] })
    assert.deepEqual(decode(tx), { events: [], counts: new Map() })
    const lab = decode(rawTx({ logs: logOf([LAUNCHLAB_TEXT, payload]) }))
    assert.deepEqual([...lab.counts.keys()].length, 1)
    assert.deepEqual(lab.events, [])
  })

  test('trap 4: "Instruction: Migrate" in a log is nothing', () => {
    const logs = logOf([PUMP_TEXT, 'Program log: Instruction: MigrateBondingCurveCreator'])
    assert.deepEqual(decode(rawTx({ logs })), { events: [], counts: new Map() })
  })

  test('trap 5: a failed transaction is dropped however complete it looks', () => {
    assert.deepEqual(decode(pumpTx([pumpTrade()], { failed: true })), {
      events: [],
      counts: new Map([['failed_transaction', 1]]),
    })
  })

  test('trap 6: a truncated log yields what stands before the cut, inner instructions are not cut', () => {
    const logs = [...logOf([PUMP_TEXT, pumpTrade()]).slice(0, 2), 'Log truncated', ...logOf([PUMP_TEXT, pumpTrade()])]
    const { events, counts } = decode(rawTx({ logs }))
    assert.deepEqual([events.map(({ kind }) => kind), counts], [['trade'], new Map([['log_truncated', 1]])])
    assert.equal(decode(pumpTx([pumpTrade()], { logs })).events.length, 1)
    const quoted = logOf([PUMP_TEXT, 'Program log: Log truncated', pumpTrade()])
    assert.equal(decode(rawTx({ logs: quoted })).events.length, 1)
  })

  test('trap 7: a router calls the program several levels down, other instructions in between', () => {
    const keys: Key[] = []
    const router = instruction(keys, keyOf(50), [], hex('00'))
    const noise = instruction(keys, keyOf(51), [], hex('0102'))
    const call = instruction(keys, PUMP, pumpBuyAccounts(), BUY)
    const event = instruction(keys, PUMP, [], selfCpi(pumpTrade()))
    const swapEvent = instruction(keys, keyOf(50), [], selfCpi(pumpTrade()))
    const instructions = [noise, call, noise, noise, event, swapEvent]
    const { events } = decode(rawTx({ keys, instructions: [noise, router], inner: [{ outer: 1, instructions }] }))
    assert.equal(events.length, 1)
    assert.ok(events[0]?.kind === 'trade')
    assert.deepEqual([events[0].outer, events[0].inner, events[0].pool], [1, 4, WHO.curve])
  })

  test('trap 8: several trades of one signature keep their places', () => {
    const tx = pumpTx([
      pumpTrade({ user: keyOf(1) }),
      pumpTrade({ user: keyOf(2), buy: false }),
      pumpTrade({ user: keyOf(1) }),
    ])
    assert.deepEqual(users(tx), [keyOf(1), keyOf(2), keyOf(1)])
    assert.deepEqual(
      decode(tx).events.map((event) => event.inner),
      [0, 1, 2],
    )
    const logs = logOf([ROUTER, [PUMP_TEXT, pumpTrade(), pumpTrade()], [PUMP_TEXT, pumpTrade()]])
    const fromLogs = decode(rawTx({ logs })).events
    assert.deepEqual(
      fromLogs.map((event) => [event.outer, event.inner]),
      [
        [-1, 0],
        [-1, 1],
        [-1, 2],
      ],
    )
  })

  test('one reading or the other, never both', () => {
    const logs = logOf([PUMP_TEXT, pumpTrade()])
    assert.deepEqual(
      decode(pumpTx([pumpTrade()], { logs })).events.map((event) => event.outer),
      [0],
    )
    // a program may log its event without calling itself
    assert.deepEqual(
      decode(pumpTx([], { logs })).events.map((event) => event.outer),
      [-1],
    )
  })

  test("trap 9: the trader's lamports stand at his index, wherever it is", () => {
    const tx = pumpTx([pumpTrade({ user: keyOf(60) })])
    const keys = [...tx.keys, keyOf(61), keyOf(60)]
    const zeros = keys.slice(1).map(() => 0)
    const { events } = decode({ ...tx, keys, preBalances: [...zeros, 700], postBalances: [...zeros, 500] })
    assert.ok(events[0]?.kind === 'trade')
    assert.deepEqual([events[0].solBefore, events[0].solAfter], [700, 500])
    const absent = decode({ ...tx, preBalances: [1], postBalances: [1] }).events[0]
    assert.ok(absent?.kind === 'trade' && absent.solAfter === -1)
  })

  test('trap 12: a trade by the mayhem program is marked, in both readings', () => {
    const keys: Key[] = []
    const outer = instruction(keys, MAYHEM, [], hex('00'))
    const call = instruction(keys, PUMP, pumpBuyAccounts(), BUY)
    const event = instruction(keys, PUMP, [], selfCpi(pumpTrade()))
    const inner = decode(
      rawTx({ keys, instructions: [outer], inner: [{ outer: 0, instructions: [call, event] }] }),
    ).events
    const logged = decode(
      rawTx({ logs: logOf([MAYHEM_TEXT, [PUMP_TEXT, pumpTrade()], join(hex('31487b2d6e40b085'), u64(0))]) }),
    ).events
    for (const events of [inner, logged])
      assert.ok(events.length === 1 && events[0]?.kind === 'trade' && events[0].mayhem)
    const human = decode(pumpTx([pumpTrade()])).events[0]
    assert.ok(human?.kind === 'trade' && !human.mayhem)
  })

  test('foreign transactions cost nothing and count nothing', () => {
    assert.deepEqual(decode(rawTx({ keys: [keyOf(1)], logs: ['Program x invoke [1]'] })), {
      events: [],
      counts: new Map(),
    })
  })

  test('a log that is not one', () => {
    for (const logs of [['Program x invoke [0]'], ['Program x invoke [99999]'], ['Program x invoke [a]']])
      assert.deepEqual([...decode(rawTx({ logs })).counts], [['log_truncated', 1]])
    const odd = [
      'Program x success',
      'Program data: !!!',
      '',
      'Program ',
      `Program ${PUMP_TEXT} invoke [3]`,
      'Program data: ',
    ]
    assert.deepEqual([...decode(rawTx({ logs: odd })).counts], [['too_short:pump', 1]])
  })

  test('a payload that is not base64 is refused as a whole', () => {
    const payload = pumpTrade().toString('base64')
    const logs = (text: string) => [
      `Program ${PUMP_TEXT} invoke [1]`,
      `Program data: ${text}`,
      `Program ${PUMP_TEXT} success`,
    ]
    assert.equal(decode(rawTx({ logs: logs(payload) })).events.length, 1)
    for (const text of [
      `${payload.slice(0, 20)}@${payload.slice(21)}`,
      payload.slice(1),
      payload.replace(/.$/, '-'),
      `${payload}=`,
    ])
      assert.deepEqual(decode(rawTx({ logs: logs(text) })), {
        events: [],
        counts: new Map([['payload_not_base64', 1]]),
      })
  })
})

describe('balances beside trades', () => {
  const trade = pumpTrade()
  const bought = 34_612_903_225_806
  const curve = (amount: number) => token(3, WHO.mint, WHO.curve, amount)

  test('trap 10: what the trade explains is no event, the curve is no holder', () => {
    const { events } = decode(
      pumpTx([trade], {
        preTokens: [curve(1e15)],
        postTokens: [curve(1e15 - bought), token(4, WHO.mint, WHO.user, bought)],
      }),
    )
    assert.deepEqual(
      events.map((event) => event.kind),
      ['trade'],
    )
  })

  test('traps 13 and 15: a transfer beside the trade is what the trade does not explain', () => {
    const { events } = decode(
      pumpTx([trade], {
        preTokens: [curve(1e15), token(4, WHO.mint, WHO.user, 500)],
        postTokens: [curve(1e15 - bought), token(4, WHO.mint, WHO.user, bought), token(5, WHO.mint, WHO.other, 500)],
      }),
    )
    const balances = events.flatMap((event) => (event.kind === 'balance' ? [event] : []))
    assert.deepEqual(
      balances.map((event) => [event.owner, movedBy(event), event.outer, event.inner]),
      [
        [WHO.user, 0, -1, 0],
        [WHO.user, -500, 0x7fff, 1],
        [WHO.other, 500, 0x7fff, 2],
      ],
    )
  })

  test('tokens bought for another are his', () => {
    const { events } = decode(
      pumpTx([trade], {
        preTokens: [curve(1e15)],
        postTokens: [curve(1e15 - bought), token(5, WHO.mint, WHO.other, bought)],
      }),
    )
    const balances = events.flatMap((event) => (event.kind === 'balance' ? [[event.owner, movedBy(event)]] : []))
    assert.deepEqual(balances, [
      [WHO.other, bought],
      [WHO.user, -bought],
    ])
  })

  test('several accounts of one owner are one holding; other mints and unknown owners say nothing', () => {
    const preTokens = [curve(1e15), token(6, keyOf(80), WHO.other, 1)]
    const halves = [token(4, WHO.mint, WHO.user, bought - 10), token(5, WHO.mint, WHO.user, 10)]
    const postTokens = [curve(1e15 - bought), ...halves, token(6, keyOf(80), WHO.other, 5)]
    const moved = decode(pumpTx([trade], { preTokens, postTokens })).events.flatMap((event) =>
      event.kind === 'balance' ? [[event.owner, event.before, event.after, event.explained]] : [],
    )
    assert.deepEqual(moved, [
      [WHO.user, 0, bought - 10, bought],
      [WHO.user, 0, 10, 0],
    ])
    const unowned = [curve(1e15 - bought), token(4, WHO.mint, null, 7)]
    assert.equal(decode(pumpTx([trade], { preTokens, postTokens: unowned })).events.length, 1)
  })

  test('a curve that nothing names is a program, because no one can sign for it', () => {
    const preTokens = [curve(1e15)]
    const tx = pumpTx([trade], { preTokens, postTokens: [curve(1e15 - bought), token(4, WHO.mint, WHO.user, bought)] })
    const unnamed = { ...tx, instructions: [{ ...tx.instructions[0]!, data: Buffer.alloc(8) }] }
    assert.deepEqual(
      decode(unnamed).events.map((event) => [event.kind, event.kind === 'balance' && event.program]),
      [
        ['trade', false],
        ['balance', true],
      ],
    )
  })

  test('what nobody kept is a hop', () => {
    const preTokens = [curve(1e15)]
    const passed = pumpTx([trade], {
      preTokens,
      postTokens: [curve(1e15 - bought), token(4, WHO.mint, programKeyOf(90), bought)],
    })
    const [event, vault] = decode(passed).events
    assert.ok(event?.kind === 'trade' && event.hop)
    assert.ok(vault?.kind === 'balance' && vault.program && movedBy(vault) === bought)
  })

  test('a trade that a program made is the signer’s whose balance moved', () => {
    const router = programKeyOf(91)
    const routed = pumpTrade({ tokens: bought, user: router })
    const rows = { preTokens: [curve(1e15)], postTokens: [curve(1e15 - bought), token(4, WHO.mint, WHO.user, bought)] }
    const { events } = decode(pumpTx([routed], rows))
    assert.deepEqual(
      events.map((event) => event.kind === 'trade' && [event.user, event.hop, event.held]),
      [[WHO.user, false, 0]],
    )
    // without balances nobody knows whose it is
    const [alone] = decode(pumpTx([routed])).events
    assert.ok(alone?.kind === 'trade' && alone.hop)
  })

  test('the account and what was in it come with the trade', () => {
    const { events } = decode(
      pumpTx([trade, trade], {
        preTokens: [curve(1e15), token(4, WHO.mint, WHO.user, 70)],
        postTokens: [curve(1e15 - 2 * bought), token(4, WHO.mint, WHO.user, 70 + 2 * bought)],
      }),
    )
    const accounts = events.map((event) => event.kind === 'trade' && [event.account >= 0, event.held])
    assert.deepEqual(accounts, [
      [true, 70],
      [true, 70 + bought],
    ])
  })
})

describe('transactions without a launchpad', () => {
  const TOKEN_2022 = key('TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb')
  const USDC = key('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v')
  const [from, to] = [WHO.user, WHO.other]

  function sent(programs: readonly Key[], fields: Partial<RawTransaction> = {}): RawTransaction {
    const keys: Key[] = [from, to]
    const instructions = programs.map((program) => instruction(keys, program, [from, to], hex('0c')))
    const preTokens = [token(4, WHO.mint, from, 500)]
    const postTokens = [token(4, WHO.mint, from, 100), token(5, WHO.mint, to, 400)]
    return rawTx({ keys, instructions, preTokens, postTokens, ...fields })
  }
  const balancesOf = (tx: RawTransaction) =>
    decode(tx).events.map((event) => (event.kind === 'balance' ? [event.mint, event.owner, event.after] : event.kind))

  test('what a wallet sends another is both balances afterwards', () => {
    const both = [
      [WHO.mint, from, 100],
      [WHO.mint, to, 400],
    ]
    assert.deepEqual(balancesOf(sent([TOKEN_2022])), both)
    const COMPUTE_BUDGET = key('ComputeBudget111111111111111111111111111111')
    assert.deepEqual(balancesOf(sent([COMPUTE_BUDGET, ZERO_KEY, TOKEN_2022])), both)
  })

  test('several mints are told apart; an account that was closed held nothing afterwards', () => {
    const other = keyOf(80)
    const preTokens = [token(4, other, from, 7), token(5, WHO.mint, from, 9), token(6, USDC, from, 5)]
    const tx = sent([TOKEN_2022], { preTokens, postTokens: [token(7, WHO.mint, to, 9)] })
    assert.deepEqual(balancesOf(tx), [
      [WHO.mint, to, 9],
      [WHO.mint, from, 0],
      [other, from, 0],
      [other, ZERO_KEY, 7],
    ])
    const places = decode(tx).events.map(({ outer, inner }) => [outer, inner])
    assert.deepEqual(places, [
      [0x7fff, 0],
      [0x7fff, 1],
      [0x7fff, 2],
      [0x7fff, 3],
    ])
  })

  test('beside any other program it may be a trade elsewhere, so nothing is said', () => {
    assert.deepEqual(balancesOf(sent([TOKEN_2022, key(ROUTER)])), [])
    assert.deepEqual(balancesOf(sent([key(MOONSHOT)])), [])
    assert.deepEqual(balancesOf(sent([TOKEN_2022], { failed: true })), [])
    const lost = sent([TOKEN_2022])
    assert.deepEqual(balancesOf({ ...lost, instructions: [{ ...lost.instructions[0]!, program: 9 }] }), [])
  })

  test('dollars and SOL are not followed, nor what has no owner', () => {
    const usdc = { preTokens: [token(4, USDC, from, 5)], postTokens: [token(5, USDC, to, 5)] }
    assert.deepEqual(balancesOf(sent([TOKEN_2022], usdc)), [])
    assert.deepEqual(balancesOf(sent([TOKEN_2022], { postTokens: [token(5, WHO.mint, null, 400)] })), [])
  })
})

test('who pays: the first key the fee, and who sends lamports to a tip account the tip', () => {
  const TIP = key('96gYZGLnJYVFmbjzopPSU6QiEV5fGqZNyN9nmNhvrZU5')
  const tipping = (data: string, to: Key = TIP) => {
    const tx = pumpTx([pumpTrade()])
    const at = tx.keys.length
    const keys = [...tx.keys, keyOf(70), to, ZERO_KEY]
    const transfer = { program: at + 2, accounts: Uint8Array.of(at, at + 1), data: Buffer.from(data, 'hex') }
    return { ...tx, keys, instructions: [...tx.instructions, transfer] }
  }
  const trade = (tx: RawTransaction): TradeEvent => decode(tx).events[0] as TradeEvent
  const plain = trade(pumpTx([pumpTrade()]))
  assert.deepEqual([plain.payer, plain.tipper], [pumpTx([]).keys[0], null])
  assert.equal(trade(tipping('02000000a086010000000000')).tipper, keyOf(70))
  assert.equal(trade(tipping('02000000a086010000000000', keyOf(71))).tipper, null, 'no tip account')
  assert.equal(trade(tipping('03000000a086010000000000')).tipper, null, 'no transfer')
  assert.equal(trade(tipping('0200')).tipper, null, 'cut short')
})
