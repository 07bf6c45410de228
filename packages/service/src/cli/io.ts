/** What a command may say: results on stdout, everything else on stderr. */
export interface Io {
  /** a result; nothing else reaches stdout */
  result(text: string): void
  /** a line about what is being done */
  note(line: string): void
  progress(label: string): ProgressBar
  /** aborts when the command is asked to end: it then puts away what it made, and its results are not written any more */
  readonly signal: AbortSignal
  /**
   * `path` is there until the returned function is called. An interruption that cannot wait for the command removes it, or says
   * that it stays and what to do with it.
   */
  leaves(path: string, stays?: string): () => void
}

export interface ProgressBar {
  /** `share`: 0 to 1, of the whole command; `text` is asked for when it is shown */
  update(share: number, text: () => string): void
  done(): void
}

/** For those who call a command's work as a function. */
export const SILENT: Io = {
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

/** After work that the signal may have cut short. */
export function throwIfInterrupted({ signal }: Pick<Io, 'signal'>): void {
  if (signal.aborted) throw new Interrupted('interrupted')
}
