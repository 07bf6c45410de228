import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { ENGINES, type EngineName } from './engine-stores.ts'
import type { BenchRow } from './types.ts'

/**
 * Compares candidate engines for the store in one run, relative to lmdb. The store is built on `own`: SQLite with a
 * checksum per record, made durable by the log.
 */
export interface EngineTask {
  readonly kind: 'measure' | 'reopen' | 'fill' | 'damage'
  readonly engine: EngineName
  readonly dir: string
  readonly records: number
  readonly reads: number
  readonly commits: number
  /** Range of damage numbers. */
  readonly from: number
  readonly until: number
}
/** Name with unit → value. */
export type Measured = Readonly<Record<string, number>>

/** 300 bytes each */
const RECORDS = Number(process.env.BENCH_RECORDS ?? 1_000_000)
/** records of the stores that get damaged */
const SMALL = 3_000
const READS = 50_000
const COMMITS = 300
const DAMAGES = Number(process.env.BENCH_DAMAGES ?? 200)
/** a damaged tree may contain cycles */
const SILENCE_MS = 60_000

/** largest multiple of lmdb's cost; reads cost more on purpose (reports/engines.md) */
const BARS: Measured = {
  'live commit p50, ms': 1.1,
  'live commit p99, ms': 1.1,
  'live commit, CPU ms': 1.5,
  'point read, CPU µs': 12,
  'range read of a row, CPU µs': 8,
  'bytes a row': 1.1,
  'open and first read, ms': 5,
  'copy while written, ms': 5,
}

export async function benchEngines(): Promise<BenchRow[]> {
  const base = mkdtempSync(join(process.env.BENCH_DIR ?? tmpdir(), 'bench-engines-'))
  const measured = new Map<EngineName, Measured>()
  const damaged = new Map<EngineName, Verdicts>()
  try {
    for (const engine of Object.keys(ENGINES) as EngineName[]) {
      const dir = join(base, engine.replace('/', '-'))
      const failure = await tryOut(engine, dir)
      if (failure !== null) {
        console.log(`${engine}: left out, ${failure}`)
        continue
      }
      measured.set(engine, await measureOne(engine, dir))
      // it has the same file format
      if (engine !== 'lmdb without sync') damaged.set(engine, await damageOne(engine, dir))
      console.log(`${engine}: ${JSON.stringify({ ...measured.get(engine), ...damaged.get(engine) })}`)
      rmSync(dir, { recursive: true, force: true })
    }
  } finally {
    rmSync(base, { recursive: true, force: true })
  }
  return [...Object.keys(BARS).map((figure) => costRow(figure, measured)), ...damageRows(damaged)]
}

function costRow(figure: string, measured: Map<EngineName, Measured>): BenchRow {
  const reference = measured.get('lmdb')![figure]!
  const ratio = measured.get('own')![figure]! / reference
  const bar = BARS[figure]!
  const each = [...measured].map(([engine, figures]) => {
    const value = figures[figure]
    return value === undefined
      ? `${engine}: has no way`
      : `${engine}: ${value.toPrecision(3)} (${(value / reference).toFixed(2)})`
  })
  const name = `${figure}: the store's tables against lmdb (at most)`
  return { name, ratio, bar, pass: ratio <= bar, detail: each.join('\n       ') }
}

function damageRows(damaged: Map<EngineName, Verdicts>): BenchRow[] {
  const each = [...damaged].map(([engine, { noticed, different, harmless, crashed, hung }]) =>
    [
      `${engine}: ${noticed} noticed, ${different} read differently without an error, ${harmless} harmless`,
      `${crashed} ended the process, ${hung} never ended`,
    ].join(', '),
  )
  const { different, crashed, hung } = damaged.get('own')!
  const row = (name: string, ratio: number): BenchRow => ({
    name,
    ratio,
    bar: 0,
    pass: ratio === 0,
    detail: each.join('\n       '),
  })
  return [
    row(`one bit flipped, ${DAMAGES} times: read differently without an error (at most)`, different),
    row(`one bit flipped, ${DAMAGES} times: the process crashed or hung (at most)`, crashed + hung),
  ]
}

