import { sol, usd } from '@ti/core/base/format.ts'
import { quoted } from '@ti/core/base/plain-text.ts'
import { REASON_WORDS } from '@ti/core/base/verdict-codes.ts'
import type { Frame, TokenEvent, Topic } from '@ti/core/contract/streams.ts'
import type { Trade } from '@ti/core/contract/trader.ts'
import { clean, padEnd, painter, shortKey, type TerminalColour } from './terminal-text.ts'

/** Selection and formatting of messages. */
export interface LineOptions {
  readonly colours: boolean
  /** The symbol of a token; undefined if it is not known. */
  readonly symbolOf: (mint: string) => string | undefined
  /** Empty for all. */
  readonly mints: ReadonlySet<string>
  readonly wallets: ReadonlySet<string>
}

/** One line per trade: time (UTC), side, SOL, symbol, token, its market cap, trader, marks. */
export function frameLines({ data }: Frame, options: LineOptions): string[] {
  return tradesShown(data.trades, options).map((trade) => tradeLine(trade, options))
}

/** True if `--json` prints the frame: at least one of its trades passes the filters. */
export const showsFrame = ({ data }: Frame, options: LineOptions): boolean =>
  tradesShown(data.trades, options).length > 0

const tradesShown = (trades: readonly Trade[], { mints, wallets }: LineOptions): Trade[] =>
  trades.filter((trade) => isOneOf(mints, trade.mint) && isOneOf(wallets, trade.user_address))

const isOneOf = (wanted: ReadonlySet<string>, key: string): boolean => wanted.size === 0 || wanted.has(key)

function tradeLine(trade: Trade, { colours, symbolOf }: LineOptions): string {
  const paint = painter(colours)
  const trader = trade.user_name === null ? '' : clean(trade.user_name, TRADER_CELLS)
  const symbol = symbolOf(trade.mint) ?? ''
  const bundle = trade.bundle_name === null ? '' : ` ${clean(trade.bundle_name, NAME_CELLS)}`
  return columns([
    timeOf(trade.timestamp),
    trade.is_buy ? paint('green', 'buy ') : paint('red', 'sell'),
    sol(trade.sol_amount).padStart(SOL_CELLS),
    padEnd(said(symbol, SYMBOL_CELLS), SYMBOL_CELLS + 2),
    padEnd(shortKey(trade.mint), KEY_CELLS),
    usd(trade.mcap).padStart(USD_CELLS),
    padEnd(trader === '' ? shortKey(trade.user_address) : trader, TRADER_CELLS),
    ...(trade.smart_money ? [paint('cyan', 'smart')] : []),
    ...(trade.bundled ? [paint('yellow', `in group${bundle}`)] : []),
  ])
}

const columns = (cells: readonly string[]): string => cells.join('  ').trimEnd()

const KEY_CELLS = 9
const SOL_CELLS = 9
const USD_CELLS = 10
const TRADER_CELLS = 16
const SYMBOL_CELLS = 12
const NAME_CELLS = 32

export const showsToken = ({ data }: TokenEvent, { mints }: LineOptions): boolean => isOneOf(mints, data.mint)

/** One line: slot, event, symbol, token, name, details. */
export function tokenLine(event: TokenEvent, { colours }: LineOptions): string {
  const { slot, mint, symbol, name } = event.data
  const [word, colour] = WORDS[event.type]
  return columns([
    String(slot).padStart(SLOT_CELLS),
    painter(colours)(colour, word.padEnd(WORD_CELLS)),
    padEnd(said(symbol, SYMBOL_CELLS), SYMBOL_CELLS + 2),
    padEnd(shortKey(mint), KEY_CELLS),
    padEnd(said(name, NAME_CELLS), NAME_CELLS + 2),
    tokenDetail(event, colours),
  ])
}

/** The names of the columns. */
export const headOf = (topic: Topic): string =>
  topic === 'frames:live'
    ? columns([
        ...['time UTC'.padEnd(8), 'side', 'SOL'.padStart(SOL_CELLS), 'symbol'.padEnd(SYMBOL_CELLS + 2)],
        ...['token'.padEnd(KEY_CELLS), 'market cap'.padStart(USD_CELLS), 'trader'.padEnd(TRADER_CELLS), 'marks'],
      ])
    : columns([
        ...['slot'.padStart(SLOT_CELLS), 'event'.padEnd(WORD_CELLS), 'symbol'.padEnd(SYMBOL_CELLS + 2)],
        ...['token'.padEnd(KEY_CELLS), 'name'.padEnd(NAME_CELLS + 2), 'details'],
      ])

/** The deployer’s words in quotation marks. */
const said = (text: string, most: number): string => (text === '' ? '' : quoted(text, most, clean))

const WORDS = {
  token_created: ['created', 'cyan'],
  token_metadata_retrieved: ['metadata', 'neutral'],
  token_duplication_status_updated: ['duplication', 'neutral'],
  token_graduated: ['graduated', 'green'],
  token_dex_paid: ['dex paid', 'yellow'],
  token_liquidity_pulled: ['pulled', 'red'],
  verdict_changed: ['verdict', 'neutral'],
} as const satisfies Record<TokenEvent['type'], readonly [string, TerminalColour]>
const WORD_CELLS = 'duplication'.length
const SLOT_CELLS = 9

function tokenDetail({ type, data }: TokenEvent, colours: boolean): string {
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
      return `at a market cap of ${usd(data.mcap)}`
    case 'token_dex_paid':
      return data.dex_paid_at === null ? '' : `at ${timeOf(data.dex_paid_at)}`
    case 'token_liquidity_pulled':
      return `${sol(data.sol)} SOL ${data.by === null ? 'by a program' : `by ${shortKey(data.by)}`}`
    case 'verdict_changed':
      return `${painter(colours)(data.colour, data.colour)}, was ${data.before}: ${REASON_WORDS[data.code]}`
  }
}

/** `01:25:24` from an RFC 3339 time in UTC */
const timeOf = (timestamp: string | null): string => timestamp?.slice(11, 19) ?? '--:--:--'
