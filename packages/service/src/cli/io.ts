/** A command's output: results on stdout, everything else on stderr. */
export interface Io {
  /** True if results may have colours: stdout is a terminal, and NO_COLOR is not set. */
  readonly colours: boolean
  /** A result; nothing else is written to stdout. */
  result(text: string): void
  /** A line about the work in progress. */
  note(line: string): void
  progress(label: string): ProgressBar
  /** Aborts when the command should end. It then cleans up, and its results are no longer written. */
  readonly signal: AbortSignal
  /**
   * Registers `path` as present until the returned function is called. If the command must end at once, it is removed,
   * or reported with `stays`, which says how to use it.
   */
  leaves(path: string, stays?: string): () => void
}

export interface ProgressBar {
  /** `share`: 0 to 1, of the whole command; `text` is evaluated when shown. */
  update(share: number, text: () => string): void
  done(): void
}

/** For callers that use a command's work as a function. */
export const SILENT: Io = {
  colours: false,
  result() {},
  note() {},
  progress: () => ({ update() {}, done() {} }),
  signal: new AbortController().signal,
  leaves: () => () => {},
}

/** Thrown by work that `io.signal` ended. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted'
}

/** Called after work that the signal may have interrupted. */
export function throwIfInterrupted({ signal }: Pick<Io, 'signal'>): void {
  if (signal.aborted) throw new Interrupted('interrupted')
}
