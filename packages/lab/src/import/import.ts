import { open, readFile, stat } from 'node:fs/promises'
import { type Counts, count, createCounts } from '@ti/core/base/counts.ts'
import { EXIT, OperatorError } from '@ti/service/base/errors.ts'
import type { CaptureCounts } from '@ti/service/source/capture/format.ts'
import { createCaptureWriter } from '@ti/service/source/capture/writer.ts'
import type { FactsItem, SourceItem } from '@ti/service/source/source.ts'
import { isCapture, takeCapture } from './captured.ts'
import { linesOf, Unusable } from './lines.ts'
import { createMaterial, type Material } from './material.ts'
import { tradeCsv } from './trade-csv.ts'
import { takeValue } from './values.ts'

/** bytes of one input file given to `capture import` */
const IMPORT_FILE_BYTES_MAX = 2 ** 31

/** Bytes of a JSON document that does not come line by line: it is parsed whole. */
const DOCUMENT_BYTES_MAX = 256 << 20
/** The share of the progress that reading takes. */
const READING = 0.8

interface ImportOptions {
  /** USD per SOL, written as the first fact; without it USD values are 0. */
  readonly solUsd?: number
  /** `share` of the work done, 0 to 1. */
  readonly onProgress?: (share: number, text: string) => void
}

interface ImportedFile {
  readonly file: string
  /** Transactions, trades and launches found. */
  readonly records: number
  /** The reason why the file, or the rest of it, could not be used. */
  readonly problem: string | null
}

export interface ImportReport {
  readonly files: readonly ImportedFile[]
  readonly written: CaptureCounts & {
    readonly decodedTrades: number
    readonly decodedCreates: number
    readonly firstSlot: number
    readonly lastSlot: number
  }
  /** Items left out or derived, by reason; see docs/captures.md. */
  readonly notes: Readonly<Record<string, number>>
}

/**
 * Imports real data into a capture, by the contents of the files and not their names. Throws an OperatorError if a file
 * is missing or none has anything usable; single unusable files are listed in the report.
 */
export async function importFiles(
  files: readonly string[],
  out: string,
  options: ImportOptions = {},
): Promise<ImportReport> {
  const { onProgress = () => {} } = options
  const sizes = await sizesOf(files)
  const total = Math.max(
    1,
    sizes.reduce((a, b) => a + b, 0),
  )
  const writer = await createCaptureWriter(out, {
    created_at: new Date().toISOString(),
    source: `import of ${files.length} ${files.length === 1 ? 'file' : 'files'}`,
    chain: null,
    holds: 'imported material: raw transactions, and trades decoded elsewhere where there was nothing raw',
  })
  try {
    const counts = createCounts()
    const material = createMaterial(counts)
    const facts = createFacts(counts)
    const read: ImportedFile[] = []
    let done = 0
    for (const [i, file] of files.entries()) {
      read.push(
        await readOne({ file, size: sizes[i]!, material, counts, facts }, (bytes) =>
          onProgress((READING * (done + bytes)) / total, `${recordsIn(material)} records`),
        ),
      )
      done += sizes[i]!
    }
    if (recordsIn(material) === 0) throw nothingUsable(read)
    const items = facts.among(material.items(counts))
    const span = { firstSlot: Number.POSITIVE_INFINITY, lastSlot: -1 }
    let decodedTrades = 0
    let decodedCreates = 0
    const start = timeOf(items[0]!)
    if (options.solUsd !== undefined)
      await writer.write({ kind: 'facts', time: start, facts: [{ kind: 'sol_price', usd: options.solUsd }] })
    for (const [i, item] of items.entries()) {
      await writer.write(item)
      if (item.kind === 'facts') continue
      const slot = item.kind === 'raw' ? item.block.slot : item.slot
      span.firstSlot = Math.min(span.firstSlot, slot)
      span.lastSlot = slot
      if (item.kind === 'decoded') {
        const creates = item.events.filter((event) => event.kind === 'create').length
        decodedCreates += creates
        decodedTrades += item.events.length - creates
      }
      if (i % 1_000 === 0) onProgress(READING + ((1 - READING) * i) / items.length, `slot ${slot}`)
    }
    const written = await writer.finish()
    onProgress(1, 'done')
    return {
      files: read,
      written: { ...written, decodedTrades, decodedCreates, ...span },
      notes: Object.fromEntries([...counts].sort()),
    }
  } catch (error) {
    await writer.discard()
    throw error
  }
}

const recordsIn = ({ transactions, trades, creates }: Material): number => transactions + trades + creates

