import { program } from '../config/invocation.ts'
import type { CommandDefinition } from './definition.ts'
import { DEFINITIONS, GROUPS } from './definitions.ts'
import { usageOf } from './parse.ts'

/** Two aligned columns. */
function columns(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([left]) => left.length))
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}\n`).join('')
}

export function helpOf(command: CommandDefinition): string {
  const options = Object.entries(command.options).map(
    ([name, { takes, many, help, default: otherwise }]) =>
      [
        `--${name}${takes === undefined ? '' : ` ${takes}`}${many ? ' …' : ''}`,
        `${help}${otherwise === undefined ? '' : ` (default: ${otherwise})`}`,
      ] as const,
  )
  const notes = command.notes === undefined ? '' : `\n${command.notes}\n`
  return `${usageOf(command)}

${sentence(command.summary)}
${notes}
options:
${columns([...options, ['-h, --help', 'this text']])}
example:
  ${program()} ${command.example}
`
}

export function helpOfGroup(group: string): string {
  const members = DEFINITIONS.filter(({ name }) => name.startsWith(`${group} `))
  return `${GROUPS[group]}

commands:
${columns(members.map(({ name, usage, summary }) => [`${name} ${usage}`.trimEnd(), summary]))}
example:
  ${program()} ${members[0]!.example}

${program()} help ${members[0]!.name} says more about one of them.
`
}

export const helpOfAll = (): string => `Token Intelligence: who is behind a memecoin

usage: ${program()} COMMAND [arguments]

commands:
${columns(DEFINITIONS.map(({ name, summary }) => [name, summary]))}
options:
  -h, --help  after a command: its usage, options and an example
  --version   the version of this program

variables:
  TI_URL, TI_KEY  address and key of the running service that a command asks; by default port PORT of this machine
  NO_COLOR        prints without colours

example:
  ${program()} help capture record
`

const sentence = (text: string): string => `${text[0]!.toUpperCase()}${text.slice(1)}.`
