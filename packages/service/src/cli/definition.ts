import type { Io } from './io.ts'

/** An option as help shows it and the parser takes it. */
interface OptionDefinition {
  /** what its value is called; absent: a switch */
  readonly takes?: string
  /** may be given several times */
  readonly many?: true
  /** what holds without it */
  readonly default?: string
  readonly help: string
}

/** One command, known without its code being loaded: help and wrong usage load nothing else. */
export interface CommandDefinition {
  /** one word, or two: `keys`, `keys create` */
  readonly name: string
  /** one line of the list of commands */
  readonly summary: string
  /** what follows the name in the line of usage */
  readonly usage: string
  readonly operands: { readonly least: number; readonly most: number }
  readonly options: Readonly<Record<string, OptionDefinition>>
  /** more to say, as lines */
  readonly notes?: string
  /** what follows the program's name */
  readonly example: string
  /** long work: it runs in a thread, so that signals and progress never wait for it */
  readonly isLong?: true
  /**
   * What SIGINT and SIGTERM do. Without this the command ends with 130 or 143 and no result; `finishes`: they are its usual
   * end; `own`: it listens to them itself.
   */
  readonly signals?: 'finishes' | 'own'
  load(): Promise<Run>
}

/** What many commands have in common. */
export const JSON_OPTION = { json: { help: 'the result as JSON' } } as const
export const NONE = { least: 0, most: 0 } as const
export const ONE = { least: 1, most: 1 } as const

export const URL_OPTION = {
  takes: 'URL',
  default: 'http://127.0.0.1:4000',
  help: 'address of the running service',
} as const

/** What stands behind a command; `verify` says what it found by the exit code, the others fail by throwing. */
export type Run = (given: Given, io: Io) => Promise<unknown>

/** What a command was given. Asking for an option that it does not have is a programmer's error. */
export interface Given {
  readonly operands: readonly string[]
  text(option: string): string | undefined
  has(option: string): boolean
  all(option: string): readonly string[]
  /** OperatorError for an invalid value */
  whole(option: string): number | undefined
}
