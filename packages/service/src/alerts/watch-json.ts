import { isoMicros } from '@ti/core/base/time.ts'
import type { NewWatch as Asked, Watch } from '@ti/core/contract/account.ts'
import type { z } from 'zod'
import type { Plan } from '../access/keys.ts'
import type { WatchRow } from '../access/sql/schema.ts'
import type { AlertStore, NewWatch, WatchBook } from './watches.ts'

export { NewWatch as WatchBody } from '@ti/core/contract/account.ts'

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

export const newWatchOf = ({ min_sol = 0, ...asked }: z.infer<typeof Asked>): NewWatch => ({
  ...asked,
  minLamports: Math.round(min_sol * 1e9),
})

export const watchJson = ({
  id,
  kind,
  target,
  name,
  min_lamports,
  paused,
  from_trade,
  created_at,
}: WatchRow): Watch => ({
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
