/** What PGlite asks of the program once it runs, again and again until its input is used up. */
export interface Loop {
  _PostgresMainLoopOnce(): void
  _PostgresMainLongJmp(): void
  _PostgresSendReadyForQueryIfNecessary(): void
  _pgl_pq_flush(): void
  _pq_buffer_remaining_data(): number
  stackRestore(at: number): void
}

/** PostgreSQL has ended within this process; the cause says with what. */
class Ended extends Error {
  override readonly name = 'Ended'
}

export interface GuardedLoop {
  /** with what it ended; null while it runs */
  ended(): unknown
  /** it is not asked again */
  end(): void
}

/** how PostgreSQL leaves a statement that failed: the one exit that does not end the program */
const LONG_JUMP = 100

/**
 * PGlite takes any exception of its program for the end of one statement and calls it again until the input is used up. A
 * program that has ended (a PANIC, when the disk is full) never uses any input, and the process would loop forever. Here
 * the first end is final: nothing enters the program any more, and every caller gets an error.
 */
export function guardLoop(module: Loop): GuardedLoop {
  let end: { readonly cause: unknown } | null = null
  const refuse = (): void => {
    if (end !== null) throw new Ended('PostgreSQL has ended', end)
  }

  for (const name of ['_PostgresMainLoopOnce', '_PostgresMainLongJmp', '_pq_buffer_remaining_data'] as const) {
    const run = module[name]
    module[name] = (): never => {
      refuse()
      try {
        return run() as never
      } catch (error) {
        if ((error as { status?: unknown }).status !== LONG_JUMP) end = { cause: error }
        throw error
      }
    }
  }
  const { stackRestore } = module
  // what PGlite does first with every exception: the way out of its circle
  module.stackRestore = (at) => {
    refuse()
    stackRestore(at)
  }
  for (const name of ['_PostgresSendReadyForQueryIfNecessary', '_pgl_pq_flush'] as const) {
    const run = module[name]
    module[name] = () => {
      if (end === null) run()
    }
  }
  return {
    ended: () => end?.cause ?? null,
    end() {
      end ??= { cause: new Error('it was given up') }
    },
  }
}
