import { type Counts, count } from '@ti/core/base/counts.ts'
import type { Key } from '@ti/core/base/ids.ts'
import type { Fact } from '@ti/core/model/facts.ts'
import { decodeEntry, encodeEntry, readHead } from '../log/codec.ts'
import type { EncodedBatch, EntryStream } from './entries.ts'

/** Looks up a wallet in the state; null if unknown. */
export type KnownWallet = (address: Key) => { readonly firstSlot: number; readonly funder: number } | null

/**
 * Filters payments that the source wrongly took for first ones: a wallet seen before the payment had other SOL earlier,
 * and was only emptied since. Known funders are not repeated either.
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
    // an entry that the source's cursor counts stays, even if empty
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
