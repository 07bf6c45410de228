import assert from 'node:assert/strict'
import { createPublicKey, verify } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { address, getAddressEncoder, getBase58Encoder, getProgramDerivedAddress } from '@solana/kit'
import { keyToBase58 } from '@ti/core/base/base58.ts'
import { createCounts } from '@ti/core/base/counts.ts'
import type { ChainEvent } from '@ti/core/model/events.ts'
import { WRAPPED_SOL } from '@ti/core/model/programs.ts'
import type { RawTransaction } from '@ti/core/model/raw.ts'
import { transactionFromJson } from '@ti/service/source/shape/json.ts'

import { NO_DATA, parseCsv, readData } from '../conformance/bytes/idl.ts'
import { IDLS, instructionOf, type Program } from '../outside/witness.ts'
import { decode, hex } from '../support/encode.ts'
import { canonicalPool, curveOf, factsOf, isProgram, readEvent } from './judge.ts'
import { comparable, emitted, goldenEvents, goldenTransactions, withCall } from './scene.ts'

/** Real bytes of the ledger: what the decoder makes of them is what the published interfaces say. */
const table = new Map<string, number>()
after(() => {
  for (const [line, n] of table) console.log(`${n} × ${line}`)
})
const note = (line: string): void => void table.set(line, (table.get(line) ?? 0) + 1)

const NO_INTERFACE = 'no published interface describes this event'

/** Fails unless the decoder gives what the interface says; the line for the table. */
async function judge(program: string, event: string, payload: Buffer): Promise<string> {
  const facts = factsOf(program, payload)
  const { events, counts } = decode(await emitted(program, payload, facts))
  const found = events.filter(({ kind }) => kind !== 'balance' && kind !== 'liquidity')
  if (event === 'CreatePoolEvent') judgeOpening(events, payload)
  const what = `${program}.${event} ${payload.length}`
  if (facts === null) {
    if (isProgram(program) && readEvent(program, payload) === null) return `${what} | not judged here: ${NO_INTERFACE}`
    assert.deepEqual(found, [], what)
    return `${what} | nothing, ${[...counts.keys()].join() || 'a program that is not read'}`
  }
  const expected = await withCall(program, payload, facts)
  assert.equal(found.length, 1, `${what}: ${[...counts.keys()]}`)
  assert.deepEqual(comparable(found[0]!, expected), expected, what)
  return `${what} | ${found[0]!.kind}`
}

/** The first deposit is what the interface says, in the token's terms. */
function judgeOpening(events: readonly ChainEvent[], payload: Buffer): void {
  const opened = events.find((event) => event.kind === 'liquidity')
  assert.ok(opened?.kind === 'liquidity')
  const f = readEvent('pump_amm', payload)!.fields
  const [base, quote] = [Number(f.base_amount_in), Number(f.quote_amount_in)]
  const isReversed = hex(f.base_mint as string).equals(Buffer.from(WRAPPED_SOL, 'latin1'))
  assert.deepEqual([opened.tokens, opened.quoteAmount], isReversed ? [quote, base] : [base, quote])
  assert.equal(opened.total, Number(f.initial_liquidity))
}

describe('golden event payloads', () => {
  for (const { id, program, event, payload, gives } of goldenEvents)
    test(id, async () => {
      const bytes = Buffer.from(payload, 'base64')
      assert.deepEqual(factsOf(program, bytes), gives, 'the file says what the interface says')
      note(await judge(program, event, bytes))
    })

  test('there is one of every event that the decoder reads, in every length seen', () => {
    const seen = new Map<string, Set<number>>()
    for (const { program, event, payload } of goldenEvents) {
      const kind = `${program}.${event}`
      seen.set(kind, (seen.get(kind) ?? new Set()).add(Buffer.from(payload, 'base64').length))
    }
    const lengths = (kind: string) => [...(seen.get(kind) ?? [])].sort((a, b) => a - b)
    assert.deepEqual(lengths('pump.TradeEvent'), [129, 225, 358, 359, 371, 373, 382, 393, 397])
    assert.deepEqual(lengths('pump.CompleteEvent'), [112, 144])
    assert.deepEqual(lengths('pump.CompletePumpAmmMigrationEvent'), [200])
    assert.deepEqual(lengths('pump.PostCompleteBuyEvent'), [232])
    assert.deepEqual(lengths('pump_amm.BuyEvent'), [312, 360, 465, 480, 489, 504])
    assert.deepEqual(lengths('pump_amm.SellEvent'), [312, 360, 417, 441])
    assert.deepEqual(lengths('pump_amm.CreatePoolEvent'), [301, 334, 344])
    assert.deepEqual(lengths('launchlab.TradeEvent'), [138, 147])
    assert.ok(lengths('pump.CreateEvent').length > 10)
  })

  test('the rest of a completing order is a trade of the same mint and user', async () => {
    const rest = goldenEvents.find(({ event }) => event === 'PostCompleteBuyEvent')!
    const complete = goldenEvents.find(
      ({ event, signature }) => event === 'CompleteEvent' && signature === rest.signature,
    )!
    const { fields } = readEvent('pump', Buffer.from(complete.payload, 'base64'))!
    const { events } = decode(await emitted('pump', Buffer.from(rest.payload, 'base64'), complete.gives))
    const [trade] = events.filter(({ kind }) => kind === 'trade')
    const hex = (text: string) => Buffer.from(text, 'latin1').toString('hex')
    assert.ok(trade?.kind === 'trade')
    assert.deepEqual([hex(trade.mint), hex(trade.user), trade.isBuy], [fields.mint, fields.user, true])
  })
})

