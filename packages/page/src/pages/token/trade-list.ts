import type { Trade } from '@ti/core/contract/resources.ts'

/** Merges trades from the answer and the stream, each once. */

/** trades in one answer of the service */
export const TRADES_MAX = 100

/** `later` is in chain order; the result is newest first. */
export function withLater(held: readonly Trade[], later: readonly Trade[]): readonly Trade[] {
  const known = new Set(held.map(({ unique_id }) => unique_id))
  const fresh: Trade[] = []
  for (const trade of later) {
    if (known.has(trade.unique_id)) continue
    known.add(trade.unique_id)
    fresh.push(trade)
  }
  if (fresh.length === 0) return held
  return inOrder([...fresh.reverse(), ...held]).slice(0, TRADES_MAX)
}

/** Replaces the held trades by an answer, but keeps newer ones from the stream. */
export function withAnswer(held: readonly Trade[], answer: readonly Trade[]): readonly Trade[] {
  const newest = answer[0]?.slot ?? -1
  const later = held.filter(({ slot }) => slot > newest).reverse()
  return withLater(answer, later)
}

/** Sorts by slot, newest first; equal slots keep their order. */
const inOrder = (trades: Trade[]): Trade[] => trades.sort((a, b) => b.slot - a.slot)

export const FILTERS = {
  all: ['All', () => true],
  buys: ['Buys', ({ is_buy }: Trade) => is_buy],
  sells: ['Sells', ({ is_buy }: Trade) => !is_buy],
  bundled: ['Bundled', ({ bundled }: Trade) => bundled],
  known: ['Smart or named', ({ smart_money, user_name }: Trade) => smart_money || user_name !== null],
} as const satisfies Record<string, readonly [label: string, keeps: (trade: Trade) => boolean]>
export type FilterName = keyof typeof FILTERS

/** letters shown of a name */
const NAME_LETTERS = 14
/** em of a letter, of the gap around a name or flag, and of a flag's padding */
const [LETTER_EM, SPACE_EM, FLAG_EM] = [0.65, 0.65, 0.9] as const

/** Estimates the width of a trader's name and flags beside the address, in em. */
export function besideTrader({ user_name, smart_money, bundled, bundle_name }: Trade): number {
  const flag = (text: string): number => text.length * LETTER_EM + FLAG_EM + SPACE_EM
  return (
    (user_name === null ? 0 : Math.min(NAME_LETTERS, user_name.length) * LETTER_EM + SPACE_EM) +
    (smart_money ? flag('smart') : 0) +
    (bundled ? flag(bundle_name ?? 'bundled') : 0)
  )
}
