import type { AppExplain, FoundToken } from '@ti/core/contract/app.ts'
import type { Duplication } from '@ti/core/contract/resources.ts'

/** Fields that a token copied from an earlier one. */

const WORDS: readonly (readonly [keyof Duplication, string])[] = [
  ['symbol_name', 'symbol and name together'],
  ['symbol', 'symbol'],
  ['name', 'name'],
  ['image', 'image'],
  ['website', 'website'],
  ['twitter', 'social link'],
  ['telegram', 'messaging link'],
]

interface Reuse {
  readonly reused: readonly string[]
  readonly unchecked: readonly string[]
}

/** `earlier` is null before it is loaded; it decides whether a reused name or symbol counts. */
export function reuseOf(all: Duplication, earlier: AppExplain['earlier'] | null): Reuse {
  const counts = (field: 'name' | 'symbol' | 'symbol_name'): boolean | null =>
    all[field] === true ? earlier?.some((one) => one.field === field && one.copied) === true : all[field]
  const texts = { name: counts('name'), symbol: counts('symbol'), symbol_name: counts('symbol_name') }
  const duplication = { ...all, ...texts }
  // symbol and name together replace the two
  const shown = WORDS.filter(([field]) => !(duplication.symbol_name && (field === 'symbol' || field === 'name')))
  return {
    reused: shown.filter(([field]) => duplication[field] === true).map(([, word]) => word),
    unchecked: shown.filter(([field]) => duplication[field] === null).map(([, word]) => word),
  }
}

/** "symbol, image and website" */
export const listed = (words: readonly string[]): string =>
  words.length < 2 ? (words[0] ?? '') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`

/** An earlier token and the fields copied from it. */
export interface Origin {
  readonly token: FoundToken
  readonly fields: readonly string[]
}

/** Groups copied fields by the earlier token; `symbol and name together` replaces the two. */
export function originsOf(earlier: AppExplain['earlier']): Origin[] {
  const origins = new Map<string, { token: FoundToken; fields: (typeof earlier)[number]['field'][] }>()
  for (const { field, token } of earlier.filter(({ copied }) => copied)) {
    const known = origins.get(token.mint) ?? { token, fields: [] }
    known.fields.push(field)
    origins.set(token.mint, known)
  }
  return [...origins.values()].map(({ token, fields }) => {
    const named = fields.includes('symbol_name')
      ? fields.filter((field) => field !== 'symbol' && field !== 'name')
      : fields
    return { token, fields: WORDS.filter(([field]) => named.some((one) => one === field)).map(([, word]) => word) }
  })
}
