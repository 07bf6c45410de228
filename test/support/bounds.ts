import assert from 'node:assert/strict'
import type { Table } from '@ti/core/model/field.ts'

/** The lists of a record that have no bound, with those of the records in it. */
export const unbounded = ({ name, fields }: Table): string[] =>
  Object.entries(fields).flatMap(([field, { kind, most, of }]) => [
    ...(['list', 'numbers', 'keys'].includes(kind) && most === undefined ? [`${name}.${field}`] : []),
    ...(of === undefined ? [] : unbounded(of)),
  ])

/** Fails if a list of the record, or of a record in it, has more items than its table says. */
export function assertBounded({ name, fields }: Table, record: object): void {
  for (const [field, { most, of }] of Object.entries(fields)) {
    const value: unknown = record[field as keyof typeof record]
    if (Array.isArray(value) && most !== undefined) assert.ok(value.length <= most, `${name}.${field}: ${value.length}`)
    if (of === undefined || value === null || value === undefined) continue
    for (const one of Array.isArray(value) ? value : [value]) assertBounded(of, one)
  }
}
