import { createCounts } from '@ti/core/base/counts.ts'
import { decodeTransaction } from '@ti/core/decode/transaction.ts'
import type { ChainEvent, CreateEvent } from '@ti/core/model/events.ts'
import { launchOf } from '@ti/core/model/facts.ts'
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
  return creation === undefined ? null : launchOf(creation, fetched.slot)
}
