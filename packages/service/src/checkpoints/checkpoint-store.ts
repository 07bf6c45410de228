import { randomBytes } from 'node:crypto'
import type { Checkpoint, CheckpointSink, CheckpointSource } from '../store/checkpoint.ts'

/** Storage of checkpoints for future nodes: a directory or an object store. */
export interface CheckpointStore {
  /** The name in messages. */
  readonly name: string
  /** Newest first; incomplete ones are not listed. */
  list(): Promise<readonly Kept[]>
  add(header: Checkpoint): Promise<CheckpointSink>
  /** Parts can be read until `read` resolves. */
  read<T>(id: string, read: (source: CheckpointSource) => Promise<T>): Promise<T>
  remove(id: string): Promise<void>
  /** Removes incomplete uploads that have not grown since `beforeMs` (Unix milliseconds). */
  sweep(beforeMs: number): Promise<void>
  close(): Promise<void>
}

export interface Kept {
  readonly id: string
  readonly header: Checkpoint
}

export const newestFirst = (kept: readonly Kept[]): readonly Kept[] =>
  [...kept].sort((a, b) => b.header.seq - a.header.seq || b.header.madeMs - a.header.madeMs)

/** A unique name, even among checkpoints of the same log entry. */
export const idOf = ({ seq }: Checkpoint): string => `${Math.max(0, seq)}-${randomBytes(4).toString('hex')}`