/** Addresses inside real events that a program derived: they bind its id, its seeds and the event's layout together. */
describe('derived addresses', () => {
  const of = (program: Program, event: string) =>
    goldenEvents.filter((one) => one.program === program && one.event === event)
  const fieldsOf = (program: Program, payload: string) => readEvent(program, Buffer.from(payload, 'base64'))!.fields
  const base58 = (hex: unknown) => keyToBase58(Buffer.from(hex as string, 'hex').toString('latin1') as never)

  test('the curve of every creation and completion is that of its mint', async () => {
    const events = [
      ...of('pump', 'CreateEvent'),
      ...of('pump', 'CompleteEvent'),
      ...of('pump', 'CompletePumpAmmMigrationEvent'),
    ]
    assert.ok(events.length > 20)
    for (const { id, payload } of events) {
      const { mint, bonding_curve } = fieldsOf('pump', payload)
      assert.equal(await curveOf(base58(mint)), base58(bonding_curve), id)
    }
  })

  test('the pool of every migration is the canonical one of its mint', async () => {
    for (const { id, gives } of of('pump', 'CompletePumpAmmMigrationEvent'))
      assert.equal(await canonicalPool(gives!.mint as string), gives!.pool, id)
  })

  test('every pool that was created stands where its seeds say', async () => {
    const { pda } = instructionOf('pump_amm', 'create_pool').accounts.find(({ name }) => name === 'pool')!
    assert.deepEqual(
      pda!.seeds.map((seed) => (seed.kind === 'const' ? Buffer.from(seed.value).toString() : seed.path)),
      ['pool', 'index', 'creator', 'base_mint', 'quote_mint'],
    )
    for (const { id, payload } of of('pump_amm', 'CreatePoolEvent')) {
      const f = fieldsOf('pump_amm', payload)
      const index = Buffer.alloc(2)
      index.writeUInt16LE(Number(f.index))
      const keys = [f.creator, f.base_mint, f.quote_mint].map((one) => getAddressEncoder().encode(address(base58(one))))
      const programAddress = address(IDLS.pump_amm.address)
      const [pool] = await getProgramDerivedAddress({ programAddress, seeds: [Buffer.from('pool'), index, ...keys] })
      assert.equal(pool, base58(f.pool), id)
    }
  })
})

/** DER of an Ed25519 public key up to its 32 bytes (RFC 8410) */
const SPKI_HEAD = Buffer.from('302a300506032b6570032100', 'hex')
const isSigned = (message: Buffer, signer: string, signature: Buffer): boolean => {
  const raw = Buffer.from(getBase58Encoder().encode(signer))
  return verify(
    null,
    message,
    createPublicKey({ key: Buffer.concat([SPKI_HEAD, raw]), format: 'der', type: 'spki' }),
    signature,
  )
}

/** Every payload that one of the programs sent to itself, found the slow way. */
function payloadsOf(tx: RawTransaction): { program: Program; payload: Buffer; outer: number; inner: number }[] {
  const found = []
  for (const { outer, instructions } of tx.inner ?? [])
    for (const [inner, { program, data }] of instructions.entries()) {
      const name = (Object.keys(IDLS) as Program[]).find((one) => IDLS[one].address === keyToBase58(tx.keys[program]!))
      if (name !== undefined && data.toString('hex', 0, 8) === 'e445a52e51cb9a1d')
        found.push({ program: name, payload: data.subarray(8), outer, inner })
    }
  return found
}

describe('golden transactions', () => {
  let signed = 0
  for (const [file, json] of goldenTransactions)
    test(file, () => {
      // only its log was published
      const whole =
        json.transaction !== undefined && (json.meta as { innerInstructions?: unknown }).innerInstructions !== undefined
      if (!whole) return note(`${file} | without inner instructions: logs only`)
      const counts = createCounts()
      const tx = transactionFromJson(json, counts)
      assert.ok(tx !== null, [...counts.keys()].join())
      if (Array.isArray(json.transaction)) {
        const wire = Buffer.from((json.transaction as string[])[0]!, 'base64')
        assert.ok(isSigned(wire.subarray(1 + 64 * wire[0]!), keyToBase58(tx.keys[0]!), wire.subarray(1, 65)), 'signed')
        signed++
      }
      const { events } = decode(tx)
      const payloads = payloadsOf(tx)
      assert.ok(payloads.length > 0)
      for (const { program, payload, outer, inner } of payloads) {
        const facts = factsOf(program, payload)
        const event = events.find((one) => one.outer === outer && one.inner === inner)
        if (facts === null) assert.equal(event, undefined)
        else assert.deepEqual(event && comparable(event, facts), facts)
      }
      note(`${file} | ${payloads.length} events${Array.isArray(json.transaction) ? ', signature verified' : ''}`)
    })

  test('some of them are signed bytes', () => assert.equal(signed, 5))
})

describe('every recorded payload beside the project', { skip: NO_DATA }, () => {
  test('is what the interface says', async () => {
    let judged = 0
    for (const row of parseCsv(readData('real2/events.csv'))) {
      await judge(row.program!, row.event!, Buffer.from(row.payload_base64!, 'base64'))
      judged++
    }
    for (const row of parseCsv(readData('events/program_data_events.csv'))) {
      const [program, event] = row.event!.split('.')
      if (!isProgram(program!)) continue
      await judge(program, event!, Buffer.from(row.base64!, 'base64'))
      judged++
    }
    assert.equal(judged, 23 + 118)
  })
})
