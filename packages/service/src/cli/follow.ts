import { clock, duration } from '@ti/core/base/format.ts'
import { ApiError, type Client, type FollowOptions } from '../../../../clients/typescript/src/index.ts'
import { OperatorError } from '../base/errors.ts'
import type { Given } from './definition.ts'
import type { Io } from './io.ts'
import { failure, serviceOf } from './service-address.ts'
import { clean } from './terminal-text.ts'

/** The topic in words, and where to begin and what to leave out. */
interface Asked extends Pick<FollowOptions, 'afterSeq' | 'filter'> {
  readonly topic: string
}

/**
 * Follows a topic across restarts of the service and lost connections, and notes what happens to the connection. Throws an
 * OperatorError once retrying is pointless. A slow reader slows the connection down.
 */
export async function* followed<T>(
  given: Given,
  io: Io,
  { topic, ...asked }: Asked,
  stream: (client: Client, how: FollowOptions) => AsyncGenerator<T, void, void>,
): AsyncGenerator<T, void, void> {
  const { url, client } = serviceOf(given)
  let isReached = false
  let lastNote = ''
  /** Reports each cause once, not each attempt. */
  function note(line: string): void {
    if (line !== lastNote && !io.signal.aborted) io.note(line)
    lastNote = line
  }
  const how: FollowOptions = {
    ...asked,
    signal: io.signal,
    onConnect(seq, after) {
      if (after === null) note(`connected: ${topic} at ${url}, after seq ${seq}`)
      else note(`${isReached ? 'resumed' : 'connected'}: ${Math.max(0, seq - after)} messages since seq ${after}`)
      isReached = true
    },
    onGap({ after, seq, oldestSeq }) {
      isReached = true
      note(
        seq < after
          ? `not resumed: the service does not know seq ${after}, its newest is ${seq}; continuing from there`
          : `not resumed: seqs ${after + 1} to ${seq} are missing, the oldest still held is ${oldestSeq}`,
      )
    },
    onReconnect(reason) {
      if (reason instanceof OperatorError) throw reason
      if (reason instanceof ApiError && reason.status === 429) throw new OperatorError(comeBack(reason))
      if (reason instanceof ApiError) return note(`the service answers ${reason.status}; waiting for it`)
      if (!isReached) throw failure(reason, url)
      note(reason === null ? 'connection lost; trying again' : `cannot reach ${url}: ${causeOf(reason)}; trying again`)
    },
  }
  try {
    yield* stream(client, how)
  } catch (error) {
    throw failure(error, url)
  }
}

function comeBack({ message, retryAfter }: ApiError): string {
  const when =
    retryAfter === null ? 'later' : `in ${duration(retryAfter)}, at ${clock(Date.now() / 1_000 + retryAfter)} UTC`
  return `${clean(message, 200)}. Come back ${when}.`
}

const causeOf = (reason: unknown): string => {
  const { message, cause } = reason as Error
  return clean((cause as Error | undefined)?.message || message, 200)
}
