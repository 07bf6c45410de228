import type { Io } from './io.ts'

/** An option, for the help text and the parser. */
interface OptionDefinition {
  /** Name of its value; absent for a switch. */
  readonly takes?: string
  /** May be given several times. */
  readonly many?: true
  /** The default, as shown in the help. */
  readonly default?: string
  readonly help: string
}

/** A command's definition, available without loading its code, so that help and usage errors load nothing else. */
export interface CommandDefinition {
  /** One word, or two: `keys`, `keys create`. */
  readonly name: string
  /** One line for the list of commands. */
  readonly summary: string
  /** Arguments in the usage line. */
  readonly usage: string
  readonly operands: { readonly least: number; readonly most: number }
  readonly options: Readonly<Record<string, OptionDefinition>>
  /** Further help text, in lines. */
  readonly notes?: string
  /** Arguments of the example. */
  readonly example: string
  /** Runs in a thread, so that signals and progress never wait for it. */
  readonly isLong?: true
  /**
   * Handling of SIGINT and SIGTERM. By default the command ends with 130 or 143 and no result. `finishes`: they end it
   * normally; `own`: the command handles them itself.
   */
  readonly signals?: 'finishes' | 'own'
  load(): Promise<Run>
}

/** Definitions shared by many commands. */
export const JSON_OPTION = { json: { help: 'the result as JSON' } } as const
export const NONE = { least: 0, most: 0 } as const
export const ONE = { least: 1, most: 1 } as const

export const URL_OPTION = {
  takes: 'URL',
  default: 'TI_URL, or port PORT of this machine',
  help: 'address of the running service',
} as const

/** Options of every command that asks a running service for what needs a key. */
export const ASKING = {
  url: URL_OPTION,
  key: { takes: 'KEY', default: 'TI_KEY', help: 'a key of the service; better in TI_KEY, which no process list shows' },
} as const

/** The implementation of a command; `verify` reports its result by the exit code, the others fail by throwing. */
export type Run = (given: Given, io: Io) => Promise<unknown>

/** The parsed arguments. Reading an option that the command does not define is a programming error. */
export interface Given {
  readonly operands: readonly string[]
  text(option: string): string | undefined
  has(option: string): boolean
  all(option: string): readonly string[]
  /** Throws an OperatorError for an invalid value. */
  whole(option: string): number | undefined
}
