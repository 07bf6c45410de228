import { program } from '../config/invocation.ts'
import type { CommandDefinition } from './definition.ts'
import { DEFINITIONS, GROUPS } from './definitions.ts'
import { helpOf, helpOfAll, helpOfGroup } from './help.ts'
import { parse, wrongUsage } from './parse.ts'

/** The parsed command line. */
type Asked =
  | { readonly kind: 'help'; readonly text: string }
  | { readonly kind: 'version' }
  | { readonly kind: 'command'; readonly command: CommandDefinition; readonly args: readonly string[] }

const HELP: ReadonlySet<string | undefined> = new Set(['--help', '-h'])
const help = (text: string): Asked => ({ kind: 'help', text })

/** Throws an OperatorError if there is no such command. */
export function readCommandLine(args: readonly string[]): Asked {
  const [first, ...rest] = args
  if (first === undefined || HELP.has(first)) return help(helpOfAll())
  if (first === '--version' || first === '-V') return { kind: 'version' }
  if (first === 'help') return help(helpFor(rest))
  const one = DEFINITIONS.find(({ name }) => name === first)
  if (one !== undefined) return commandOrHelp(one, rest)
  if (Object.hasOwn(GROUPS, first)) return findInGroup(first, rest)
  throw noCommand(first)
}

const noCommand = (name: string): Error =>
  wrongUsage(`there is no command ${JSON.stringify(name)}\n\n${program()} help lists them`)

const names = (): string[] => DEFINITIONS.map(({ name }) => name)

function helpFor(words: readonly string[]): string {
  const name = words.filter((word) => !HELP.has(word)).join(' ')
  if (name === '') return helpOfAll()
  const command = DEFINITIONS.find((one) => one.name === name)
  if (command !== undefined) return helpOf(command)
  if (Object.hasOwn(GROUPS, name)) return helpOfGroup(name)
  const [first = '', second] = name.split(' ')
  if (second !== undefined && Object.hasOwn(GROUPS, first)) throw noneIn(first, second)
  throw noCommand(name)
}

const wordsOf = (group: string): string[] =>
  names()
    .filter((name) => name.startsWith(`${group} `))
    .map((name) => name.slice(group.length + 1))

function noneIn(group: string, word: string): Error {
  const words = wordsOf(group)
  const missing = word === '' ? '' : `there is no ${group} ${word}: `
  return wrongUsage(`${missing}${group} needs one of ${words.join(', ')}\n\n${program()} help ${group} says more`)
}

/** Finds a command of two words; the second one may also follow options. */
function findInGroup(group: string, args: readonly string[]): Asked {
  const words = wordsOf(group)
  const at = args[0]?.startsWith('-') ? args.findIndex((arg) => words.includes(arg)) : 0
  const word = args[at] ?? ''
  if (words.includes(word)) {
    const command = DEFINITIONS.find(({ name }) => name === `${group} ${word}`)!
    return commandOrHelp(
      command,
      args.filter((_, i) => i !== at),
    )
  }
  if (args.some((arg) => HELP.has(arg))) return help(helpOfGroup(group))
  throw noneIn(group, word)
}

function commandOrHelp(command: CommandDefinition, args: readonly string[]): Asked {
  const end = args.indexOf('--')
  const before = end < 0 ? args : args.slice(0, end)
  if (before.some((arg) => HELP.has(arg))) return help(helpOf(command))
  // reports wrong usage before anything is loaded
  parse(command, args)
  return { kind: 'command', command, args }
}
