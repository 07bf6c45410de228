import { probability } from '@ti/core/engine/bundles/pairs.ts'
import type { BundleBook } from '@ti/core/model/bundles.ts'
import { decodeBundleBook } from '@ti/core/model/generated/books.ts'

/** Decodes a token's bundle book and restores its cached probabilities. */
export function decodeBook(bytes: Buffer): BundleBook {
  const book = decodeBundleBook(bytes)
  for (const pair of book.pairs) pair.p = probability(pair)
  return book
}
