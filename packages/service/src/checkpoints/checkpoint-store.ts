import { randomBytes } from 'node:crypto'
import type { Checkpoint, CheckpointSink, CheckpointSource } from '../store/checkpoint.ts'

/** Where checkpoints are kept for nodes to come: a directory, or an object store. */
export interface CheckpointStore {
  /** how it is called in messages */
  readonly name: string
  /** newest first; what is only half there is not on it */
  list(): Promise<readonly Kept[]>
  add(header: Checkpoint): Promise<CheckpointSink>
  /** its parts can be asked for until `read` is done */
  read<T>(id: string, read: (source: CheckpointSource) => Promise<T>): Promise<T>
  remove(id: string): Promise<void>
  /** incomplete uploads that have not grown since `beforeMs` (Unix milliseconds) */
  sweep(beforeMs: number): Promise<void>
  close(): Promise<void>
}

export interface Kept {
  readonly id: string
  readonly header: Checkpoint
}

export const newestFirst = (kept: readonly Kept[]): readonly Kept[] =>
  [...kept].sort((a, b) => b.header.seq - a.header.seq || b.header.madeMs - a.header.madeMs)

/** A name that no other checkpoint has, also of the same log entry. */
export const idOf = ({ seq }: Checkpoint): string => `${Math.max(0, seq)}-${randomBytes(4).toString('hex')}`
