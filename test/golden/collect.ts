/**
 * Writes events.json and transactions/ from the real data beside the project: `npx tsx test/golden/collect.ts`. What each must
 * give comes from the published interfaces (judge.ts), never from the decoder. Of sources without a licence only bare
 * payloads, their signature and their slot are taken: facts of a public ledger.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { getBase58Decoder, getBase58Encoder } from '@solana/kit'
import { listData, parseCsv, readData } from '../conformance/bytes/idl.ts'
import { dexParser, fixedAccount } from '../outside/witness.ts'
import { factsOf, type GoldenEvent, isProgram, readEvent } from './judge.ts'

type Found = { readonly signature: string | null; readonly slot: number | null }
/** payload in base64 → where on the ledger it stands */
const places = new Map<string, Found>()
const SELF_CPI = 'e445a52e51cb9a1d'

const signatureIn = (node: Record<string, unknown>): string | null => {
  for (const value of [node.signature, node.sig]) if (typeof value === 'string' && value.length > 80) return value
  const transaction = node.transaction as { signatures?: string[] } | string[] | undefined
  if (Array.isArray(transaction)) {
    const bytes = Buffer.from(transaction[0]!, 'base64')
    // a transaction of version 1 has its signatures at the end
    if (bytes[0] !== undefined && bytes[0] < 128) return getBase58Decoder().decode(bytes.subarray(1, 65))
  } else if (transaction?.signatures?.[0] !== undefined) return transaction.signatures[0]
  return null
}

function remember(payload: Buffer, place: Found): void {
  const key = payload.toString('base64')
  const known = places.get(key)
  if (known === undefined || (known.slot === null && place.slot !== null)) places.set(key, place)
}

function look(value: unknown, place: Found): void {
  if (typeof value === 'string') {
    const line = /^(?:Program data: )?([A-Za-z0-9+/]+={0,2})$/.exec(value)
    if (line !== null) remember(Buffer.from(line[1]!, 'base64'), place)
    if (/^[1-9A-HJ-NP-Za-km-z]{32,1400}$/.test(value)) {
      const bytes = Buffer.from(getBase58Encoder().encode(value))
      if (bytes.toString('hex', 0, 8) === SELF_CPI) remember(bytes.subarray(8), place)
    }
    return
  }
  if (typeof value !== 'object' || value === null) return
  const node = value as Record<string, unknown>
  const context = node.context as { slot?: number } | undefined
  const slot = typeof node.slot === 'number' ? node.slot : (node.as_of_slot ?? context?.slot ?? place.slot)
  const here: Found = { signature: signatureIn(node) ?? place.signature, slot: typeof slot === 'number' ? slot : null }
  for (const inner of Object.values(node)) look(inner, here)
}

const nowhere: Found = { signature: null, slot: null }
for (const folder of ['raw_tx', 'real2/transactions'])
  for (const file of listData(folder))
    if (file.endsWith('.json')) look(JSON.parse(readData(`${folder}/${file}`)), nowhere)
for (const line of readData('streams/helius_logs_subscribe_pumpfun.jsonl').split('\n').filter(Boolean)) {
  const { params } = JSON.parse((JSON.parse(line) as { raw: string }).raw) as {
    params?: { result: { context: { slot: number }; value: { signature: string; logs: string[] } } }
  }
  if (params !== undefined)
    look(params.result.value.logs, { signature: params.result.value.signature, slot: params.result.context.slot })
}

/** Programs whose events are in the recordings and are not read. */
const OTHERS: Readonly<Record<string, string>> = {
  moonshot: dexParser.DEX_PROGRAMS.MOONIT!.id,
  'unknown (other program)': fixedAccount('pump', 'create_v2', 'mayhem_program_id'),
}

/** `owner/name` at the beginning of what a recording says of its origin, with a path or commit where it has one */
const sourceIn = (text: string): string | null =>
  /[\w.-]+\/[\w.-]+(?:[: ][^,(]+)?/.exec(text.replace(/^public .*/, ''))?.[0].trim() ?? null

function golden(id: string, program: string, event: string, payload: Buffer, source: string): GoldenEvent {
  const gives = factsOf(program, payload)
  const place = places.get(payload.toString('base64')) ?? nowhere
  const known = isProgram(program)
  const why = !known
    ? 'a program whose events are not read'
    : readEvent(program, payload) === null
      ? 'no published interface describes this event'
      : event === 'CreatePoolEvent'
        ? 'a pool whose base is SOL'
        : 'an event of which nothing is folded'
  return {
    id,
    program,
    event,
    ...place,
    source: sourceIn(source),
    payload: payload.toString('base64'),
    gives,
    ...(gives === null ? { why } : {}),
  }
}

const events: GoldenEvent[] = []
const kinds = new Map<string, number>()
const rows = parseCsv(readData('events/program_data_events.csv'))
  .filter(({ event }) => !/not an anchor event|SwapEvent of a foreign/.test(event!))
  .map((row) => ({ row, payload: Buffer.from(row.base64!, 'base64') }))
// of one kind and length the one whose place on the ledger is known
rows.sort((a, b) => Number(places.has(b.row.base64!)) - Number(places.has(a.row.base64!)))
for (const { row, payload } of rows) {
  const kind = `${row.event}-${row.payload_len}`
  const seen = kinds.get(kind) ?? 0
  kinds.set(kind, seen + 1)
  // creations differ in their texts, not in their layout: by what follows the texts would be too fine
  if (seen >= (/TradeEvent-(358|359)/.test(kind) ? 3 : 1)) continue
  const [name, event] = OTHERS[row.event!] === undefined ? row.event!.split('.') : [row.event!, 'unnamed']
  const program = OTHERS[name!] ?? name!
  events.push(golden(seen === 0 ? kind : `${kind}-${seen + 1}`, program, event!, payload, row.source!))
}
for (const row of parseCsv(readData('real2/events.csv')))
  events.push(golden(row.id!, row.program!, row.event!, Buffer.from(row.payload_base64!, 'base64'), row.source!))
events.sort((a, b) => (a.program + a.event).localeCompare(b.program + b.event) || a.payload.length - b.payload.length)
writeFileSync(join(import.meta.dirname, 'events.json'), `${JSON.stringify(events, null, 1)}\n`)
console.log(
  `${events.length} events, ${events.filter(({ signature }) => signature === null).length} without a signature`,
)

/** Whole transactions, of sources whose licence allows it; INDEX.csv and the manifests name them. */
const folder = join(import.meta.dirname, 'transactions')
rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })
let written = 0
for (const row of parseCsv(readData('raw_tx/INDEX.csv'))) {
  if (row.licence === 'none') continue
  const { tx } = JSON.parse(readData(`raw_tx/${row.file}`)) as { tx: unknown }
  const source = `${row.source_repo}:${row.source_path} @ ${row.source_commit}, ${row.licence}`
  writeFileSync(join(folder, row.file!), `${JSON.stringify({ source, tx })}\n`)
  written++
}
const V1 = 'chainstacklabs/pumpfun-bonkfun-bot:cookbook/pumpfun/decode/'
for (const [file, commit] of [
  ['raw_create_v2_v1_from_gettransaction.json', '41b971147abd94419b4b2b244e98656db44adf1f'],
  ['raw_create_fee_sharing_from_gettransaction.json', '9c733d34014efd0b7f61914420bc4eaf523de488'],
] as const) {
  const tx = JSON.parse(readData(`real2/transactions/${file}`)) as unknown
  writeFileSync(join(folder, file), `${JSON.stringify({ source: `${V1}${file} @ ${commit}, Apache-2.0`, tx })}\n`)
  written++
}
console.log(`${written} transactions`)
