import { parseArgs } from 'node:util'
import { EXIT, OperatorError } from '../base/errors.ts'
import { program } from '../config/invocation.ts'
import type { CommandDefinition, Given } from './definition.ts'

export const usageOf = ({ name, usage }: CommandDefinition): string => `usage: ${program()} ${name} ${usage}`.trimEnd()

export const wrongUsage = (why: string): OperatorError => new OperatorError(why, { exitCode: EXIT.usage })

/** Parses the arguments of a command. Throws an OperatorError with the usage if they do not fit. */
export function parse(command: CommandDefinition, args: readonly string[]): Given {
  const { options, operands } = command
  const wrong = (why: string): OperatorError =>
    wrongUsage(`${why}\n\n${usageOf(command)}\n       ${program()} help ${command.name} says more`)
  const { tokens } = parseArgs({
    args: [...args],
    options: Object.fromEntries(
      Object.entries(options).map(([name, { takes }]) => [name, { type: takes === undefined ? 'boolean' : 'string' }]),
    ),
    allowPositionals: true,
    strict: false,
    tokens: true,
  })
  const found: string[] = []
  const values = new Map<string, string[]>()
  for (const token of tokens) {
    if (token.kind === 'positional') found.push(token.value)
    if (token.kind !== 'option') continue
    const { name, rawName, value, inlineValue } = token
    const option = Object.hasOwn(options, name) && rawName.startsWith('--') ? options[name] : undefined
    if (option === undefined) {
      throw wrong(`there is no option ${rawName}`)
    }
    if (option.takes === undefined) {
      if (value !== undefined) throw wrong(`--${name} takes no value`)
    } else if (value === undefined) throw wrong(`--${name} takes ${option.takes}: it is missing`)
    else if (!inlineValue && value.length > 1 && value.startsWith('-')) {
      throw wrong(
        `--${name} takes ${option.takes}; the argument is ambiguous: a value that begins with - is written --${name}=${value}`,
      )
    }
    values.set(name, [...(values.get(name) ?? []), value ?? ''])
  }
  if (found.length < operands.least) throw wrong('an argument is missing')
  if (found.length > operands.most) throw wrong(`too many arguments: ${found.slice(operands.most).join(' ')}`)
  return createGiven(command, found, values)
}

function createGiven(
  { name: command, options }: CommandDefinition,
  operands: readonly string[],
  values: ReadonlyMap<string, readonly string[]>,
): Given {
  const all = (option: string): readonly string[] => {
    if (!Object.hasOwn(options, option)) throw new Error(`${command} has no option ${option}`)
    return values.get(option) ?? []
  }
  const text = (option: string): string | undefined => all(option).at(-1)
  return {
    operands,
    all,
    text,
    has: (option) => all(option).length > 0,
    whole(option) {
      const value = text(option)
      if (value === undefined) return undefined
      if (!/^\d{1,15}$/.test(value)) {
        throw wrongUsage(`--${option} takes a whole number, not ${JSON.stringify(value)}`)
      }
      return Number(value)
    },
  }
}
