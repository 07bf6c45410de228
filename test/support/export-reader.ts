import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type Manifest, parseManifest } from '@ti/service/export/manifest.ts'
import { TABLE_NAMES, type TableName } from '@ti/service/export/table.ts'
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from 'hyparquet'

/** An export as somebody else's reader sees it. Times are microseconds. */
export type Cells = Record<string, bigint | number | string | boolean | null>

export function readManifest(out: string): Manifest {
  const manifest = parseManifest(readFileSync(join(out, 'manifest.json'), 'utf8'))
  assert.ok(manifest !== null, `${out} has no manifest`)
  return manifest
}

/** All rows of a table, after its files were found to be what the manifest says. */
export async function readTable(out: string, table: TableName, manifest = readManifest(out)): Promise<Cells[]> {
  const { rows, bytes, parts } = manifest.tables[table]
  const all: Cells[] = []
  let seen = 0
  for (const part of parts) {
    const path = join(out, part.file)
    const content = readFileSync(path)
    seen += content.length
    assert.equal(createHash('sha256').update(content).digest('hex'), part.sha256, part.file)
    assert.equal(content.length, part.bytes, part.file)
    const file = await asyncBufferFromFile(path)
    const read = await parquetReadObjects({ file, parsers: { timestampFromMicroseconds: (micros: bigint) => micros } })
    assert.equal(read.length, part.rows, part.file)
    for (const row of read) all.push(row as Cells)
  }
  assert.deepEqual([all.length, seen], [rows, bytes], table)
  return all
}

export async function readAll(out: string): Promise<Record<TableName, Cells[]>> {
  const all: [TableName, Cells[]][] = []
  for (const table of TABLE_NAMES) all.push([table, await readTable(out, table)])
  return Object.fromEntries(all) as Record<TableName, Cells[]>
}

/** rows of each row group of a file */
export async function groupsOf(path: string): Promise<number[]> {
  const { row_groups: groups } = await parquetMetadataAsync(await asyncBufferFromFile(path))
  return groups.map(({ num_rows: rows }) => Number(rows))
}

/** path → SHA-256 of every file beneath */
export function contentsOf(dir: string): Record<string, string> {
  const files = readdirSync(dir, { recursive: true, encoding: 'utf8' }).filter((name) =>
    statSync(join(dir, name)).isFile(),
  )
  return Object.fromEntries(
    files.sort().map((name) => [
      name,
      createHash('sha256')
        .update(readFileSync(join(dir, name)))
        .digest('hex'),
    ]),
  )
}
