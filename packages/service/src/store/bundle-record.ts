import { probability } from '@ti/core/engine/bundles/pairs.ts'
import type { BundleBook } from '@ti/core/model/bundles.ts'
import { decodeBundleBook } from '@ti/core/model/generated/books.ts'

/** A token's coordinated wallets, with what the engine keeps at hand of them. */
export function decodeBook(bytes: Buffer): BundleBook {
  const book = decodeBundleBook(bytes)
  for (const pair of book.pairs) pair.p = probability(pair)
  return book
}
