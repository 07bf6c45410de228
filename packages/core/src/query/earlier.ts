import { normaliseLink, normaliseText } from '../base/normalise.ts'
import { type AppExplain, TRACED } from '../contract/app.ts'
import { isTextCopied } from '../engine/duplication.ts'
import type { StateReader } from '../engine/state.ts'
import { DUP, type DupField } from '../model/metadata.ts'
import type { Token } from '../model/state.ts'
import { renderFound } from './app-search.ts'
import type { Views } from './view.ts'

const link = (text: string | null | undefined): string | null => (text ? normaliseLink(text) : null)

/** The values by which tokens are compared, as in the fold. */
const COMPARED: Record<(typeof TRACED)[number], readonly [DupField, (token: Token) => string | null]> = {
  symbol_name: ['symbolName', ({ symbol, name }) => `${normaliseText(symbol)}\n${normaliseText(name)}`],
  symbol: ['symbol', ({ symbol }) => normaliseText(symbol)],
  name: ['name', ({ name }) => normaliseText(name)],
  twitter: ['twitter', ({ metadata }) => link(metadata?.twitter)],
  telegram: ['telegram', ({ metadata }) => link(metadata?.telegram)],
  website: ['website', ({ metadata }) => link(metadata?.website)],
}

const TEXTS: ReadonlySet<(typeof TRACED)[number]> = new Set(['symbol_name', 'symbol', 'name'])

/** For each value that `token` reuses, the token that had it first. */
export function earlierTokens(
  token: Token,
  store: Pick<StateReader, 'firstUse'>,
  views: Pick<Views, 'byId'>,
): AppExplain['earlier'] {
  return TRACED.flatMap((field) => {
    const [kept, textOf] = COMPARED[field]
    if (token.dup[kept] !== DUP.yes) return []
    const text = textOf(token)
    const first = text === null ? undefined : store.firstUse(kept, text)
    if (first === undefined || first === token.id) return []
    const view = views.byId(first)
    return [{ field, token: renderFound(view), copied: !TEXTS.has(field) || isTextCopied(token, view.live.token) }]
  })
}
