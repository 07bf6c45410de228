import { EXIT, OperatorError } from '../base/errors.ts'
import { LIMITS } from '../config/limits.ts'
import { readOptions } from '../config/options.ts'
import { FORMULAS_VERSION } from '../engine/constants.ts'
import { exportParquet } from '../export/export.ts'
import type { Manifest } from '../export/manifest.ts'
import type { ExportNews } from '../export/news.ts'
import { TABLE_NAMES } from '../export/table.ts'
import { type Command, parse } from './command.ts'
import { createProgressBar } from './progress.ts'

const usage = `export --parquet OUT [--data-dir DIR]
  writes trades, launches, wallets and positions as of one log entry as Parquet files into OUT, also while the service
  runs. The same command goes on where it was ended, and adds to a finished OUT what is new (docs/export.md)`

export const exportCommand: Command = {
  usage,
  async run(args) {
    const { values } = parse(
      usage,
      args,
      { parquet: { type: 'string' }, 'data-dir': { type: 'string' } },
      { min: 0, max: 0 },
    )
    const out = values.parquet
    if (out === undefined || out === '') {
      throw new OperatorError(`--parquet OUT is missing\n\n${usage}`, { exitCode: EXIT.usage })
    }
    const dataDir = values['data-dir'] ?? readOptions(process.env).dataDir
    const bar = createProgressBar('export')
    const { manifest, isNew } = await exportParquet({
      dataDir,
      out,
      store: { formulasVersion: FORMULAS_VERSION },
      bounds: LIMITS.export,
      tell: createTeller(bar.update),
    })
    bar.done()
    process.stdout.write(describe(out, manifest, isNew))
  },
}

const mb = (bytes: number): string => `${Math.ceil(bytes / 1e6)} MB`

function createTeller(update: (share: number, text: string) => void): (news: ExportNews) => void {
  let started = performance.now()
  return (news) => {
    if (news.kind === 'copying') {
      process.stderr.write(`copying ${mb(news.bytes)} of log and state\n`)
      started = Number.NaN
    } else if (news.kind === 'going on') process.stderr.write('going on with the export that was ended\n')
    else if (news.kind === 'rows') {
      if (Number.isNaN(started)) started = performance.now()
      const rate = Math.round(news.rows / Math.max((performance.now() - started) / 1000, 1e-3))
      update(news.rows / Math.max(news.of, 1), `${news.rows} rows, ${rate} a second`)
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
