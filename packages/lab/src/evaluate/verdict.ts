import { keyToBase58 } from '@ti/core/base/base58.ts'
import { MILLION } from '@ti/core/engine/outlook/counts.ts'
import { createQuery, type QueryOptions } from '@ti/core/query/create-query.ts'
import { ratingsOf } from '@ti/core/query/ratings.ts'
import type { TokenView } from '@ti/core/query/view.ts'
import { type Colour, type Look, QUESTIONS } from './looks.ts'

/** Reads what is served. The only place that knows where it comes from. */
export interface Served {
  readonly query: ReturnType<typeof createQuery>
  colourOf(view: TokenView): { readonly colour: Colour; readonly code: string }
}

export function createServed(options: Omit<QueryOptions, 'now'>): Served {
  const query = createQuery({ ...options, now: () => 0 })
  return {
    query,
    colourOf(view) {
      const { severity, sentences } = JSON.parse(query.verdict(keyToBase58(view.live.token.mint))!.bytes.toString())
      return { colour: severity === 'neutral' ? 'grey' : severity, code: sentences[0].code }
    },
  }
}

/** The rating that is served beside the score. */
export function ratingOf(view: TokenView): Colour {
  const { score } = ratingsOf(view.reading(), view.conditions())
  return score === 'neutral' ? 'grey' : score
}

export function foretoldIn(view: TokenView): Look['foretold'] {
  const outlook = view.outlook()
  const entries = QUESTIONS.map((question) => {
    const one = outlook[question]
    return [question, one === null ? null : { p: one.p / MILLION, n: one.n }]
  })
  return Object.fromEntries(entries) as Look['foretold']
}
