import type { Trade } from '@ti/core/contract/resources.ts'

/** The newest trades of a token, from the answer and from the stream, each once. */

/** as many as the service answers with */
export const TRADES_MAX = 100

/** `later` in the order of the chain; the result newest first. */
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

/** An answer replaces what is held, except for what came by the stream since it was rendered. */
export function withAnswer(held: readonly Trade[], answer: readonly Trade[]): readonly Trade[] {
  const newest = answer[0]?.slot ?? -1
  const later = held.filter(({ slot }) => slot > newest).reverse()
  return withLater(answer, later)
}

/** Newest slot first; what is already in place stays in its order. */
const inOrder = (trades: Trade[]): Trade[] => trades.sort((a, b) => b.slot - a.slot)

export const FILTERS = {
  all: ['All', () => true],
  buys: ['Buys', ({ is_buy }: Trade) => is_buy],
  sells: ['Sells', ({ is_buy }: Trade) => !is_buy],
  bundled: ['Bundled', ({ bundled }: Trade) => bundled],
  known: ['Smart or named', ({ smart_money, user_name }: Trade) => smart_money || user_name !== null],
} as const satisfies Record<string, readonly [label: string, keeps: (trade: Trade) => boolean]>
export type FilterName = keyof typeof FILTERS

/** letters of a name that are shown */
const NAME_LETTERS = 14
/** em of a letter, of the space around a name or a flag, of a flag's own */
const [LETTER_EM, SPACE_EM, FLAG_EM] = [0.65, 0.65, 0.9] as const

/** About how much room a trader's name and flags take beside the address, in em. */
export function besideTrader({ user_name, smart_money, bundled, bundle_name }: Trade): number {
  const flag = (text: string): number => text.length * LETTER_EM + FLAG_EM + SPACE_EM
  return (
    (user_name === null ? 0 : Math.min(NAME_LETTERS, user_name.length) * LETTER_EM + SPACE_EM) +
    (smart_money ? flag('smart') : 0) +
    (bundled ? flag(bundle_name ?? 'bundled') : 0)
  )
}