async function sizesOf(files: readonly string[]): Promise<number[]> {
  return Promise.all(
    files.map(async (file) => {
      const stats = await stat(file).catch((cause: Error) => {
        throw new OperatorError(`${file}: cannot be read: ${cause.message}`, { exitCode: EXIT.badFile, cause })
      })
      if (!stats.isFile()) throw new OperatorError(`${file}: is not a regular file`, { exitCode: EXIT.badFile })
      return stats.size
    }),
  )
}

const nothingUsable = (read: readonly ImportedFile[]): OperatorError =>
  new OperatorError(`nothing to import:\n${read.map(({ file, problem }) => `  ${file}: ${problem}`).join('\n')}`, {
    exitCode: EXIT.badFile,
  })

type Item = Exclude<SourceItem, { readonly kind: 'gap' }>
const timeOf = (item: Item): number => (item.kind === 'raw' ? item.block.time : item.time)

interface Facts {
  add(facts: FactsItem): void
  /** Inserts each before the first block that is not older. */
  among(items: readonly Item[]): Item[]
}

/** Facts of captures, without duplicates. */
function createFacts(counts: Counts): Facts {
  const all = new Map<string, FactsItem>()
  return {
    add(item) {
      const id = JSON.stringify(item)
      if (all.has(id)) count(counts, 'facts_repeated')
      else all.set(id, item)
    },
    among(items) {
      const waiting = [...all.values()].sort((a, b) => a.time - b.time)
      const out: Item[] = []
      for (const item of items) {
        while (waiting.length > 0 && waiting[0]!.time <= timeOf(item)) out.push(waiting.shift()!)
        out.push(item)
      }
      return [...out, ...waiting]
    },
  }
}

interface Input {
  readonly file: string
  readonly size: number
  readonly material: Material
  readonly counts: Counts
  readonly facts: Facts
}

async function readOne(
  { file, size, material, counts, facts }: Input,
  onBytes: (bytes: number) => void,
): Promise<ImportedFile> {
  const before = recordsIn(material)
  const found = () => recordsIn(material) - before
  const own = createCounts()
  try {
    if (size > IMPORT_FILE_BYTES_MAX) throw new Unusable(`it is larger than ${IMPORT_FILE_BYTES_MAX} bytes`)
    const given = isCapture(await beginningOf(file))
      ? await takeCapture(file, material, own, facts.add)
      : await readRecords(file, size, material, own, onBytes)
    const why = [...own].map(([name, n]) => `${name} ${n}`).join(', ')
    const problem = given > 0 ? null : `no transaction or trade in it${why === '' ? '' : ` (${why})`}`
    return { file, records: found(), problem }
  } catch (error) {
    if (!(error instanceof Unusable)) throw error
    return { file, records: found(), problem: error.message }
  } finally {
    // also for a file that could be used in part
    for (const [name, n] of own) count(counts, name, n)
  }
}

async function beginningOf(file: string): Promise<Buffer> {
  const handle = await open(file, 'r')
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(16), 0, 16, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await handle.close()
  }
}

/** Chooses the reader by the first line: a web page, a table with known columns, JSON lines, or one JSON document. */
async function readRecords(
  file: string,
  size: number,
  material: Material,
  counts: Counts,
  onBytes: (bytes: number) => void,
): Promise<number> {
  let records = 0
  let take: ((line: string) => void) | null = null
  for await (const { line, bytes } of linesOf(file)) {
    if (take === null) {
      if (line.startsWith('<')) throw new Unusable('it is a web page or XML, perhaps an error answer that was saved')
      const csv = tradeCsv(line)
      if (csv !== null) {
        take = (row) => {
          const trade = csv(row, counts)
          if (trade === null) return
          material.addTrades([trade])
          records++
        }
        continue
      }
      const value = parse(line)
      if (value === undefined) return readDocument(file, size, line, material, counts)
      records += takeValue(value, material, counts)
      take = (text) => {
        const next = parse(text)
        if (next === undefined) count(counts, 'broken_line')
        else records += takeValue(next, material, counts)
      }
    } else take(line)
    onBytes(bytes)
  }
  return records
}

async function readDocument(
  file: string,
  size: number,
  firstLine: string,
  material: Material,
  counts: Counts,
): Promise<number> {
  if (!/^[[{]/.test(firstLine)) throw new Unusable('it is neither JSON nor a table with the columns of trades')
  if (size > DOCUMENT_BYTES_MAX)
    throw new Unusable(`as one JSON document it is larger than ${DOCUMENT_BYTES_MAX} bytes`)
  const value = parse(await readFile(file, 'utf8'))
  if (value === undefined) throw new Unusable('it begins like JSON but is not: perhaps cut off')
  return takeValue(value, material, counts)
}

/** Undefined if the text is not JSON. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}
