import { VERDICT_CODES } from '@ti/core/base/verdict-codes.ts'
import { MILLION, probabilityOf } from '@ti/core/engine/outlook/counts.ts'
import { latchedOf } from '@ti/core/engine/outlook/outlook.ts'
import { isRedByPast, verdictOf } from '@ti/core/engine/verdict/said.ts'
import { ratingsOf } from '@ti/core/query/ratings.ts'
import type { TokenView } from '@ti/core/query/view.ts'
import { type Colour, type Look, QUESTIONS } from './looks.ts'

/** Reads what is served. The only place that knows where it comes from. */

export function colourOf({ live }: TokenView): { readonly colour: Colour; readonly code: string } {
  const { name, code } = verdictOf(live.token)
  const colour = name === 'neutral' ? 'grey' : name === 'red' && isRedByPast(live.token) ? 'over' : name
  return { colour, code }
}

export function reasonsOf({ live }: TokenView): string[] {
  const { red, yellow } = live.token.verdict
  return VERDICT_CODES.filter((_, code) => ((red | yellow) & (1 << code)) !== 0)
}

/** The rating that is served beside the score. */
export function ratingOf(view: TokenView): Colour {
  const { score } = ratingsOf(view.reading(), view.conditions())
  return score === 'neutral' ? 'grey' : score
}

export function foretoldIn({ live }: TokenView): Look['foretold'] {
  const entries = QUESTIONS.map((question) => {
    const latched = latchedOf(live.token, question)
    const p = latched && probabilityOf(latched)
    return [question, p === null ? null : { p: p / MILLION, n: latched!.n }]
  })
  return Object.fromEntries(entries) as Look['foretold']
}
