import { plainLine } from '@ti/core/base/plain-text.ts'
import { OperatorError } from '../base/errors.ts'
import { environment } from '../config/environment.ts'
import { program } from '../config/invocation.ts'
import { readOtherOptions } from '../config/other-options.ts'
import type { Given } from './definition.ts'
import type { Io } from './io.ts'
import { wrongUsage } from './parse.ts'

/** The running service that a command talks to: its address, the key, and what it answers. */

/** milliseconds that an answer may take, and its bytes: a thousand watches with long filters, a token with all its groups */
const ANSWER_MS = 15_000
const ANSWER_BYTES = 4 * 1024 * 1024
/** characters of a refusal, which may repeat a filter */
const MESSAGE_LENGTH = 1_000

export function addressOf(given: Pick<Given, 'text'>): string {
  const text = given.text('url') ?? readOtherOptions(environment()).serviceUrl
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.search !== '' || url.hash !== '') {
    throw wrongUsage(
      '--url or TI_URL takes the http or https address of a service, without a user name, a query or a fragment',
    )
  }
  return url.href.replace(/\/+$/, '')
}

/** Messages never repeat the key, because a malformed key may still be mostly right. */
export function keyOf(given: Pick<Given, 'text'>): string {
  const key = given.text('key') ?? readOtherOptions(environment()).key
  if (key === undefined || key === '') {
    throw wrongUsage(
      'a key is needed, in TI_KEY or --key. The first start of a service prints one; this makes another:\n' +
        `  ${program()} keys create`,
    )
  }
  if (!/^sk_(live|test)_[\w-]{43}$/.test(key)) {
    throw wrongUsage('that is no key: a key is sk_live_, or sk_test_ for play money, and 43 characters')
  }
  return key
}

export const howToStart = (url: string): string =>
  `no service answers at ${url}. Start one with \`npm start\` or \`${program()} serve\`, or name the address of another in TI_URL`

interface Request {
  readonly method?: string
  readonly body?: object | undefined
}

interface Answered {
  readonly data: unknown
}

/** Returns the `data` of `answerOf`. */
export const ask = async (given: Given, io: Pick<Io, 'signal'>, path: string, request?: Request): Promise<unknown> =>
  (await answerOf(given, io, path, request)).data

/** Asks a running service, with the key and address given; throws an OperatorError with its message if it refuses. */
export async function answerOf(
  given: Given,
  { signal }: Pick<Io, 'signal'>,
  path: string,
  { method = 'GET', body }: Request = {},
): Promise<Answered> {
  const url = addressOf(given)
  const key = keyOf(given)
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
    throw new OperatorError(howToStart(url), { cause: error })
  }
  return answerIn(response.status, text, url)
}

async function boundedText(response: Response): Promise<string> {
  const pieces: Uint8Array[] = []
  let bytes = 0
  for await (const piece of response.body ?? []) {
    bytes += piece.length
    if (bytes > ANSWER_BYTES)
      throw new OperatorError('the answer is too large: is this the address of a Token Intelligence service?')
    pieces.push(piece)
  }
  return Buffer.concat(pieces).toString()
}

function answerIn(status: number, text: string, url: string): Answered {
  let answer: { readonly data?: unknown; readonly error?: { readonly message?: unknown } }
  try {
    answer = JSON.parse(text) ?? {}
  } catch {
    throw new OperatorError(
      `${url} answered ${status}, but not with JSON: is this the address of a Token Intelligence service?`,
    )
  }
  if (status === 200 && answer.data !== undefined) return answer as Answered
  const message = plainLine(`${answer.error?.message ?? `${url} answered ${status}`}`, MESSAGE_LENGTH)
  // the message offers payments, which no command makes
  const isKey = status === 402
  throw new OperatorError(
    isKey ? `${message.split('. ', 1)[0]}. ${program()} keys create makes one for TI_KEY` : message,
  )
}
