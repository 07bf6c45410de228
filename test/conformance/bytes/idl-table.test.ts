import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { keyFromBase58 } from '@ti/core/base/base58.ts'
import { createCounts } from '@ti/core/base/counts.ts'
import { NO_SIG } from '@ti/core/base/ids.ts'
import { createDecoder } from '@ti/core/decode/block.ts'
import { endsAtField, eventIn, idlOf } from '@ti/core/decode/idl.ts'
import { IDL_TABLE } from '@ti/core/decode/idl-table.ts'
import { createUnknownBook, type UnknownKind } from '@ti/core/decode/unknown.ts'
import type { RawTransaction } from '@ti/core/model/raw.ts'
import { createMaterial } from '@ti/lab/import/material.ts'
import { takeValue } from '@ti/lab/import/values.ts'
import { makeTables, PROGRAMS, sourcesOf } from '../../../scripts/model/idl-table.ts'
import { rawTx } from '../../support/encode.ts'
import { listData, NO_DATA, parseCsv, readData } from './idl.ts'

/** What the decoder takes for known is what the programs' authors publish, and covers every real byte there is. */
const ADDRESS = Object.fromEntries(Object.entries(IDL_TABLE).map(([text, { label }]) => [label, text]))
const BOUNDS = { kinds: 1_000, lengths: 1_000, bytes: 16 }

const logOf = (program: string, payload: string, n: number): RawTransaction =>
  rawTx({
    signature: NO_SIG,
    index: n,
    logs: [`Program ${program} invoke [1]`, `Program data: ${payload}`, `Program ${program} success`],
  })

function kindsOf(blocks: readonly (readonly RawTransaction[])[]) {
  const book = createUnknownBook(BOUNDS)
  const decoder = createDecoder({ unknown: book })
  for (const [slot, transactions] of blocks.entries()) decoder.decodeBlock({ slot, parent: -1, time: 0, transactions })
  return { kinds: book.kinds(), counts: decoder.counts }
}

const named = ({ program, what, why, name, discriminator, length }: UnknownKind) =>
  `${idlOf(keyFromBase58(program)!)!.label} ${what} ${name || discriminator} ${length} ${why}`

describe('known events and instructions', { skip: NO_DATA }, () => {
  test('are those of the interface files, copied by the program', () => {
    const compact = ({ instructions, ...rest }: { instructions: string }) => ({
      ...rest,
      instructions: instructions.trim().split(/\s+/),
    })
    const made = makeTables()
    assert.deepEqual(Object.keys(made), Object.keys(IDL_TABLE))
    for (const [text, table] of Object.entries(made))
      assert.deepEqual(compact(IDL_TABLE[text]!), compact(table), table.label)
  })

  test('every event of an interface file is decoded or left out by name, and no name is of another time', () => {
    for (const program of PROGRAMS) {
      const names = new Set(sourcesOf(program).flatMap(({ events }) => events.map(({ name }) => name)))
      assert.deepEqual([...program.decoded, ...program.notNeeded].sort(), [...names].sort(), program.label)
    }
  })

  test('the events that are decoded have a decoder, those that are left out have none', () => {
    // of programs that the decoder watches
    for (const label of ['pump', 'pump_amm', 'launchlab']) {
      for (const [discriminator, name, widths] of IDL_TABLE[ADDRESS[label]!]!.events) {
        const payload = Buffer.concat([Buffer.from(discriminator, 'hex'), Buffer.alloc(600)])
        const { counts } = kindsOf([[logOf(ADDRESS[label]!, payload.toString('base64'), 0)]])
        const leftOut = counts.has(`not_needed:${label}.${name}`)
        assert.equal(leftOut, widths === '', `${label}.${name}: ${[...counts.keys()]}`)
      }
    }
  })

  test('of real events of every length none is unknown', (t) => {
    const rows = [
      ...parseCsv(readData('events/program_data_events.csv')).map((row) => [row.event!.split('.')[0]!, row.base64!]),
      ...parseCsv(readData('real2/events.csv')).map((row) => [row.program!, row.payload_base64!]),
    ].filter(([label]) => ADDRESS[label!] !== undefined)
    assert.ok(rows.length > 130, `${rows.length} events`)
    const { kinds } = kindsOf(rows.map(([label, payload], i) => [logOf(ADDRESS[label!]!, payload!, i)]))
    t.diagnostic(`${rows.length} events; not known: ${kinds.map(named).join(', ') || 'none'}`)
    assert.deepEqual(kinds.map(named), [])
  })

  test('real transactions hold no instruction that is not published', (t) => {
    const counts = createCounts()
    const material = createMaterial(counts)
    for (const folder of ['raw_tx', 'real2/transactions'])
      for (const file of listData(folder).filter((name) => name.endsWith('.json')))
        takeValue(JSON.parse(readData(`${folder}/${file}`)), material, counts)
    const raw = material.items(counts).flatMap((item) => (item.kind === 'raw' ? [item.block.transactions] : []))
    const { kinds } = kindsOf(raw)
    t.diagnostic(`${raw.flat().length} transactions; not known: ${kinds.map(named).join(', ') || 'none'}`)
    assert.ok(raw.flat().length >= 15)
    assert.deepEqual(
      kinds.filter(({ what }) => what === 'instruction'),
      [],
    )
  })

  test('real events of the Dynamic Bonding Curve end where their last field does', () => {
    const program = idlOf(keyFromBase58(ADDRESS.meteora_dbc!)!)!
    const file = JSON.parse(readData('real2/transactions/dbc-events.json')) as Record<string, { data: string }[]>
    let seen = 0
    for (const [name, list] of Object.entries(file)) {
      if (!Array.isArray(list)) continue
      for (const { data } of list) {
        const payload = Buffer.from(data, 'base64').subarray(8)
        const event = eventIn(program, payload, 0)
        if (event?.fields === null) continue
        assert.equal(event?.name, name)
        assert.equal(endsAtField(event!, payload, 0), true, name)
        assert.equal(endsAtField(event!, payload.subarray(0, -1), 0), false, name)
        seen++
      }
    }
    assert.ok(seen >= 6, `${seen} events`)
  })
})
