import { existsSync, mkdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { COHORTS } from '@ti/core/query/people/money.ts'
import { EXIT, OperatorError } from '../base/errors.ts'
import { ASIDE, COPY, DRAFT, moveInto, replaceFile } from './directory.ts'
import { type Draft, emptyParts, folderOf, type Manifest, type Parts, parseDraft, partName } from './manifest.ts'
import type { Names } from './names.ts'
import type { ExportNews } from './news.ts'
import { createPart, type EXPORT, type Part, type Written } from './part.ts'
import { type Cursor, type Source, TABLE_NAMES, type Table, type TableName } from './table.ts'

/** Writes tables file by file and keeps the draft, so that a new process goes on with the first file that is missing. */
interface TableWriter {
  write<Row>(table: Table<Row>): void
  /** The manifest so far; complete once all tables are written. */
  manifest(): Manifest
}

/** rows between two progress reports */
const NEWS_ROWS = 5_000

export function createTableWriter({
  out,
  source,
  names,
  bounds,
  onNews,
}: {
  readonly out: string
  readonly source: Source
  readonly names: Names
  readonly bounds: Readonly<typeof EXPORT>
  readonly onNews: (news: ExportNews) => void
}): TableWriter {
  const path = join(out, COPY, DRAFT)
  let { manifest, next } = readDraft(path, out)
  const { nextTrade, nextToken, nextWallet, verdicts, readings } = source.globals
  const money = nextToken * Object.keys(COHORTS).length
  const all = nextTrade + nextToken + nextWallet + source.store.positionTotal() + verdicts + readings + money
  const of = all - TABLE_NAMES.reduce((sum, name) => sum + manifest.tables[name].rows, 0)
  let rows = 0

  function keep(name: TableName, aside: string, written: Written, cursor: Cursor): void {
    const before = manifest.tables[name]
    const file = `${folderOf(name, manifest.seq)}/${partName(before.rows, written.rows)}`
    moveInto(aside, join(out, file))
    const tables = { ...manifest.tables, [name]: withPart(before, { file, ...written }) }
    manifest = { ...manifest, tables }
    next = { ...next, [name]: cursor }
    replaceFile(path, JSON.stringify({ manifest, next } satisfies Draft))
    onNews({ kind: 'part', file })
  }

  function write<Row>(table: Table<Row>): void {
    const folder = join(out, folderOf(table.name, manifest.seq))
    const aside = join(folder, `next${ASIDE}`)
    const columns = table.columns(source)
    let part: Part<Row> | null = null
    try {
      let last: Row | undefined
      for (const row of table.rows(source, next[table.name])) {
        if (part === null) {
          mkdirSync(folder, { recursive: true })
          part = createPart(aside, columns, names, bounds)
        }
        const inPart = part.add(row)
        last = row
        if (++rows % NEWS_ROWS === 0) onNews({ kind: 'rows', rows, of })
        if (inPart < bounds.partRows) continue
        keep(table.name, aside, part.finish(), table.after(row))
        part = null
      }
      if (part !== null) keep(table.name, aside, part.finish(), table.after(last!))
    } catch (error) {
      part?.abandon()
      throw error
    }
  }

  return { write, manifest: () => manifest }
}

const withPart = ({ rows, bytes, parts }: Parts, part: Parts['parts'][number]): Parts => ({
  rows: rows + part.rows,
  bytes: bytes + part.bytes,
  parts: [...parts, part],
})

/** The draft, limited to existing files: trades before the first missing one, other tables all or none. */
function readDraft(path: string, out: string): Draft {
  const draft = existsSync(path) ? parseDraft(readFileSync(path, 'utf8')) : null
  if (draft === null) {
    throw new OperatorError(
      `${path} cannot be read: remove ${dirname(path)} to begin anew, or run the program that began it`,
      { exitCode: EXIT.badFile },
    )
  }
  const tables = { ...draft.manifest.tables }
  const next = { ...draft.next }
  for (const name of TABLE_NAMES) {
    const { parts } = tables[name]
    const missing = parts.findIndex(({ file, bytes }) => {
      const path = join(out, file)
      return !existsSync(path) || statSync(path).size !== bytes
    })
    if (missing < 0) continue
    const kept = name === 'trades' ? parts.slice(0, missing) : []
    tables[name] = kept.reduce(withPart, emptyParts())
    next[name] = [tables[name].rows, 0]
  }
  return { manifest: { ...draft.manifest, tables }, next }
}
