import type { KeyInfo } from '../access/accounts/key-info.ts'
import { EXIT, OperatorError } from '../base/errors.ts'
import { LIMITS } from '../config/limits.ts'
import { readOptions } from '../config/options.ts'
import { type AdminCommand, administer } from './admin.ts'
import { type Command, parse, wholeNumber } from './command.ts'

const usage = `keys create [--name NAME] [--expires-in-days N]
  makes a Pro key of the operator's and prints it once
keys list
  the operator's keys
keys revoke ID
  ends a key, anybody's, at once in the running service
  All work while the service runs. They use DATA_DIR, or the database at DATABASE_URL.`

export const keys: Command = {
  usage,
  async run(args) {
    const options = { name: { type: 'string' }, 'expires-in-days': { type: 'string' } } as const
    const { values, positionals } = parse(usage, args, options, { min: 1, max: 2 })
    const command = commandOf(positionals, values)
    const { dataDir, databaseUrl } = readOptions(process.env)
    const answer = await administer({ dataDir, databaseUrl }, command)
    if (!answer.ok) throw new OperatorError(answer.message)
    const [key] = answer.keys
    if (command.command === 'list') process.stdout.write(table(answer.keys))
    else if (command.command === 'revoke') process.stdout.write(`${key!.id} is revoked\n`)
    else {
      process.stderr.write(`key ${key!.id}${until(key!.expiresAt)}; it is shown only now:\n`)
      process.stdout.write(`${answer.key}\n`)
    }
  },
}

interface Values {
  readonly name?: string | undefined
  readonly 'expires-in-days'?: string | undefined
}

function commandOf([word, id]: readonly string[], values: Values): AdminCommand {
  const wrong = (why: string): OperatorError => new OperatorError(`${why}\n\n${usage}`, { exitCode: EXIT.usage })
  const days = wholeNumber('expires-in-days', values['expires-in-days']) ?? null
  if (word === 'create' && id === undefined) {
    if (days !== null && (days < 1 || days > LIMITS.keyDays)) {
      throw wrong(`--expires-in-days takes 1 to ${LIMITS.keyDays}`)
    }
    return { command: 'create', name: values.name ?? 'command line', days }
  }
  if (values.name !== undefined || days !== null) throw wrong('--name and --expires-in-days belong to keys create')
  if (word === 'list' && id === undefined) return { command: 'list' }
  if (word === 'revoke' && id !== undefined) return { command: 'revoke', id }
  throw wrong(word === 'revoke' ? 'keys revoke needs the id of a key' : `keys ${word} is not known so`)
}

const until = (expires: Date | null): string => (expires === null ? '' : ` until ${expires.toISOString()}`)
const day = (date: Date | null): string => (date === null ? '-' : date.toISOString().slice(0, 10))

/** Names are last, because they have blanks in them. */
function table(keys: readonly KeyInfo[]): string {
  const rows = [
    ['id', 'state', 'created', 'expires', 'name'],
    ...keys.map(({ id, state, createdAt, expiresAt, name }) => [id, state, day(createdAt), day(expiresAt), name]),
  ]
  return rows.map(([id, state, ...rest]) => `${id!.padEnd(16)}  ${state!.padEnd(7)}  ${line(rest)}\n`).join('')
}

const line = ([created, expires, name]: string[]): string => `${created!.padEnd(10)}  ${expires!.padEnd(10)}  ${name}`
