import { keyFromBase58 } from '@ti/core/base/base58.ts'
import { usd } from '@ti/core/base/format.ts'
import { quoted } from '@ti/core/base/plain-text.ts'
import type { TokenCard } from '@ti/core/contract/token.ts'
import type { Check, Who } from '@ti/core/contract/who.ts'
import { LIST_NAMES, type ListName } from '@ti/core/query/query.ts'
import type { Given, Run } from './definition.ts'
import type { Io } from './io.ts'
import { didYouMean } from './nearest.ts'
import { wrongUsage } from './parse.ts'
import { ask } from './service-address.ts'
import { clean, cut, jsonLine, painter, shortKey } from './terminal-text.ts'
import { table, titleOf, whoLines } from './who-lines.ts'

/** Commands that ask a running service about tokens. Their words are the service's own. */

export const who: Run = async (given, io) => {
  const answer = (await ask(given, io, (client, how) => client.who(mintIn(given), how))) as Who
  show(given, io, answer, whoLines(answer, painter(io.colours)))
}

export const check: Run = async (given, io) => {
  const answer: Check = await ask(given, io, (client, how) => client.check(mintIn(given), how))
  show(given, io, answer, [titleOf(answer), painted(answer, io)])
}

function mintIn({ operands: [mint = ''] }: Given): string {
  if (keyFromBase58(mint) === null) throw wrongUsage(`${mint} is no mint: base58 of 32 bytes`)
  return mint
}

const show = (given: Given, io: Io, answer: object, lines: readonly string[]): void =>
  io.result(`${given.has('json') ? jsonLine(answer) : lines.join('\n')}\n`)

/** The text of a verdict, with its first word in its colour. */
const painted = ({ colour, text }: Pick<Check, 'colour' | 'text'>, { colours }: Io): string =>
  text.replace(/^[A-Z]+/, (word) => painter(colours)(colour, word))

const SHOWN: readonly ListName[] = ['new', 'pumps', 'graduated']
const TITLES: Readonly<Record<ListName, string>> = {
  new: 'New',
  pumps: 'Pumping',
  graduated: 'Graduated',
  survivors: 'Survivors',
  agents: 'Bought by agents',
}
/** tokens of a list unless asked for more, and at most: what a list holds */
const COUNT = 8
const COUNT_MAX = 50
const SYMBOL_CELLS = 14
/** columns of an output that is no terminal */
const COLUMNS = 140

interface Listed {
  readonly card: TokenCard
  readonly verdict: Check
}

export const board: Run = async (given, io) => {
  const [name] = given.operands
  if (name !== undefined && !LIST_NAMES.includes(name as ListName)) {
    throw wrongUsage(`there is no list ${name}${didYouMean(name, LIST_NAMES)}: one of ${LIST_NAMES.join(', ')}`)
  }
  const most = given.whole('count') ?? COUNT
  if (most < 1 || most > COUNT_MAX) throw wrongUsage(`--count takes 1 to ${COUNT_MAX}`)
  const lists = new Map<ListName, readonly Listed[]>()
  for (const list of name === undefined ? SHOWN : [name as ListName])
    lists.set(list, await readList(list, most, given, io))
  if (given.has('json')) return io.result(`${jsonLine(Object.fromEntries(lists))}\n`)
  const parts = [...lists].map(([list, rows]) => [TITLES[list], ...boardLines(rows, io)])
  io.result(`${parts.map((lines) => lines.join('\n')).join('\n\n')}\n`)
}

async function readList(list: ListName, most: number, given: Given, io: Io): Promise<Listed[]> {
  const operation = list === 'new' ? 'new_tokens' : list
  const cards: readonly TokenCard[] = (await ask(given, io, (client, how) => client[operation](how))).slice(0, most)
  const checks = cards.map(({ mint }): Promise<Check> => ask(given, io, (client, how) => client.check(mint, how)))
  const verdicts = await Promise.all(checks)
  return cards.map((card, i) => ({ card, verdict: verdicts[i]! }))
}

const HEAD = ['verdict', 'symbol', 'age', 'market cap', 'score', 'why']

function boardLines(rows: readonly Listed[], { colours }: Io): string[] {
  if (rows.length === 0) return ['  no token now']
  const paint = painter(colours)
  const cells = rows.map(({ card, verdict: { colour, text } }) => {
    const [, ago = '', why = ''] = AGE_AND_WHY.exec(text) ?? []
    return [
      colour,
      card.symbol === '' ? shortKey(card.mint) : quoted(card.symbol, SYMBOL_CELLS, clean),
      ago,
      usd(card.mcap),
      card.score.toFixed(1),
      clean(why, COLUMNS),
    ]
  })
  const lines = table([HEAD, ...cells], LEFT)
  const room = (process.stdout.columns ?? COLUMNS) - INDENT.length
  return lines.map((line, i) => {
    const short = cut(line, room)
    const colour = rows[i - 1]?.verdict.colour
    return INDENT + (colour === undefined ? short : paint(colour, colour) + short.slice(colour.length))
  })
}

const INDENT = '  '
/** columns of words; the others are numbers */
const LEFT: ReadonlySet<number> = new Set([0, 1, 5])
const AGE_AND_WHY = /^[A-Z]+: (?:launched|first seen) (.*?) ago\. (.*)$/s
