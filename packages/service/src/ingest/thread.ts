import { setTimeout as sleep } from 'node:timers/promises'
import type { Worker } from 'node:worker_threads'
import { type Counts, createCounts } from '@ti/core/base/counts.ts'
import type { Key } from '@ti/core/base/ids.ts'
import type { UnknownKind } from '@ti/core/decode/unknown.ts'
import { OperatorError } from '../base/errors.ts'
import { startThread } from '../base/thread.ts'
import type { Funders } from '../source/followed-funders.ts'
import type { Holding } from '../source/followed-holders.ts'
import type { SourceCursor, SourceStatus } from '../source/source.ts'
import type { EncodedBatch, EntryStream } from './entries.ts'
import type { UnknownKeeper } from './unknown-file.ts'

/** batches on their way from the decoding thread: more than is decoded while a replay commits */
const BATCHES_AHEAD = 16

/** milliseconds the decoding thread has to close what it has open, which takes a few; then it is ended as it is */
const THREAD_STOP_MS = 2_000

/** What the decoding thread is given and says; bytes change hands without a copy. */
export interface ThreadData {
  readonly spec: string
  readonly dataDir: string
  readonly cursor: SourceCursor
  /** Launches before the cursor that a live source keeps following, newest last. */
  readonly followed: readonly Key[]
  /** The slot up to which unknown payloads were counted before; null to ignore them. */
  readonly unknownAfter: number | null
}

export type FromThread =
  | {
      readonly kind: 'batch'
      readonly bytes: Uint8Array
      readonly lengths: Uint32Array
      readonly counts: Counts
      /** Since the previous batch. */
      readonly unknown: readonly UnknownKind[]
    }
  | { readonly kind: 'status'; readonly status: SourceStatus }
  | FromThreadLast

/** The thread's last message, after it has closed everything. */
export type FromThreadLast =
  | { readonly kind: 'end'; readonly counts: Counts; readonly unknown: readonly UnknownKind[] }
  | { readonly kind: 'refused'; readonly message: string; readonly exitCode: number }

/** message to the thread: send one more batch */
export const MORE = 'more'
/** message to the thread: close everything, confirm, and send nothing more */
export const STOP = 'stop'
/** or a list of holders or funders to follow */
export type ToThread =
  | typeof MORE
  | typeof STOP
  | { readonly kind: 'holders'; readonly holdings: readonly Holding[] }
  | { readonly kind: 'funders'; readonly funders: Funders }

/**
 * The source `spec`, read and decoded in a thread of its own, so that decoding and folding use two cores and serving
 * never waits for decoding. At most BATCHES_AHEAD batches are in flight. `followed`: see ThreadData. `unknown`
 * receives unknown payloads.
 */
export function createThreadedEntryStream(
  spec: string,
  dataDir: string,
  followed: () => readonly Key[] = () => [],
  unknown: Pick<UnknownKeeper, 'after' | 'take'> | null = null,
): EntryStream {
  const counts = createCounts()
  let status: SourceStatus | null = null
  const onStatus = (said: SourceStatus): void => {
    status = said
  }
  let worker: Worker | null = null
  const onStart = (started: Worker): void => {
    worker = started
  }
  return {
    counts,
    status: () => status,
    followHolders: (holdings) => tell(worker, { kind: 'holders', holdings }),
    followFunders: (funders) => tell(worker, { kind: 'funders', funders }),
    batches(cursor, signal) {
      // an empty store may begin with other, lower slots
      const unknownAfter = unknown === null || cursor.slot < 0 ? -1 : unknown.after
      const data = { spec, dataDir, cursor, followed: followed(), unknownAfter: unknown === null ? null : unknownAfter }
      return batchesOf(data, { counts, onStart, onStatus, take: (kinds) => unknown?.take(kinds) }, signal)
    },
  }
}

/** MB of the thread's young generation: decoded objects die at once, and V8 would use 48 */
const YOUNG_MB = 12

const tell = (worker: Worker | null, message: ToThread): void => worker?.postMessage(message)

/** Receivers of everything except batches. */
interface Beside {
  readonly counts: Counts
  onStart(worker: Worker): void
  onStatus(status: SourceStatus): void
  take(unknown: readonly UnknownKind[]): void
}

async function* batchesOf(
  data: ThreadData,
  { counts, onStart, onStatus, take }: Beside,
  signal: AbortSignal,
): AsyncIterable<EncodedBatch> {
  const worker = startThread('ingest/decode-thread', {
    workerData: data,
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
  })
  const inbox = createInbox(worker, onStatus, signal)
  onStart(worker)
  try {
    for (let i = 0; i < BATCHES_AHEAD; i++) tell(worker, MORE)
    for (let message = await inbox.next(); message !== null; message = await inbox.next()) {
      if (message.kind === 'refused') throw new OperatorError(message.message, { exitCode: message.exitCode })
      for (const [name, count] of message.counts) counts.set(name, count)
      take(message.unknown)
      if (message.kind === 'end') return
      yield split(message.bytes, message.lengths)
      tell(worker, MORE)
    }
  } finally {
    inbox.close()
    await end(worker, inbox.over)
  }
}

/**
 * Asks the thread to close before terminating it, because terminating it while its database closes crashes the process.
 * A thread blocked in its source does not answer, but has no database call under way.
 */
async function end(worker: Worker, over: Promise<void>): Promise<void> {
  tell(worker, STOP)
  await Promise.race([over, sleep(THREAD_STOP_MS, undefined, { ref: false })])
  await worker.terminate()
}

function split(bytes: Uint8Array, lengths: Uint32Array): Buffer[] {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let at = 0
  return Array.from(lengths, (length) => {
    at += length
    return all.subarray(at - length, at)
  })
}

/** A worker's messages in order, bounded by the credit given to it. */
function createInbox(worker: Worker, onStatus: (status: SourceStatus) => void, signal: AbortSignal) {
  const messages: Exclude<FromThread, { kind: 'status' }>[] = []
  let failure: Error | null = null
  let wake = (): void => {}
  let isOver = (): void => {}
  const over = new Promise<void>((resolve) => {
    isOver = resolve
  })
  const stop = (): void => wake()
  const fail = (error: Error): void => {
    failure ??= error
    wake()
  }
  worker.on('message', (message: FromThread) => {
    if (message.kind === 'status') return onStatus(message.status)
    if (message.kind !== 'batch') isOver()
    messages.push(message)
    wake()
  })
  worker.on('error', fail)
  worker.on('exit', (code) => {
    isOver()
    fail(new Error(`the decoding thread ended with ${code}`))
  })
  signal.addEventListener('abort', stop, { once: true })
  return {
    /** Null once `signal` has aborted; rejects if the thread failed. */
    async next(): Promise<Exclude<FromThread, { kind: 'status' }> | null> {
      while (!signal.aborted) {
        const message = messages.shift()
        if (message !== undefined) return message
        if (failure !== null) throw failure
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
      return null
    },
    /** Resolves once the thread has sent its last message or exited. */
    over,
    close: (): void => signal.removeEventListener('abort', stop),
  }
}
