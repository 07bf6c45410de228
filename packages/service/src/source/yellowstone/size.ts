import type { RawBlock, RawTransaction } from '@ti/core/model/raw.ts'

/**
 * The approximate memory of a block, in bytes: objects and strings as V8 keeps them, and the message whose bytes its
 * instructions are views of. Within a few percent of what simulated blocks were measured to take, three times their wire size.
 */
export function sizeOf(block: RawBlock): number {
  let bytes = 500
  for (const tx of block.transactions) bytes += sizeOfTransaction(tx)
  return bytes
}

function sizeOfTransaction(tx: RawTransaction): number {
  let bytes = 1_000 + tx.keys.length * 100 + (tx.preBalances.length + tx.postBalances.length) * 10
  bytes += (tx.preTokens.length + tx.postTokens.length) * 220
  for (const { data } of tx.instructions) bytes += 350 + data.length
  if (tx.inner !== null)
    for (const { instructions } of tx.inner) for (const { data } of instructions) bytes += 350 + data.length
  if (tx.logs !== null) for (const line of tx.logs) bytes += 40 + line.length * 2
  return bytes
}
