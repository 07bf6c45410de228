import type { Alert } from '@ti/core/contract/account.ts'
import { compact, count, sol, usd } from '../ui/format.ts'

export type { Alert } from '@ti/core/contract/account.ts'

export const alertPath = ({ mint, wallet }: Pick<Alert, 'mint' | 'wallet'>): string =>
  mint !== null ? `/token/${mint}` : wallet !== null ? `/trader/${wallet}` : '/account#alerts'

const NUMBERS: Readonly<Record<string, (value: number) => string>> = {
  sol_amount: (value) => `${sol(value)} SOL`,
  token_amount: (value) => `${compact(value)} tokens`,
  mcap: (value) => `market cap ${usd(value)}`,
  slot: (value) => `slot ${value}`,
  taken_sol: (value) => `${sol(value)} SOL taken out`,
  reported: (value) => `${count(value)} reported one by one`,
  more: (value) => `${count(value)} more in that minute`,
}
/** the alert's time and links already say these */
const LEFT_OUT: ReadonlySet<string> = new Set(['minute_from', 'actor_id'])

/** Describes the numbers of an alert, in the service's order. */
export const whyInWords = ({ why }: Pick<Alert, 'why'>): string[] =>
  Object.entries(why)
    .filter(([name]) => !LEFT_OUT.has(name))
    .map(([name, value]) => {
      const inWords = typeof value === 'number' && Object.hasOwn(NUMBERS, name) ? NUMBERS[name]!(value) : null
      return inWords ?? `${name} ${value === null ? 'unknown' : value}`
    })

/** Returns the links to other sites; the page makes its own links. */
export const linksElsewhere = ({ links }: Pick<Alert, 'links'>, here: string): Alert['links'] =>
  links.filter(({ url }) => URL.canParse(url) && new URL(url).origin !== here)
