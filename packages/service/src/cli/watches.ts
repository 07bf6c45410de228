import { plainLine } from '@ti/core/base/plain-text.ts'
import { NAME_LENGTH } from '@ti/core/contract/account.ts'
import { FILTER_BOUNDS } from '@ti/core/contract/filter.ts'
import { OperatorError } from '../base/errors.ts'
import { environment } from '../config/environment.ts'
import { readOtherOptions } from '../config/other-options.ts'
import type { Given, Run } from './definition.ts'
import type { Io } from './io.ts'
import { wrongUsage } from './parse.ts'
import { DEFAULT_URL, readKey, readUrl } from './service-address.ts'

/** milliseconds an answer about watches may take, and its bytes: a thousand watches with long filters */
const ANSWER_MS = 15_000
const ANSWER_BYTES = 4 * 1024 * 1024

/** Watches and alerts of the account that a key belongs to, at a running service. */

interface Watch {
  readonly id: string
  readonly kind: string
  readonly target: string
  readonly name: string
  readonly min_sol: number
  readonly state: string
}

interface Alert {
  readonly seq: number
  readonly title: string
  readonly text: string
  readonly at: number
}

export const listWatches: Run = async (given, io) => {
  const watches = (await ask(given, io, 'GET', '/account/watches')) as readonly Watch[]
  show(given, io, watches, watches.map(watchLine))
}

export const addWatch: Run = async (given, io) => {
  const [kind = '', target = ''] = given.operands
  const least = given.text('min-sol')
  if (least !== undefined && !/^\d+(\.\d+)?$/.test(least)) throw wrongUsage('--min-sol takes an amount of SOL')
  const name = given.text('name') ?? `${kind} ${target}`.slice(0, NAME_LENGTH)
  const body = { kind, target, name, ...(least !== undefined && { min_sol: Number(least) }) }
  const watch = (await ask(given, io, 'POST', '/account/watches', body)) as Watch
  show(given, io, watch, [watchLine(watch)])
}

export const removeWatch: Run = async (given, io) => {
  const [id = ''] = given.operands
  await ask(given, io, 'DELETE', `/account/watches/${encodeURIComponent(id)}`)
  io.note(`${id} is ended`)
}

export const showAlerts: Run = async (given, io) => {
  const after = given.whole('after-seq')
  const path = after === undefined ? '/account/alerts' : `/account/alerts?after_seq=${after}`
  const alerts = (await ask(given, io, 'GET', path)) as readonly Alert[]
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

/** Returns the answer's `data`; throws an OperatorError with the service's message if it refuses. */
async function ask(given: Given, { signal }: Io, method: string, path: string, body?: object): Promise<unknown> {
  const url = readUrl(given.text('url') ?? DEFAULT_URL)
  const key = readKey(given.text('key') ?? readOtherOptions(environment()).key)
  let response: Response
  let text: string
  try {
    response = await fetch(url + path, {
      method,
      redirect: 'error',
      headers: { authorization: `Bearer ${key}`, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]),
    })
    text = await boundedText(response)
  } catch (error) {
    if (error instanceof OperatorError) throw error
    throw new OperatorError(`${url} does not answer: is a service running there?`, { cause: error })
  }
  return dataIn(response.status, text, url)
}

async function boundedText(response: Response): Promise<string> {
  const pieces: Uint8Array[] = []
  let bytes = 0
  for await (const piece of response.body ?? []) {
    bytes += piece.length
    if (bytes > ANSWER_BYTES) throw new OperatorError('the answer is too large for one of this service')
    pieces.push(piece)
  }
  return Buffer.concat(pieces).toString()
}

function dataIn(status: number, text: string, url: string): unknown {
  let answer: { readonly data?: unknown; readonly error?: { readonly message?: unknown } }
  try {
    answer = JSON.parse(text) ?? {}
  } catch {
    throw new OperatorError(`${url} answered ${status} with something other than JSON`)
  }
  if (status === 200 && answer.data !== undefined) return answer.data
  throw new OperatorError(plain(`${answer.error?.message ?? `${url} answered ${status}`}`))
}
