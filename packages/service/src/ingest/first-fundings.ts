import { type Counts, count } from '@ti/core/base/counts.ts'
import type { Key } from '@ti/core/base/ids.ts'
import type { Fact } from '@ti/core/model/facts.ts'
import { decodeEntry, encodeEntry, readHead } from '../log/codec.ts'
import type { EncodedBatch, EntryStream } from './entries.ts'

/** What the state has of a wallet; null: nothing. */
export type KnownWallet = (address: Key) => { readonly firstSlot: number; readonly funder: number } | null

/**
 * `entries` without payments that the source took for first ones and that are none: a wallet that was emptied begins again with
 * nothing, so who had been seen before the payment had other SOL before. Nor is repeated what is known already.
 */
export const withFirstFundings = (entries: EntryStream, known: KnownWallet, counts: Counts): EntryStream => ({
  ...entries,
  async *batches(cursor, signal) {
    for await (const batch of entries.batches(cursor, signal)) {
      const kept = firstOf(batch, known, counts)
      if (kept.length > 0) yield kept
    }
  },
})

function firstOf(batch: EncodedBatch, known: KnownWallet, counts: Counts): EncodedBatch {
  return batch.flatMap((bytes) => {
    if (readHead(0, bytes).kind !== 'facts') return [bytes]
    const entry = decodeEntry(0, bytes)
    if (entry.kind !== 'facts') return [bytes]
    const facts = entry.facts.filter((fact) => isFirst(fact, known, counts))
    if (facts.length === entry.facts.length) return [bytes]
    // what the source's cursor counts stays, if empty
    return facts.length === 0 && entry.byOperator ? [] : [Buffer.from(encodeEntry({ ...entry, facts }))]
  })
}

function isFirst(fact: Fact, known: KnownWallet, counts: Counts): boolean {
  if (fact.kind !== 'funding') return true
  const wallet = known(fact.wallet)
  const why = wallet === null ? null : wallet.funder >= 0 ? 'known' : wallet.firstSlot < fact.slot ? 'not_first' : null
  count(counts, why ?? 'kept')
  return why === null
}
