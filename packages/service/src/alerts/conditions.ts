import type { TradeRow } from '@ti/core/model/rows.ts'
import type { AlertSource, Batch } from './batch.ts'
import type { Happening } from './events.ts'
import { inSlices, type Slices } from './slices.ts'
import type { Condition } from './watch-index.ts'

interface Asked extends Slices {
  readonly source: AlertSource
  readonly conditions: readonly Condition[]
  /** A token is new for this many slots after its launch. */
  readonly newSlots: number
}

/**
 * Finds the conditions that the new tokens of a batch meet as of the newest block. It finds them again with the token's next
 * trade.
 */
export async function conditionsMet({ lasts, next }: Batch, asked: Asked): Promise<Happening[]> {
  const { source, conditions, newSlots } = asked
  const met: Happening[] = []
  if (conditions.length === 0) return met
  const isNew = ({ token }: TradeRow): boolean => {
    const { createdKnown, createdSlot } = source.token(token)
    return createdKnown && next.slot - createdSlot <= newSlots
  }
  await inSlices(lasts.filter(isNew), asked, (last) => ask(last, source, conditions, met))
  return met
}

function ask(last: TradeRow, source: AlertSource, conditions: readonly Condition[], met: Happening[]): void {
  const values = source.values(last.token)
  if (values === null) return
  const token = source.token(last.token)
  for (const { filter, watches } of conditions) {
    if (!filter.test(values)) continue
    const why = Object.fromEntries(
      filter.fields.map((field) => [field, values[field] as string | number | boolean | null]),
    )
    const shared = {
      event: 'condition_met',
      key: `token ${token.id}`,
      token,
      wallet: null,
      signature: null,
      why,
    } as const
    for (const { row: watch, fromTrade } of watches) {
      if (last.no >= fromTrade) met.push({ ...shared, watch, slot: last.slot, time: last.time })
    }
  }
}
