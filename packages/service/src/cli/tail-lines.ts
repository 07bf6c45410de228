import { quoted } from '@ti/core/base/plain-text.ts'
import type { Frame, TokenEvent } from '@ti/core/contract/streams.ts'
import type { Trade } from '@ti/core/contract/trader.ts'
import { clean, padEnd, shortKey } from './terminal-text.ts'

/** Selection and formatting of messages. */
export interface LineOptions {
  readonly colours: boolean
  /** Empty for all. */
  readonly mints: ReadonlySet<string>
  readonly wallets: ReadonlySet<string>
}

/** One line per trade: time (UTC), side, SOL, token, its market cap, trader, marks. */
export function frameLines({ data }: Frame, options: LineOptions): string[] {
  return tradesShown(data.trades, options).map((trade) => tradeLine(trade, options))
}

/** True if `--json` prints the frame: at least one of its trades passes the filters. */
export const showsFrame = ({ data }: Frame, options: LineOptions): boolean =>
  tradesShown(data.trades, options).length > 0

const tradesShown = (trades: readonly Trade[], { mints, wallets }: LineOptions): Trade[] =>
  trades.filter((trade) => isOneOf(mints, trade.mint) && isOneOf(wallets, trade.user_address))

const isOneOf = (wanted: ReadonlySet<string>, key: string): boolean => wanted.size === 0 || wanted.has(key)

function tradeLine(trade: Trade, { colours }: LineOptions): string {
  const paint = painter(colours)
  const side = trade.is_buy ? paint('green', 'buy ') : paint('red', 'sell')
  const trader = trade.user_name === null ? '' : clean(trade.user_name, TRADER_CELLS)
  const columns = [
    clock(trade.timestamp),
    side,
    sol(trade.sol_amount).padStart(10),
    padEnd(shortKey(trade.mint), KEY_CELLS),
    dollars(trade.mcap).padStart(7),
    padEnd(trader === '' ? shortKey(trade.user_address) : trader, TRADER_CELLS),
  ]
  const bundle = trade.bundle_name === null ? '' : ` ${clean(trade.bundle_name, NAME_CELLS)}`
  if (trade.smart_money) columns.push(paint('cyan', 'smart'))
  if (trade.bundled) columns.push(paint('yellow', `bundled${bundle}`))
  return columns.join('  ').trimEnd()
}

const KEY_CELLS = 9
const TRADER_CELLS = 16
const SYMBOL_CELLS = 12
const NAME_CELLS = 32

export const showsToken = ({ data }: TokenEvent, { mints }: LineOptions): boolean => isOneOf(mints, data.mint)

/** One line: slot, event, token, symbol, name, details. */
export function tokenLine(event: TokenEvent, { colours }: LineOptions): string {
  const { slot, mint, symbol, name } = event.data
  const [word, colour] = WORDS[event.type]
  const columns = [
    String(slot).padStart(9),
    painter(colours)(colour, word.padEnd(WORD_CELLS)),
    padEnd(shortKey(mint), KEY_CELLS),
    padEnd(said(symbol, SYMBOL_CELLS), SYMBOL_CELLS + 2),
    padEnd(said(name, NAME_CELLS), NAME_CELLS + 2),
    tokenDetail(event),
  ]
  return columns.join('  ').trimEnd()
}

/** The deployer’s words in quotation marks. */
const said = (text: string, most: number): string => (text === '' ? '' : quoted(text, most, clean))

const WORDS = {
  token_created: ['created', 'cyan'],
  token_metadata_retrieved: ['metadata', 'dim'],
  token_duplication_status_updated: ['duplication', 'dim'],
  token_graduated: ['graduated', 'green'],
  token_dex_paid: ['dex paid', 'yellow'],
  token_liquidity_pulled: ['pulled', 'red'],
  verdict_changed: ['verdict', 'dim'],
} as const satisfies Record<TokenEvent['type'], readonly [string, Colour]>
const WORD_CELLS = 'duplication'.length

function tokenDetail({ type, data }: TokenEvent): string {
  switch (type) {
    case 'token_created':
      return data.launchpad === null ? '' : `on ${clean(data.launchpad, SYMBOL_CELLS)}`
    case 'token_metadata_retrieved': {
      const links = (['twitter', 'telegram', 'website'] as const).filter((link) => data[link] !== null)
      return links.length === 0 ? 'no links' : links.join(' ')
    }
    case 'token_duplication_status_updated': {
      const reused = Object.entries(data.duplication).filter(([, found]) => found === true)
      return reused.length === 0 ? 'nothing reused' : `reuses ${reused.map(([what]) => clean(what, 16)).join(' ')}`
    }
    case 'token_graduated':
      return `at ${dollars(data.mcap)}`
    case 'token_dex_paid':
      return data.dex_paid_at === null ? '' : `at ${clock(data.dex_paid_at)}`
    case 'token_liquidity_pulled':
      return `${sol(data.sol)} SOL ${data.by === null ? 'by a program' : `by ${shortKey(data.by)}`}`
    case 'verdict_changed':
      return `${data.before} to ${data.colour}: ${data.code.replaceAll('_', ' ')}`
  }
}

/** `01:25:24` from an RFC 3339 time in UTC */
const clock = (timestamp: string | null): string => timestamp?.slice(11, 19) ?? '--:--:--'

/** SOL with four decimals, fewer for large amounts */
const sol = (amount: number): string =>
  amount < 10_000 ? amount.toFixed(4) : amount < 1e9 ? amount.toFixed(0) : amount.toExponential(2)

const STEPS = [
  [1e12, 'T'],
  [1e9, 'B'],
  [1e6, 'M'],
  [1e3, 'k'],
] as const

/** `$999`, `$12.3k`, `$1.2M` */
function dollars(usd: number): string {
  // a value that rounds to 1000.0 of a unit is 1.0 of the next
  const step = STEPS.find(([size]) => usd >= size * 0.99995)
  if (step === undefined) return `$${usd.toFixed(0)}`
  const [size, letter] = step
  const shown = usd / size
  return shown < 1_000 ? `$${shown.toFixed(1)}${letter}` : `$${shown.toExponential(1)}${letter}`
}

type Colour = keyof typeof CODES
const CODES = { green: 32, red: 31, cyan: 36, yellow: 33, dim: 2 } as const

const painter =
  (colours: boolean) =>
  (colour: Colour, text: string): string =>
    colours ? `\u001b[${CODES[colour]}m${text}\u001b[0m` : text
