import { count, duration, listed, pct, signed, sol } from '@ti/core/base/format.ts'
import { quoted } from '@ti/core/base/plain-text.ts'
import type { Who } from '@ti/core/contract/who.ts'
import { SLOT_SECONDS } from '@ti/core/engine/constants.ts'
import { cells, clean, type painter } from './terminal-text.ts'

/** The people behind a token as lines: verdict, money, largest holders, and what is not known. */

type Paint = ReturnType<typeof painter>

const SYMBOL_CELLS = 16
const NAME_CELLS = 40
/** holders listed */
const HOLDERS = 10

/** The deployer’s words, in quotation marks, and the mint. */
export function titleOf({ mint, said_by_deployer: { symbol, name } }: Pick<Who, 'mint' | 'said_by_deployer'>): string {
  const said = symbol === '' ? '' : `${quoted(symbol, SYMBOL_CELLS, clean)} (${quoted(name, NAME_CELLS, clean)})  `
  return `${said}${mint}`
}

export const ago = (slots: number): string => `${duration(Math.max(0, slots) * SLOT_SECONDS)} ago`

export function verdictLines({ verdict, slot, age_slots, coverage }: Who, paint: Paint): string[] {
  const { colour, since_slot, history, reasons } = verdict
  const since = history.length === 0 ? '' : `, ${colour} since ${ago(slot - since_slot)}`
  return [
    `${paint(colour, colour.toUpperCase())}  ${coverage.launch_seen ? 'launched' : 'first seen'} ${ago(age_slots)}${since}`,
    ...reasons.map((one) => `  ${paint(one.colour, one.colour.padEnd('neutral'.length))}  ${one.text}`),
  ]
}

const COHORTS: Readonly<Record<Who['money'][number]['cohort'], string>> = {
  own: 'inner circle',
  launcher: 'launcher',
  first_block: 'first block',
  first_3s: 'snipers, first 3 s',
  kols: 'KOLs',
  known_actors: 'known actors',
  groups: 'all groups',
  others: 'everyone else',
  group: 'group',
}

function moneyLines({ money, groups }: Who): string[] {
  const names = new Map(groups.map(({ id, name }) => [id, name]))
  const amount = (value: number | null): string => (value === null ? '?' : sol(value))
  const rows = money
    .filter(({ wallets }) => wallets > 0)
    .map((one) => [
      one.group === null ? COHORTS[one.cohort] : `  ${names.get(one.group) ?? one.group}`,
      count(one.wallets),
      ...[pct(one.peak_pct), pct(one.holds_pct), amount(one.paid_sol), amount(one.got_sol)],
      one.result_sol === null ? '?' : signed(one.result_sol, sol(one.result_sol)),
    ])
  return table([['who took what', 'wallets', 'peak', 'now', 'paid SOL', 'got SOL', 'result'], ...rows])
}

function holderLines({ holders: { top, count: all, top_10_pct } }: Who): string[] {
  const shown = top.slice(0, HOLDERS)
  const head = `largest of ${count(all)} holders${all > HOLDERS ? `; the top 10 own ${pct(top_10_pct)}` : ''}`
  const rows = shown.map(({ wallet, holds_pct, tags, name, group, actor }) => {
    const said = name === null ? [] : [quoted(name, NAME_CELLS, clean)]
    const marks = [...said, ...[group?.name, actor?.name].flatMap((one) => one ?? [])]
    return `  ${pct(holds_pct).padStart(6)}  ${wallet}  ${[...marks, ...tags.map((tag) => tag.replaceAll('_', ' '))].join(', ')}`
  })
  return shown.length === 0 ? ['no holders'] : [head, ...rows.map((row) => row.trimEnd())]
}

const UNKNOWN: Readonly<Record<Who['coverage']['unknown'][number], string | null>> = {
  launch: 'its first buyers, because its launch was not seen',
  funders: 'who funded most of its holders',
  history: 'the track record of most of its holders',
  price: 'amounts in SOL, because its quote has no known price',
  missing_blocks: 'what happened in blocks that the source could not deliver',
  // true of every token, so nothing to say of this one
  transfer_transactions: null,
  funding_transactions: null,
}

/** Rows of aligned columns; those in `left` are words, the others numbers. */
export function table(rows: readonly (readonly string[])[], left: ReadonlySet<number> = new Set([0])): string[] {
  const widths = (rows[0] ?? []).map((_, i) => Math.max(...rows.map((row) => cells(row[i]!))))
  const cell = (text: string, i: number): string => {
    const space = ' '.repeat(widths[i]! - cells(text))
    return left.has(i) ? text + space : space + text
  }
  return rows.map((row) => row.map(cell).join('  ').trimEnd())
}

export function whoLines(who: Who, paint: Paint): string[] {
  const unknown = who.coverage.unknown.flatMap((what) => UNKNOWN[what] ?? [])
  return [
    titleOf(who),
    ...verdictLines(who, paint),
    '',
    ...moneyLines(who),
    '',
    ...holderLines(who),
    '',
    unknown.length === 0 ? 'nothing of note is unknown' : `not known: ${listed(unknown)}`,
  ]
}
