import { createHash } from 'node:crypto'
import { closeSync, fsyncSync, openSync, rmSync, writeSync } from 'node:fs'
import { ByteWriter, ParquetWriter, type Writer } from 'hyparquet-writer'
import { type Column, createCells, schemaOf } from './columns.ts'
import type { Names } from './names.ts'

export interface PartBounds {
  /** rows, and characters of text, of one row group: what is in memory at once */
  readonly groupRows: number
  readonly groupText: number
}

export interface Written {
  readonly rows: number
  readonly bytes: number
  /** hex */
  readonly sha256: string
}

/** One Parquet file being written, row group after row group. */
export interface Part<Row> {
  /** returns how many rows there are now */
  add(row: Row): number
  /** the file is whole, and on disk */
  finish(): Written
  /** unless it was finished the file is no more */
  abandon(): void
}

/** Equal rows give equal bytes. Errors of the disk are thrown as they come. */
export function createPart<Row>(
  path: string,
  columns: readonly Column<Row>[],
  names: Names,
  { groupRows, groupText }: PartBounds,
): Part<Row> {
  const file = createHashedFile(path)
  const parquet = new ParquetWriter({ writer: file.writer, schema: schemaOf(columns), createdBy: 'token-intelligence' })
  const cells = columns.map((column) => createCells(column, groupRows))
  let rows = 0
  let held = 0
  let heldText = 0

  function writeGroup(): void {
    if (held === 0) return
    const columnData = columns.map(({ name }, i) => ({ name, data: cells[i]!.take(held) }))
    parquet.write({ columnData, rowGroupSize: held })
    rows += held
    held = 0
    heldText = 0
  }

  return {
    add(row) {
      for (let i = 0; i < columns.length; i++) heldText += cells[i]!.set(held, columns[i]!.of(row, names))
      held++
      if (held === groupRows || heldText >= groupText) writeGroup()
      return rows + held
    },
    finish() {
      writeGroup()
      parquet.finish()
      return { rows, ...file.close() }
    },
    abandon: file.abandon,
  }
}

/** The library's writer over a file: what it flushes is written at once and hashed. */
function createHashedFile(path: string) {
  const file = openSync(path, 'w')
  let isOpen = true
  const hash = createHash('sha256')
  const buffer = new ByteWriter(1 << 20)
  let bytes = 0

  function drain(): void {
    const chunk = new Uint8Array(buffer.buffer, 0, buffer.index)
    for (let at = 0; at < chunk.length; ) at += writeSync(file, chunk, at)
    hash.update(chunk)
    bytes += chunk.length
    buffer.index = 0
  }

  const writer: Writer = Object.assign(buffer, { flush: drain, finish: drain })
  return {
    writer,
    close() {
      fsyncSync(file)
      isOpen = false
      closeSync(file)
      return { bytes, sha256: hash.digest('hex') }
    },
    abandon() {
      if (!isOpen) return
      isOpen = false
      closeSync(file)
      rmSync(path, { force: true })
    },
  }
}
