import type { Card } from './card.ts'

const NEUTRAL: Card = {
  inputs: [],
  bands: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11],
  table: [0, 1, 2].map(() => new Array<number>(12).fill(300_000)),
}

export const CARDS: Readonly<Record<'drain' | 'halving' | 'buyer', Card>> = {
  drain: NEUTRAL,
  halving: NEUTRAL,
  buyer: NEUTRAL,
}
