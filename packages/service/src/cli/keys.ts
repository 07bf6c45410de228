import { KEY_DAYS } from '@ti/core/contract/account.ts'
import type { KeyInfo } from '../access/accounts/key-info.ts'
import { keyPrefix } from '../access/key-prefix.ts'
import { OperatorError } from '../base/errors.ts'
import { environment } from '../config/environment.ts'
import { readOptions } from '../config/options.ts'
import { type AdminCommand, administer } from '../service/admin.ts'
import type { Run } from './definition.ts'
import { wrongUsage } from './parse.ts'
import { refuseWithoutStore } from './running-services.ts'

export const createKey: Run = async (given, io) => {
  const days = given.whole('expires-in-days') ?? null
  if (days !== null && (days < 1 || days > KEY_DAYS)) {
    throw wrongUsage(`--expires-in-days takes 1 to ${KEY_DAYS}`)
  }
  const name = given.text('name') ?? 'command line'
  const { key, keys } = await carryOut({ command: 'create', name, days, beside: given.text('beside') })
  io.note(`key ${keys[0]!.id}${until(keys[0]!.expiresAt)}; it is shown only now:`)
  io.result(`${key}\n`)
}

export const listKeys: Run = async (given, io) => {
  const { keys } = await carryOut({ command: 'list' })
  io.result(given.has('json') ? `${JSON.stringify(keys, null, 2)}\n` : table(keys))
}

export const revokeKey: Run = async ({ operands: [id = ''] }, io) => {
  const { keys } = await carryOut({ command: 'revoke', id })
  io.result(`${keys[0]!.id} is revoked\n`)
}

/** Only a service creates the database: a key in a database that no service opens would be useless. */
async function carryOut(command: AdminCommand) {
  const { dataDir, databaseUrl, payments } = readOptions(environment())
  if (databaseUrl === null) refuseWithoutStore(dataDir, `keys ${command.command}`)
  const answer = await administer({ dataDir, databaseUrl, prefix: keyPrefix(payments.mode) }, command)
  if (!answer.ok) throw new OperatorError(answer.message)
  return answer
}

const until = (expires: Date | null): string => (expires === null ? '' : ` until ${expires.toISOString()}`)
const day = (date: Date | null): string => (date === null ? '-' : date.toISOString().slice(0, 10))

/** Names come last, because they may contain blanks. */
function table(keys: readonly KeyInfo[]): string {
  const rows = [
    ['id', 'state', 'created', 'expires', 'name'],
    ...keys.map(({ id, state, createdAt, expiresAt, name }) => [id, state, day(createdAt), day(expiresAt), name]),
  ]
  return rows.map(([id, state, ...rest]) => `${id!.padEnd(16)}  ${state!.padEnd(7)}  ${line(rest)}\n`).join('')
}

const line = ([created, expires, name]: string[]): string => `${created!.padEnd(10)}  ${expires!.padEnd(10)}  ${name}`
