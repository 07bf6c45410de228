import { type ParseArgsConfig, parseArgs } from 'node:util'
import { EXIT, OperatorError } from '../base/errors.ts'

/** One word after the program's name. */
export interface Command {
  /** lines of help: arguments, then what it does */
  readonly usage: string
  run(args: readonly string[]): Promise<void>
}

/** Options and positional arguments; an OperatorError with the usage when they do not fit. */
export function parse<T extends NonNullable<ParseArgsConfig['options']>>(
  usage: string,
  args: readonly string[],
  options: T,
  positionals: { readonly min: number; readonly max: number },
) {
  const wrong = (why: string): OperatorError => new OperatorError(`${why}\n\n${usage}`, { exitCode: EXIT.usage })
  try {
    const parsed = parseArgs({ args: [...args], options, allowPositionals: true, strict: true })
    const count = parsed.positionals.length
    if (count < positionals.min) throw wrong('something is missing')
    if (count > positionals.max)
      throw wrong(`too many arguments: ${parsed.positionals.slice(positionals.max).join(' ')}`)
    return parsed
  } catch (error) {
    throw error instanceof OperatorError ? error : wrong((error as Error).message)
  }
}

/** A whole number option; the message names it. */
export function wholeNumber(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (!/^\d{1,15}$/.test(text)) {
    throw new OperatorError(`--${name} takes a whole number, not ${JSON.stringify(text)}`, { exitCode: EXIT.usage })
  }
  return Number(text)
}
