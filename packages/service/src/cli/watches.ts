import { plainLine } from '@ti/core/base/plain-text.ts'
import { type Alert, NAME_LENGTH, type Watch } from '@ti/core/contract/account.ts'
import { FILTER_BOUNDS } from '@ti/core/contract/filter.ts'
import type { Given, Run } from './definition.ts'
import type { Io } from './io.ts'
import { wrongUsage } from './parse.ts'
import { ask } from './service-address.ts'

/** Watches and alerts of the account that a key belongs to, at a running service. */

export const listWatches: Run = async (given, io) => {
  const watches = await ask(given, io, (client, how) => client.watches(how))
  show(given, io, watches, watches.map(watchLine))
}

export const addWatch: Run = async (given, io) => {
  const [kind = '', target = ''] = given.operands
  const least = given.text('min-sol')
  if (least !== undefined && !/^\d+(\.\d+)?$/.test(least))
    throw wrongUsage('--min-sol takes an amount of SOL, like 0.5')
  const name = given.text('name') ?? `${kind} ${target}`.slice(0, NAME_LENGTH)
  const body = { kind: kind as Watch['kind'], target, name, ...(least !== undefined && { min_sol: Number(least) }) }
  const watch = await ask(given, io, (client, how) => client.add_watch({ ...body, ...how }))
  show(given, io, watch, [watchLine(watch)])
}

export const removeWatch: Run = async (given, io) => {
  const [id = ''] = given.operands
  await ask(given, io, (client, how) => client.remove_watch(id, how))
  io.note(`watch ${id} has ended`)
}

export const showAlerts: Run = async (given, io) => {
  const after = given.whole('after-seq')
  const asked = after === undefined ? {} : { after_seq: after }
  const alerts = await ask(given, io, (client, how) => client.alerts({ ...asked, ...how }))
  show(given, io, alerts, alerts.map(alertLine))
}

function show(given: Given, io: Io, data: unknown, lines: readonly string[]): void {
  if (given.has('json')) io.result(`${JSON.stringify(data)}\n`)
  else io.result(lines.map((line) => `${line}\n`).join(''))
}

/** Names are user input, and a filter is the longest. */
const plain = (text: string): string => plainLine(text, FILTER_BOUNDS.length)
const lineOf = (...fields: readonly string[]): string => fields.map(plain).join('  ')

const watchLine = ({ id, kind, target, name, min_sol, state }: Watch): string =>
  lineOf(id, state, kind, target, min_sol > 0 ? `from ${min_sol} SOL` : 'any', name)

const alertLine = ({ seq, at, title, text }: Alert): string => lineOf(`${seq}`, new Date(at).toISOString(), title, text)
