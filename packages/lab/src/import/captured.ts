import { type Counts, count } from '@ti/core/base/counts.ts'
import { VENUE } from '@ti/core/model/events.ts'
import { OperatorError } from '@ti/service/base/errors.ts'
import { openCapture } from '@ti/service/source/capture/capture.ts'
import { MAGIC } from '@ti/service/source/capture/format.ts'
import type { DecodedItem, FactsItem } from '@ti/service/source/source.ts'
import { Unusable } from './lines.ts'
import type { DecodedTrade, Material } from './material.ts'

/** True if a file begins like a capture. */
export const isCapture = (start: Buffer): boolean => start.subarray(0, MAGIC.length).equals(MAGIC)

const START = { slot: -1, time: 0, facts: 0 }

/**
 * Reads the output of an earlier import or recording. Its transactions and rows are deduplicated with those of other
 * files. Facts go to `addFacts`. Returns the number of records.
 */
export async function takeCapture(
  path: string,
  material: Material,
  counts: Counts,
  addFacts: (facts: FactsItem) => void,
): Promise<number> {
  let records = 0
  const rows: DecodedTrade[] = []
  try {
    for await (const item of (await openCapture(path)).items(START, new AbortController().signal)) {
      if (item.kind === 'facts') addFacts(item)
      else if (item.kind === 'gap') count(counts, 'capture_gap')
      else if (item.kind === 'decoded') records += takeDecoded(item, rows, material, counts)
      else {
        const { slot, parent, time, transactions } = item.block
        for (const transaction of transactions) material.addRaw({ slot, estimated: false, time, parent, transaction })
        records += transactions.length
      }
    }
  } catch (error) {
    // material before the damage is kept, as for any other file
    if (!(error instanceof OperatorError)) throw error
    material.addTrades(rows)
    throw new Unusable(error.message)
  }
  material.addTrades(rows)
  return records
}

function takeDecoded(
  { slot, time, events }: DecodedItem,
  rows: DecodedTrade[],
  material: Material,
  counts: Counts,
): number {
  let records = 0
  for (const event of events) {
    if (event.kind === 'trade')
      // rows of pools have no reserves of their own (swaps.ts), those of curves do
      rows.push({ slot, estimated: false, time, chained: event.venue === VENUE.pump, event })
    else if (event.kind === 'create') material.addCreate({ slot, estimated: false, time, event })
    else {
      count(counts, `capture_event:${event.kind}`)
      continue
    }
    records++
  }
  return records
}