const taskOf = (engine: EngineName, dir: string, task: Partial<EngineTask>): EngineTask => ({
  ...{ kind: 'measure', records: RECORDS, reads: READS, commits: COMMITS, from: 0, until: 0 },
  ...task,
  engine,
  dir,
})

/** Null if the engine works here, otherwise the reason why not. */
async function tryOut(engine: EngineName, dir: string): Promise<string | null> {
  mkdirSync(dir, { recursive: true })
  const { code, signal, error } = await run(taskOf(engine, dir, { kind: 'fill', records: 10 }))
  rmSync(dir, { recursive: true, force: true })
  if (code === 0) return null
  return signal === null ? `it does not load: ${error}` : `it loads and ends the process with ${signal}`
}

async function measureOne(engine: EngineName, dir: string): Promise<Measured> {
  mkdirSync(dir, { recursive: true })
  const figures: Record<string, number> = {}
  for (const kind of ['measure', 'reopen'] as const) {
    const { lines, error } = await run(taskOf(engine, dir, { kind }))
    if (lines.length === 0) throw new Error(`${engine}: ${error}`)
    Object.assign(figures, JSON.parse(lines[0]!))
  }
  return figures
}

interface Verdicts {
  noticed: number
  different: number
  harmless: number
  crashed: number
  hung: number
}

/** Runs one process until it ends, then another one from there on. */
async function damageOne(engine: EngineName, dir: string): Promise<Verdicts> {
  const small = `${dir}-small`
  mkdirSync(small, { recursive: true })
  const verdicts: Verdicts = { noticed: 0, different: 0, harmless: 0, crashed: 0, hung: 0 }
  await run(taskOf(engine, small, { kind: 'fill', records: SMALL }))
  for (let from = 0; from < DAMAGES; ) {
    const task = taskOf(engine, small, { kind: 'damage', records: SMALL, from, until: DAMAGES })
    const { lines, signal, code, isSilent, error } = await run(task)
    for (const line of lines) verdicts[JSON.parse(line) as keyof Verdicts]++
    from += lines.length
    if (from >= DAMAGES) break
    if (signal === null) throw new Error(`${engine}: a child ended early with ${code}: ${error}`)
    if (isSilent) verdicts.hung++
    else verdicts.crashed++
    from++
  }
  for (const made of [small, `${small}-damaged`]) rmSync(made, { recursive: true, force: true })
  return verdicts
}

interface Outcome {
  readonly code: number | null
  readonly signal: string | null
  readonly lines: readonly string[]
  /** The last error line. */
  readonly error: string
  /** True if it was killed after a long silence. */
  readonly isSilent: boolean
}

async function run(task: EngineTask): Promise<Outcome> {
  const child = spawn(
    process.execPath,
    ['--import', import.meta.resolve('tsx'), join(import.meta.dirname, 'engines-child.ts'), JSON.stringify(task)],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  )
  const lines: string[] = []
  let said = ''
  let isSilent = false
  let timer: NodeJS.Timeout | undefined
  const watch = (): void => {
    clearTimeout(timer)
    if (task.kind !== 'damage') return
    timer = setTimeout(() => {
      isSilent = true
      child.kill('SIGKILL')
    }, SILENCE_MS)
  }
  watch()
  child.stderr.on('data', (bytes) => {
    said = (said + bytes).slice(-4_000)
  })
  createInterface({ input: child.stdout }).on('line', (line) => {
    // an engine may print lines of its own
    if (/^["{]/.test(line)) lines.push(line)
    watch()
  })
  const [code, signal] = await new Promise<[number | null, string | null]>((done) =>
    child.on('close', (...ended) => done(ended)),
  )
  clearTimeout(timer)
  const error = /^\w*Error: .*$/m.exec(said)?.[0] ?? said.trim().slice(-300)
  return { code, signal, lines, error, isSilent }
}
