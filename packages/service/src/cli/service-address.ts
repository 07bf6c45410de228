import { plainLine } from '@ti/core/base/plain-text.ts'
import { ApiError, type Client, createClient } from '../../../../clients/typescript/src/index.ts'
import { OperatorError } from '../base/errors.ts'
import { environment } from '../config/environment.ts'
import { program } from '../config/invocation.ts'
import { readOtherOptions } from '../config/other-options.ts'
import type { Given } from './definition.ts'
import type { Io } from './io.ts'
import { wrongUsage } from './parse.ts'

/** The running service that a command talks to: its address, the key, and what it answers. */

/** milliseconds that an answer may take, and bytes of it or of a stream's message: a thousand watches with long filters, a token with
 * all its groups */
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
function keyOf(given: Pick<Given, 'text'>): string {
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

export interface Service {
  readonly url: string
  readonly client: Client
}

/** The service and key given. */
export function serviceOf(given: Pick<Given, 'text'>): Service {
  const url = addressOf(given)
  const client = createClient({
    baseUrl: url,
    apiKey: keyOf(given),
    timeoutMs: ANSWER_MS,
    transport: 'events',
    // the key is for this address only
    fetch: async (input, init) => bounded(await fetch(input, { ...init, redirect: 'error' })),
  })
  return { url, client }
}

/** The same response; reading it fails once an answer, or a message of an event stream, is too large. */
function bounded(response: Response): Response {
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true
  let bytes = 0
  const counted = new TransformStream<Uint8Array, Uint8Array>({
    transform(piece, controller) {
      const end = isStream ? Buffer.from(piece).lastIndexOf(MESSAGE_END) : -1
      bytes = end < 0 ? bytes + piece.length : piece.length - end
      if (bytes > ANSWER_BYTES)
        throw new OperatorError('the answer is too large: is this the address of a Token Intelligence service?')
      controller.enqueue(piece)
    },
  })
  return new Response(response.body?.pipeThrough(counted), response)
}

const MESSAGE_END = '\n\n'

type How = { readonly signal: AbortSignal }

/** The `data` that a running service answers; an OperatorError with its message if it refuses. */
export const ask = async <T>(
  given: Given,
  io: Pick<Io, 'signal'>,
  call: (client: Client, how: How) => Promise<{ readonly data: T }>,
): Promise<T> => (await askWhole(given, io, call)).data

/** The same, with all that the service answers. */
export async function askWhole<T>(
  given: Given,
  { signal }: Pick<Io, 'signal'>,
  call: (client: Client, how: How) => Promise<T>,
): Promise<T> {
  const { url, client } = serviceOf(given)
  try {
    return await call(client, { signal })
  } catch (error) {
    throw failure(error, url)
  }
}

/** An error of the client in words for the operator. */
export function failure(error: unknown, url: string): unknown {
  if (!(error instanceof ApiError)) {
    if (error instanceof SyntaxError)
      return new OperatorError(
        `${url} answered, but not with JSON: is this the address of a Token Intelligence service?`,
      )
    return error instanceof OperatorError ? error : new OperatorError(howToStart(url), { cause: error })
  }
  const { status, code, body } = error
  if (code === 'unknown') return new OperatorError(`${url} answered ${status}: is it the address of the service?`)
  const message = plainLine((body as { error: { message: string } }).error.message, MESSAGE_LENGTH)
  // the message offers payments, which no command makes
  return new OperatorError(
    status === 402 ? `${message.split('. ', 1)[0]}. ${program()} keys create makes one for TI_KEY` : message,
  )
}
