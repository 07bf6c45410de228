import { type RawBuilder, sql } from 'kysely'

/**
 * The database's own clock, for `changed_at`: nodes find each other's changes by it, whatever their own clocks say. What
 * a client is given, and what ends at a time, goes by the node's clock.
 */
export const databaseTime: RawBuilder<Date> = sql<Date>`clock_timestamp()`
