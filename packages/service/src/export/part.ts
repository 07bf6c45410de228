import { createHash } from 'node:crypto'
import { closeSync, fsyncSync, openSync, rmSync, writeSync } from 'node:fs'
import { ByteWriter, ParquetWriter, type Writer } from 'hyparquet-writer'
import { type Column, createCells, schemaOf } from './columns.ts'
import type { Names } from './names.ts'

export const EXPORT = {
  /** rows of one file: some 150 MB of trades, which warehouses load in one piece, and what a killed export does again */
  partRows: 1_000_000,
  /** rows of one row group, of which one is held in memory: some 20 MB of trades, as warehouses like them */
  groupRows: 100_000,
  /** characters of text in one row group: descriptions have up to 2,000 each */
  groupText: 32 << 20,
  /** mints, and addresses, whose text is kept at hand: some 150 bytes each */
  names: 100_000,
  /** bytes of a manifest that is read: some 200,000 files, centuries of the main network */
  manifestBytes: 64 << 20,
}

export interface Written {
  readonly rows: number
  readonly bytes: number
  /** Hex. */
  readonly sha256: string
}

/** One Parquet file being written, row group by row group. */
export interface Part<Row> {
  /** Returns the number of rows so far. */
  add(row: Row): number
  /** Completes and syncs the file. */
  finish(): Written
  /** Removes the file unless it was finished. */
  abandon(): void
}

/** Equal rows give equal bytes. Disk errors are thrown unchanged. */
export function createPart<Row>(
  path: string,
  columns: readonly Column<Row>[],
  names: Names,
  { groupRows, groupText }: Readonly<typeof EXPORT>,
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

/** An output for the library's writer that hashes and writes each flush to a file. */
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
