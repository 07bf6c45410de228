import { existsSync } from 'node:fs'
import { EXIT, OperatorError } from '../base/errors.ts'
import { holdDataDir } from '../base/lock.ts'
import { fetchMissingSegments } from '../checkpoints/fetch-segments.ts'
import { fetchCheckpoint, keepCheckpoint } from '../checkpoints/keep.ts'
import { environment } from '../config/environment.ts'
import { readOptions } from '../config/options.ts'
import { openCheckpointStore } from '../service/checkpoint-store.ts'
import { type Progress, restoreCheckpoint } from '../store/checkpoint.ts'
import { readCheckpointFile, writeCheckpointFile } from '../store/checkpoint-file.ts'
import { FOLD_FINGERPRINT } from '../store/fingerprint.ts'
import type { Given, Run } from './definition.ts'
import type { Io } from './io.ts'
import { refold } from './refold.ts'

export const make: Run = async (given, io) => {
  const [file = ''] = given.operands
  const bar = createBar(io, 'made')
  for (const made of [`${file}.making`, `${file}.partial`]) if (!existsSync(made)) io.leaves(made)
  const { dataDir } = readOptions(environment())
  const options = { nowMs: Date.now(), progress: bar.progress }
  const { seq, slot, bytes } = await writeCheckpointFile(dataDir, file, options)
  bar.done()
  say(given, io, { file, seq, slot, bytes }, `${file}: log entry ${seq}, slot ${slot}, ${contents(bytes)}`)
}

export const restore: Run = async (given, io) => {
  const [file = ''] = given.operands
  const { dataDir } = readOptions(environment())
  const header = await locked(dataDir, () =>
    readCheckpointFile(file, async (source) => {
      const bar = createBar(io, 'restored')
      await restoreCheckpoint(source, dataDir, { progress: bar.progress })
      bar.done()
      return source.header
    }),
  )
  sayRestored(given, io, dataDir, header)
}

/** Prints nothing if there is nothing to do. */
export const keep: Run = async (given, io) => {
  const options = readOptions(environment())
  const { dataDir, checkpointHours } = options
  const checkpointStore = await openCheckpointStore(options)
  try {
    const everyMs = checkpointHours * 3_600_000
    const made = await keepCheckpoint(checkpointStore, {
      dataDir,
      nowMs: Date.now(),
      everyMs,
    })
    if (made === null) return
    const { seq, slot, bytes } = made
    say(
      given,
      io,
      { kept: checkpointStore.name, seq, slot, bytes },
      `${checkpointStore.name}: log entry ${seq}, slot ${slot}, ${contents(bytes)}`,
    )
  } finally {
    await checkpointStore.close()
  }
}

export const fetchNewest: Run = async (given, io) => {
  const options = readOptions(environment())
  const { dataDir } = options
  const checkpointStore = await openCheckpointStore(options)
  const bad: string[] = []
  const onBad = (error: Error): void => void bad.push(error.message)
  const bar = createBar(io, 'fetched')
  try {
    const found = await locked(dataDir, () =>
      fetchCheckpoint(checkpointStore, {
        dataDir,
        seq: -1,
        progress: bar.progress,
        onBad,
      }),
    )
    bar.done()
    if (found !== null) return sayRestored(given, io, dataDir, found)
    const why =
      bad.length === 0 ? `has no checkpoint that this build folded (fingerprint ${FOLD_FINGERPRINT})` : bad.join('; ')
    throw new OperatorError(`${checkpointStore.name}: ${why}`, { exitCode: EXIT.badFile })
  } finally {
    await checkpointStore.close()
  }
}

/** Runs while the service holds the lock. Prints nothing if there is nothing to do. */
export const later: Run = async (given, io) => {
  const options = readOptions(environment())
  const { dataDir } = options
  const checkpointStore = await openCheckpointStore(options)
  const bar = io.progress('log')
  try {
    const came = await fetchMissingSegments(checkpointStore, {
      dataDir,
      progress: (done, of) => bar.update(done / of, () => `${done} of ${of} older segments fetched`),
      onBad: ({ message }) => io.note(message),
    })
    bar.done()
    if (came > 0)
      say(given, io, { segments: came }, `${dataDir}: the log is whole, ${came} older segments were fetched`)
  } finally {
    await checkpointStore.close()
  }
}

export const refoldInto: Run = async (given, io) => {
  const { dataDir } = readOptions(environment())
  const made = await refold(given.operands[0]!, dataDir, io)
  say(given, io, made, `${dataDir}: log entry ${made.seq}, slot ${made.slot}, state ${made.state_hash}`)
}

const say = (given: Given, io: Io, json: object, text: string): void =>
  io.result(`${given.has('json') ? JSON.stringify(json) : text}\n`)

const sayRestored = (given: Given, io: Io, dataDir: string, { seq, slot }: { seq: number; slot: number }): void =>
  say(given, io, { data_dir: dataDir, seq, slot }, `${dataDir}: log entry ${seq}, slot ${slot}`)

async function locked<T>(dataDir: string, work: () => Promise<T>): Promise<T> {
  const lock = await holdDataDir(dataDir)
  try {
    return await work()
  } finally {
    await lock.release()
  }
}

function createBar(io: Io, what: string): { readonly progress: Progress; done(): void } {
  const bar = io.progress('checkpoint')
  return {
    progress: (done, of) => bar.update(done / of, () => `${done} of ${of} parts ${what}`),
    done: bar.done,
  }
}

const contents = (bytes: number): string => `${Math.ceil(bytes / 1e6)} MB of state and log`
