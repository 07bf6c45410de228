import { join } from 'node:path'
import { environment } from '../config/environment.ts'
import { readOptions } from '../config/options.ts'
import { COPY } from '../export/directory.ts'
import { exportParquet } from '../export/export.ts'
import type { Manifest } from '../export/manifest.ts'
import type { ExportNews } from '../export/news.ts'
import { TABLE_NAMES } from '../export/table.ts'
import type { Run } from './definition.ts'
import type { Io, ProgressBar } from './io.ts'
import { wrongUsage } from './parse.ts'

export const exportCommand: Run = async (given, io) => {
  const out = given.text('parquet')
  if (out === undefined || out === '') throw wrongUsage('--parquet OUT is missing')
  const dataDir = given.text('data-dir') ?? readOptions(environment()).dataDir
  const bar = io.progress('export')
  io.leaves(join(out, COPY), 'the same command continues')
  const { manifest, isNew } = await exportParquet({
    dataDir,
    out,
    onNews: createReporter(bar, io),
  })
  bar.done()
  io.result(
    given.has('json') ? `${JSON.stringify({ ...manifest, is_new: isNew }, null, 2)}\n` : describe(out, manifest, isNew),
  )
}

const mb = (bytes: number): string => `${Math.ceil(bytes / 1e6)} MB`

function createReporter(bar: ProgressBar, io: Io): (news: ExportNews) => void {
  let started = performance.now()
  return (news) => {
    if (news.kind === 'copying') {
      io.note(`copying ${mb(news.bytes)} of log and state`)
      started = Number.NaN
    } else if (news.kind === 'going on') io.note('continuing the interrupted export')
    else if (news.kind === 'rows') {
      if (Number.isNaN(started)) started = performance.now()
      const rate = Math.round(news.rows / Math.max((performance.now() - started) / 1000, 1e-3))
      bar.update(news.rows / Math.max(news.of, 1), () => `${news.rows} rows, ${rate} a second`)
    }
  }
}

function describe(out: string, { seq, slot, tables }: Manifest, isNew: boolean): string {
  const lines = TABLE_NAMES.map((name) => {
    const { rows, bytes, parts } = tables[name]
    return `  ${name.padEnd(10)} ${rows} rows, ${mb(bytes)} in ${parts.length} files\n`
  })
  return `${out}: log entry ${seq}, slot ${slot}${isNew ? '' : ', nothing is new'}\n${lines.join('')}`
}
