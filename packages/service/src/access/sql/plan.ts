import { type RawBuilder, sql } from 'kysely'
import type { Plan } from '../keys.ts'

/** The plan of a row of `accounts` at a moment. */
export const planIn = (at: Date | RawBuilder<unknown>): RawBuilder<Plan> =>
  sql<Plan>`case when granted_pro or paid_until > ${at} then 'pro' else 'free' end`
