import type { TokenBatch } from '../contract/batch.ts'
import type { Rendered } from './query.ts'

export function renderBatch(mints: readonly string[], snapshot: (mint: string) => Rendered | null): TokenBatch {
  const batch: TokenBatch = { tokens: [], not_found: [] }
  for (const mint of mints) {
    const found = snapshot(mint)
    if (found === null) batch.not_found.push(mint)
    else batch.tokens.push({ mint, slot: found.slot, snapshot: JSON.parse(found.bytes.toString()) })
  }
  return batch
}
