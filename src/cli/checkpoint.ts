import { EXIT, OperatorError } from '../base/errors.ts'
import { holdDataDir } from '../base/lock.ts'
import { fetchCheckpoint, keepCheckpoint } from '../checkpoints/keep.ts'
import { fetchLater } from '../checkpoints/later.ts'
import { LIMITS } from '../config/limits.ts'
import { type Options, readOptions } from '../config/options.ts'
import { FORMULAS_VERSION as formulasVersion } from '../engine/constants.ts'
import { type Progress, restoreCheckpoint } from '../store/checkpoint.ts'
import { readCheckpointFile, writeCheckpointFile } from '../store/checkpoint-file.ts'
import { type Command, parse } from './command.ts'
import { createProgressBar } from './progress.ts'
import { refold } from './refold.ts'
import { openShelf } from './shelf.ts'

const usage = `checkpoint make FILE
  writes log and state of DATA_DIR as of one log entry into FILE, also while the service runs: a back-up
checkpoint restore FILE
  makes an empty DATA_DIR what FILE holds; the service goes on from there
checkpoint keep
  adds one of DATA_DIR to those in CHECKPOINTS (nats: or a directory), unless the newest is younger than
  CHECKPOINT_HOURS; keeps the newest ${LIMITS.checkpointsKept}
checkpoint fetch
  makes an empty DATA_DIR what the newest of CHECKPOINTS holds
checkpoint later
  fetches the older segments of the log that DATA_DIR still lacks; a node that began with a checkpoint does it by itself
checkpoint refold OLD_DIR
  folds the log of another data directory, also one in use, into DATA_DIR with this program's formulas; the same command
  goes on where it was interrupted`

type Run = (options: Options, argument: string) => Promise<string>

const RUNS: Readonly<Record<string, { readonly takes: 0 | 1; readonly run: Run }>> = {
  make: { takes: 1, run: make },
  restore: { takes: 1, run: restore },
  keep: { takes: 0, run: keep },
  fetch: { takes: 0, run: fetchNewest },
  later: { takes: 0, run: later },
  refold: { takes: 1, run: ({ dataDir }, from) => refold(from, dataDir) },
}

export const checkpoint: Command = {
  usage,
  async run(args) {
    const { positionals } = parse(usage, args, {}, { min: 1, max: 2 })
    const [what = '', argument] = positionals
    const found = Object.hasOwn(RUNS, what) ? RUNS[what]! : null
    if (found === null || (argument === undefined) !== (found.takes === 0)) {
      throw new OperatorError(usage, { exitCode: EXIT.usage })
    }
    process.stdout.write(await found.run(readOptions(process.env), argument ?? ''))
  },
}

async function make({ dataDir }: Options, file: string): Promise<string> {
  const bar = createBar('made')
  const options = { formulasVersion, bounds: LIMITS, nowMs: Date.now(), progress: bar.progress }
  const { seq, slot, bytes } = await writeCheckpointFile(dataDir, file, options)
  bar.done()
  return `${file}: log entry ${seq}, slot ${slot}, ${megabytes(bytes)} of state and log\n`
}

function restore({ dataDir }: Options, file: string): Promise<string> {
  return locked(dataDir, () =>
    readCheckpointFile(file, async (source) => {
      const bar = createBar('restored')
      await restoreCheckpoint(source, dataDir, { formulasVersion, bounds: LIMITS, progress: bar.progress })
      bar.done()
      return `${dataDir}: log entry ${source.header.seq}, slot ${source.header.slot}\n`
    }),
  )
}

/** Says nothing where there is nothing to do. */
async function keep(options: Options): Promise<string> {
  const { dataDir, checkpointHours } = options
  const shelf = await openShelf(options)
  try {
    const everyMs = checkpointHours * 3_600_000
    const made = await keepCheckpoint(shelf, { dataDir, formulasVersion, nowMs: Date.now(), everyMs, bounds: LIMITS })
    if (made === null) return ''
    return `${shelf.name}: log entry ${made.seq}, slot ${made.slot}, ${megabytes(made.bytes)} of state and log\n`
  } finally {
    await shelf.close()
  }
}

async function fetchNewest(options: Options): Promise<string> {
  const { dataDir } = options
  const shelf = await openShelf(options)
  const bad: string[] = []
  const onBad = (error: Error): void => void bad.push(error.message)
  const bar = createBar('fetched')
  try {
    const found = await locked(dataDir, () =>
      fetchCheckpoint(shelf, { dataDir, formulasVersion, seq: -1, bounds: LIMITS, progress: bar.progress, onBad }),
    )
    bar.done()
    if (found !== null) return `${dataDir}: log entry ${found.seq}, slot ${found.slot}\n`
    const why = bad.length === 0 ? `has no checkpoint of formulas ${formulasVersion}` : bad.join('; ')
    throw new OperatorError(`${shelf.name}: ${why}`, { exitCode: EXIT.badFile })
  } finally {
    await shelf.close()
  }
}

/** Beside a running service, which holds the lock. Says nothing where there is nothing to do. */
async function later(options: Options): Promise<string> {
  const { dataDir } = options
  const shelf = await openShelf(options)
  const bar = createProgressBar('log')
  try {
    const came = await fetchLater(shelf, {
      dataDir,
      bounds: LIMITS,
      progress: (done, of) => bar.update(done / of, `${done} of ${of} older segments fetched`),
      onBad: ({ message }) => void process.stderr.write(`${message}\n`),
    })
    bar.done()
    return came === 0 ? '' : `${dataDir}: the log is whole, ${came} older segments were fetched\n`
  } finally {
    await shelf.close()
  }
}

async function locked<T>(dataDir: string, work: () => Promise<T>): Promise<T> {
  const lock = await holdDataDir(dataDir)
  try {
    return await work()
  } finally {
    await lock.release()
  }
}

function createBar(what: string): { readonly progress: Progress; done(): void } {
  const bar = createProgressBar('checkpoint')
  return {
    progress: (done, of) => bar.update(done / of, `${done} of ${of} parts ${what}`),
    done: bar.done,
  }
}

const megabytes = (bytes: number): string => `${Math.ceil(bytes / 1e6)} MB`
