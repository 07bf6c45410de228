import type { AppSearch } from '../../../../src/contract/app.ts'
import type { Duplication, TokenSnapshot } from '../../../../src/contract/resources.ts'

/** What a token took over from an earlier one. */

const WORDS: readonly (readonly [keyof Duplication, string])[] = [
  ['symbol_name', 'symbol and name together'],
  ['symbol', 'symbol'],
  ['name', 'name'],
  ['image', 'image'],
  ['website', 'website'],
  ['twitter', 'social link'],
  ['telegram', 'messaging link'],
]

export interface Reuse {
  readonly reused: readonly string[]
  readonly unchecked: readonly string[]
}

export function reuseOf(duplication: Duplication): Reuse {
  // both together say more than each
  const shown = WORDS.filter(([field]) => !(duplication.symbol_name && (field === 'symbol' || field === 'name')))
  return {
    reused: shown.filter(([field]) => duplication[field] === true).map(([, word]) => word),
    unchecked: shown.filter(([field]) => duplication[field] === null).map(([, word]) => word),
  }
}

/** "symbol, image and website" */
export const listed = (words: readonly string[]): string =>
  words.length < 2 ? (words[0] ?? '') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`

type Found = AppSearch['tokens'][number]

const plain = (text: string): string => text.normalize('NFKC').replace(/\s+/g, '').toLowerCase()

/** What to search for to find the earlier token; null where its words were not reused. */
export function searchFor(meta: Pick<TokenSnapshot['meta'], 'symbol' | 'name'>, duplication: Duplication) {
  if (duplication.symbol_name || duplication.symbol) return meta.symbol || null
  return duplication.name ? meta.name || null : null
}

/** The oldest of the tokens found that has the reused words and was launched before this one. */
export function earlierToken(
  meta: Pick<TokenSnapshot['meta'], 'mint' | 'symbol' | 'name' | 'deployed_at'>,
  duplication: Duplication,
  found: readonly Found[],
): Found | null {
  const { mint, deployed_at } = meta
  if (deployed_at === null) return null
  const same = (token: Found): boolean => {
    const symbol = plain(token.symbol) === plain(meta.symbol ?? '')
    const name = plain(token.name) === plain(meta.name ?? '')
    if (duplication.symbol_name) return symbol && name
    return (duplication.symbol === true && symbol) || (duplication.name === true && name)
  }
  const earlier = found.filter(
    (token) => token.mint !== mint && token.deployed_at !== null && token.deployed_at < deployed_at && same(token),
  )
  return earlier.sort((a, b) => ((a.deployed_at ?? '') < (b.deployed_at ?? '') ? -1 : 1))[0] ?? null
}
