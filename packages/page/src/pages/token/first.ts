import type { RatingValue } from '../../ui/rating.tsx'

export const tokenPaths = (mint: string) => ({
  who: `/v1/tokens/${mint}/who`,
  snapshot: `/v1/tokens/${mint}`,
  explain: `/app/tokens/${mint}/explain`,
  line: `/app/tokens/${mint}/line`,
  trades: `/v1/tokens/${mint}/trades`,
})

/** The service writes these words into the skeleton of a token's page; they stay until the answers arrive. */
export interface FirstWords {
  readonly id: string
  readonly symbol: string
  readonly name: string
  readonly colour: RatingValue
  /** first sentence of the verdict */
  readonly sentence: string
}

/** Returns null in the skeleton of another page or without words. */
export function firstWords(mint: string): FirstWords | null {
  const text = document.getElementById('words')?.textContent
  if (!text) return null
  const words = JSON.parse(text) as FirstWords
  return words.id === mint ? words : null
}
