import { plainLine } from '@ti/core/base/plain-text.ts'
import { OperatorError } from '../base/errors.ts'
import { environment } from '../config/environment.ts'
import { readOtherOptions } from '../config/other-options.ts'
import type { Given } from './definition.ts'
import type { Io } from './io.ts'
import { DEFAULT_URL, readKey, readUrl } from './service-address.ts'

/** milliseconds an answer may take, and its bytes: a thousand watches with long filters */
const ANSWER_MS = 15_000
const ANSWER_BYTES = 4 * 1024 * 1024
/** characters of an error of the service that are shown */
const MESSAGE_LENGTH = 1_000

interface Asked {
  readonly method: string
  /** with its query */
  readonly path: string
  readonly body?: object | undefined
}

interface Answered {
  readonly data: unknown
}

/** Asks a running service, with the key and address given. Throws an OperatorError with its message if it refuses. */
export async function ask(given: Given, { signal }: Io, { method, path, body }: Asked): Promise<Answered> {
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
  return answerIn(response.status, text, url)
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

function answerIn(status: number, text: string, url: string): Answered {
  let answer: { readonly data?: unknown; readonly error?: { readonly message?: unknown } }
  try {
    answer = JSON.parse(text) ?? {}
  } catch {
    throw new OperatorError(`${url} answered ${status} with something other than JSON`)
  }
  if (status === 200 && answer.data !== undefined) return answer as Answered
  throw new OperatorError(plainLine(`${answer.error?.message ?? `${url} answered ${status}`}`, MESSAGE_LENGTH))
}
