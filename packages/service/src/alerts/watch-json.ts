import { isoMicros } from '@ti/core/base/time.ts'
import { FILTER_BOUNDS } from '@ti/core/contract/filter.ts'
import { z } from 'zod'
import type { Plan } from '../access/keys.ts'
import { WATCH_KINDS, type WatchRow } from '../access/sql/schema.ts'
import type { AlertStore, NewWatch, WatchBook } from './watches.ts'

/** characters of the name of a watch or a destination */
export const WATCH_NAME_LENGTH = 100

/** SOL that a trade must have at most to be reported: lamports of it are whole numbers */
export const MIN_SOL_MAX = 1_000_000

/** Watches and alerts as every face takes and shows them. */

export interface WatchServices {
  readonly book: WatchBook
  readonly alertStore: Pick<AlertStore, 'since' | 'newest'>
}

/** The account behind a session or an API key. */
export interface Member {
  readonly id: string
  readonly plan: Plan
}

export const WatchName = z.string().trim().min(1).max(WATCH_NAME_LENGTH)

export const WatchBody = z.strictObject({
  kind: z.enum(WATCH_KINDS),
  target: z.string().max(FILTER_BOUNDS.length),
  name: WatchName,
  min_sol: z.number().min(0).max(MIN_SOL_MAX).optional(),
})

export const newWatchOf = ({ min_sol = 0, ...asked }: z.infer<typeof WatchBody>): NewWatch => ({
  ...asked,
  minLamports: Math.round(min_sol * 1e9),
})

export const watchJson = ({ id, kind, target, name, min_lamports, paused, from_trade, created_at }: WatchRow) => ({
  id,
  kind,
  target,
  name,
  min_sol: min_lamports / 1e9,
  paused,
  state: paused ? 'paused' : from_trade === null ? 'starting' : 'watching',
  created_at: isoMicros(created_at.getTime() / 1_000),
})

export const NO_WATCH = 'this account has no such watch'
