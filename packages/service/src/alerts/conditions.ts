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
  /** The largest `fromTrade` of the watches that this event was reported to; -1: none. */
  readonly told: (event: string) => number
}

/**
 * Finds the conditions that the new tokens of a batch meet as of the newest block, unless all watches of the condition were
 * told: a market's conditions are met by most tokens, and each trades many times.
 */
export async function conditionsMet({ lasts, next }: Batch, asked: Asked): Promise<Happening[]> {
  const { source, conditions, newSlots } = asked
  const met: Happening[] = []
  if (conditions.length === 0) return met
  const isNew = ({ token }: TradeRow): boolean => {
    const { createdKnown, createdSlot } = source.token(token)
    return createdKnown && next.slot - createdSlot <= newSlots
  }
  await inSlices(lasts.filter(isNew), asked, (last) => ask(last, asked, met))
  return met
}

function ask(last: TradeRow, { source, conditions, told }: Asked, met: Happening[]): void {
  const token = source.token(last.token)
  const onceOf = ({ filter }: Condition): string => `${token.id} ${filter.text}`
  const open = conditions.filter((one) => told(onceOf(one)) < one.newest)
  const values = open.length === 0 ? null : source.values(token.id)
  if (values === null) return
  for (const one of open) {
    const { filter, watches } = one
    if (!filter.test(values)) continue
    const once = onceOf(one)
    const until = told(once)
    const why = Object.fromEntries(
      filter.fields.map((field) => [field, values[field] as string | number | boolean | null]),
    )
    const key = `token ${token.id}`
    const { no, slot, time } = last
    for (const { row: watch, fromTrade } of watches) {
      // one literal: a condition may have thousands of watches
      if (fromTrade > until && no >= fromTrade)
        met.push({ watch, event: 'condition_met', key, once, token, wallet: null, signature: null, why, slot, time })
    }
  }
}
