import { type RawBuilder, sql } from 'kysely'

/** Builds rows of parameters for `with name (columns) as (…)`. `types` maps the columns in order to their PostgreSQL types. */
export function values(
  types: Readonly<Record<string, string>>,
  rows: readonly (readonly unknown[])[],
): RawBuilder<unknown> {
  const casts = Object.values(types).map((type) => sql.raw(type))
  const row = (cells: readonly unknown[]) =>
    sql`(${sql.join(cells.map((cell, i) => sql`cast(${cell} as ${casts[i]})`))})`
  return sql`values ${sql.join(rows.map(row))}`
}
