import { createCounts } from '@ti/core/base/counts.ts'
import { decodeTransaction } from '@ti/core/decode/transaction.ts'
import type { ChainEvent, CreateEvent } from '@ti/core/model/events.ts'
import type { ReadCreation } from '../observe/types.ts'
import { fetchedFromJson } from '../source/shape/json.ts'

/** Reads a creation with the decoder that reads the chain. */
export const readCreation: ReadCreation = (answer, mint) => {
  const counts = createCounts()
  const fetched = fetchedFromJson(answer, counts)
  if (fetched === null || fetched.slot < 0) return null
  const events: ChainEvent[] = []
  decodeTransaction(fetched.transaction, 0, events, counts)
  const creation = events.find((event): event is CreateEvent => event.kind === 'create' && event.mint === mint)
  if (creation === undefined) return null
  const { creator, user: launcher, payer, signed, sig } = creation
  return { kind: 'launch', mint, launcher, creator, payer, signed, slot: fetched.slot, sig }
}
