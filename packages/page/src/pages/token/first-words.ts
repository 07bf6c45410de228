import type { RatingValue } from '../../ui/rating.tsx'

/** What the service has written into the frame of a token's page: it stays until the answers are there. */
export interface FirstWords {
  readonly id: string
  readonly symbol: string
  readonly name: string
  readonly severity: RatingValue
  /** the verdict's first sentence */
  readonly sentence: string
}

/** Null: the frame is that of another page, or came without words. */
export function firstWords(mint: string): FirstWords | null {
  const text = document.getElementById('words')?.textContent
  if (!text) return null
  const words = JSON.parse(text) as FirstWords
  return words.id === mint ? words : null
}
