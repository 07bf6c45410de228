import { sigFromBase58 } from '@ti/core/base/base58.ts'
import { type Counts, count } from '@ti/core/base/counts.ts'
import { NO_SIG } from '@ti/core/base/ids.ts'
import { VENUE } from '@ti/core/model/events.ts'
import { PUMP_TEXT } from '@ti/core/model/programs.ts'
import { internKey } from '@ti/service/source/shape/fields.ts'
import { knownTrade } from './known-trade.ts'
import type { DecodedTrade } from './material.ts'

/** Columns required for pump trades. */
const NEEDED = [
  'transaction_signature',
  'block_num',
  'wallet_address',
  'token_address',
  'is_buy',
  'amount_in_sol',
  'amount_in_token',
  'virtual_sol_reserves',
  'virtual_token_reserves',
]

type ReadRow = (line: string, counts: Counts) => DecodedTrade | null

/** A reader for files with this header, or null if the columns are not those of pump trades. */
export function tradeCsv(head: string): ReadRow | null {
  const names = cells(head).map((name) => name.trim().toLowerCase())
  if (!NEEDED.every((name) => names.includes(name))) return null
  const place = new Map(names.map((name, i) => [name, i]))
  return (line, counts) => {
    const row = cells(line)
    const text = (name: string) => row[place.get(name) ?? -1]?.trim() ?? ''
    const trade = row.length === names.length ? readTrade(text) : 'columns'
    if (typeof trade !== 'string') return trade
    count(counts, `csv_row:${trade}`)
    return null
  }
}

/** The trade, or the name of the fault in the row. */
function readTrade(text: (name: string) => string): DecodedTrade | string {
  const program = text('program_id')
  if (program !== '' && program !== PUMP_TEXT) return 'program'
  const sigText = text('transaction_signature')
  const sig = sigText === '' ? NO_SIG : sigFromBase58(sigText)
  const user = internKey(text('wallet_address'))
  const mint = internKey(text('token_address'))
  if (sig === null || user === null || mint === null) return 'key'
  const isBuy = flag(text('is_buy'))
  const slot = whole(text('block_num'))
  const quoteAmount = whole(text('amount_in_sol'))
  const tokenAmount = whole(text('amount_in_token'))
  const quoteReserve = whole(text('virtual_sol_reserves'))
  const baseReserve = whole(text('virtual_token_reserves'))
  if (isBuy === null || slot < 0 || quoteAmount < 0 || tokenAmount < 0) return 'number'
  if (quoteReserve <= 0 || baseReserve <= 0) return 'reserves'
  const fees = Math.max(0, whole(text('fee_amount'))) + Math.max(0, whole(text('creator_fee_amount')))
  return {
    slot,
    estimated: false,
    time: Math.max(0, whole(text('block_time'))),
    chained: true,
    event: knownTrade({
      ...{ sig, venue: VENUE.pump, mint, pool: null, user, isBuy },
      ...{ quoteAmount, tokenAmount, quoteReserve, baseReserve },
      userQuote: isBuy ? quoteAmount + fees : Math.max(0, quoteAmount - fees),
      realToken: whole(text('real_token_reserves')),
      creator: internKey(text('creator_address')),
    }),
  }
}

/** A whole number below 2^53, or -1. */
function whole(text: string): number {
  const value = /^\d{1,16}$/.test(text) ? Number(text) : -1
  return value <= Number.MAX_SAFE_INTEGER ? value : -1
}

function flag(text: string): boolean | null {
  const lower = text.toLowerCase()
  if (lower === 'true' || lower === '1') return true
  return lower === 'false' || lower === '0' ? false : null
}

/** Cells of a CSV line. Quotes may surround a cell; doubled ones inside stand for one. */
function cells(line: string): string[] {
  if (!line.includes('"')) return line.split(',')
  const out: string[] = []
  for (const match of line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g))
    out.push(match[1] === undefined ? (match[2] ?? '') : match[1].replaceAll('""', '"'))
  return out
}
