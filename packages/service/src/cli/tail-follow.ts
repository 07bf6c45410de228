import { clock, duration } from '@ti/core/base/format.ts'
import { type AnyTopic, eventOf, OWN_TOPIC } from '@ti/core/contract/streams.ts'
import { type Channel, Socket } from 'phoenix'
import type { WebSocket } from 'ws'
import { OperatorError } from '../base/errors.ts'
import { howToStart } from './service-address.ts'
import { createTransport, decodeFrame, type Refused } from './tail-transport.ts'
import { clean } from './terminal-text.ts'

/** milliseconds for the goodbye at the end */
const LEAVE_MS = 1_000

/** milliseconds a service that is full or stopping can make it wait before it tries again */
const PAUSE_MS = 60_000

export interface FollowOptions {
  /** URL of the service, `http://127.0.0.1:4000`, without a trailing slash. */
  readonly url: string
  readonly key: string
  readonly topic: AnyTopic
  /** Sequence number to start after; null to start with new messages. */
  readonly afterSeq: number | null
  /** Only messages that match; null: all. */
  readonly filter: string | null
  /** The sequence number of a message; null for an unknown format, which is counted and skipped. */
  readonly seqOf: (payload: object) => number | null
  /** Called for each valid message, once and in order. */
  readonly onMessage: (payload: object) => void
  /** Called for each event of a token, on the same connection; left out or null: not wanted. */
  readonly onToken?: ((payload: object) => void) | null
  /** Reports one line about the connection. */
  readonly onStatus: (line: string) => void
}

/** Follows one topic across restarts of the service and lost connections. */
interface Follower {
  /** Never resolves; rejects with an OperatorError once retrying is pointless. */
  readonly failed: Promise<never>
  /** Leaves properly, within LEAVE_MS. */
  leave(): Promise<void>
  /** Closes the connection until `goOn` resumes it: backpressure while the output is not read. */
  hold(): void
  goOn(): void
  /** Sequence number of the last message received, or of the start; null if unknown. */
  lastSeq(): number | null
}

/** milliseconds before each reconnect, like the client's own, up to one in 5 s */
const STEPS_MS = [10, 50, 100, 150, 200, 250, 500, 1000, 2000]
const LAST_STEP_MS = 5_000

export function createFollower(options: FollowOptions): Follower {
  const { url, topic, onStatus } = options
  const place = createPlace(options)
  let fail: (error: OperatorError) => void = () => {}
  const failed = new Promise<never>((_resolve, reject) => {
    fail = reject
  })
  failed.catch(() => {})
  let state: 'running' | 'held' | 'ended' = 'running'
  let webSocket: WebSocket | null = null
  /** held since the last join, without another status line */
  let wasHeld = false
  const is = { open: false, refused: false, reached: false }
  let retryAfterMs = 0
  let lastNote = ''

  function end(message: string): void {
    if (state === 'ended') return
    state = 'ended'
    fail(new OperatorError(message))
    void leaveAll()
  }

  /** reports each cause once, not each attempt */
  function note(line: string): void {
    if (state !== 'running' || line === lastNote) return
    lastNote = line
    wasHeld = false
    onStatus(line)
  }

  function onRefused(refused: Refused): void {
    const passes = refused.status >= 502 && refused.status <= 504
    is.refused = true
    is.reached = true
    if (!passes) return end(refusalInWords(url, refused))
    retryAfterMs = Math.min((refused.retryAfterS ?? 0) * 1_000, PAUSE_MS)
    note(`the service answers ${refused.status}; waiting for it`)
  }

  const socket = new Socket(`${url.replace(/^http/, 'ws')}/socket`, {
    // in a header, because proxies and servers log URLs
    authToken: options.key,
    transport: createTransport((opening) => {
      webSocket = opening
      is.refused = false
    }, onRefused),
    decode(raw, callback) {
      const frame = decodeFrame(raw)
      if (frame === null) place.skip()
      else callback(frame)
    },
    reconnectAfterMs: (tries) => Math.max(STEPS_MS[tries - 1] ?? LAST_STEP_MS, retryAfterMs),
  })
  socket.onOpen(() => {
    is.open = true
    is.reached = true
    retryAfterMs = 0
    // repeated holds are reported once
    if (!wasHeld) lastNote = ''
  })
  socket.onError((error) => {
    if (is.open || is.refused) return
    if (is.reached) note(`cannot reach ${url}: ${causeOf(error)}; trying again`)
    else end(codeOf(error) === 'ECONNREFUSED' ? howToStart(url) : `cannot connect to ${url}: ${causeOf(error)}`)
  })
  socket.onClose(({ code }) => {
    if (is.open) note(`connection lost (${code}); trying again`)
    is.open = false
  })

  const channel = socket.channel(topic, place.joinParams)
  channel.on(eventOf(topic), (payload: object) => {
    if (state === 'running') place.receive(payload)
  })
  channel.onClose(() => end(`the service ended ${topic}`))
  channel.onError((reason: { source?: unknown } | undefined) => {
    if (reason?.source !== 'transport') note(`${topic} failed in the service; joining again`)
  })
  channel
    .join()
    .receive('ok', (response: unknown) => {
      place.joined(response, wasHeld)
      wasHeld = false
    })
    .receive('error', (response: unknown) => end(`the service refused ${topic}: ${reasonOf(response)}`))
    .receive('timeout', () => note(`no answer from ${topic}; joining again`))
  const tokens = options.onToken && socket.channel('tokens:live', {})
  tokens?.on(eventOf('tokens:live'), options.onToken!)
  tokens?.join()
  const leaveAll = async (): Promise<void> => {
    tokens?.leave()
    await goodbye(socket, channel)
    webSocket?.terminate()
  }
  socket.connect()

  return {
    failed,
    lastSeq: place.lastSeq,
    async leave() {
      if (state === 'ended') return
      state = 'ended'
      await leaveAll()
    },
    hold() {
      if (state !== 'running') return
      note('the output is read too slowly: the connection is closed while too much waits, and resumed later')
      state = 'held'
      wasHeld = true
      socket.disconnect()
    },
    goOn() {
      if (state !== 'held') return
      state = 'running'
      socket.connect()
    },
  }
}

/** Leaves the channel, then disconnects; does not wait for a service that does not answer. */
async function goodbye(socket: Socket, channel: Channel): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const deadline = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, LEAVE_MS)
  })
  // needed even without a connection, to stop the channel's timers
  const left = new Promise<void>((resolve) => {
    channel.leave().receive('ok', () => resolve())
  })
  const gone = left.then(() => new Promise<void>((resolve) => socket.disconnect(resolve, 1000)))
  await Promise.race([gone, deadline])
  clearTimeout(timer)
}

/** The position in the topic: what was received, what a join requests, and the gap in between. */
function createPlace({ afterSeq, filter, url, topic, seqOf, onMessage, onStatus }: FollowOptions) {
  // the numbers of alerts, and those that pass a filter, have gaps
  const isDense = topic !== OWN_TOPIC && filter === null
  let last = afterSeq
  let hasJoined = false
  let malformed = 0

  /** `quietly`: a successful resume is not reported */
  function joined(response: unknown, quietly: boolean): void {
    const { seq, oldest_seq: oldest, resumed } = Object(response) as Record<string, unknown>
    if (!isSeq(seq) || !isSeq(oldest))
      return onStatus(`${topic} is joined, but its answer does not say where it begins`)
    const again = hasJoined
    hasJoined = true
    if (last === null) {
      last = seq
      return onStatus(`connected: ${topic} at ${url}, after seq ${seq}`)
    }
    if (resumed === true && quietly) return
    if (resumed === true)
      return onStatus(`${again ? 'resumed' : 'connected'}: ${Math.max(0, seq - last)} messages since seq ${last}`)
    onStatus(
      seq < last
        ? `not resumed: the service does not know seq ${last}, its newest is ${seq}; continuing from there`
        : `not resumed: seqs ${last + 1} to ${seq} are missing, the oldest still held is ${oldest}`,
    )
    last = seq
  }

  function receive(payload: object): void {
    const seq = seqOf(payload)
    if (seq === null) return skip()
    if (last !== null && seq <= last) return
    if (last !== null && seq > last + 1 && isDense) onStatus(`seqs ${last + 1} to ${seq - 1} are missing`)
    last = seq
    onMessage(payload)
  }

  function skip(): void {
    malformed++
    if (malformed === 1) onStatus('a malformed message was skipped; more are skipped without a word')
  }

  return {
    joinParams: () => ({ ...(last !== null && { after_seq: last }), ...(filter !== null && { filter }) }),
    joined,
    receive,
    skip,
    lastSeq: () => last,
  }
}

const isSeq = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0

function refusalInWords(url: string, { status, retryAfterS }: Refused): string {
  switch (status) {
    case 403:
      return (
        `${url} refused the connection (403). Either the key is wrong, revoked or expired: make another with ` +
        '`keys create`, or under /account. Or the service does not speak version 2.0.0 of the protocol, which this program does.'
      )
    case 429:
      return (
        `${url} refused the connection (429). On a free key the trial is used up; on any key there may be ` +
        `too many open connections. ${comeBack(retryAfterS)}`
      )
    default:
      return `${url} answered ${status} where the streams should be: is it the address of the service?`
  }
}

function comeBack(seconds: number | null): string {
  if (seconds === null) return 'Come back later.'
  return `Come back in ${duration(seconds)}, at ${clock(Date.now() / 1_000 + seconds)} UTC.`
}

const reasonOf = (response: unknown): string => clean(String((Object(response) as { reason?: unknown }).reason), 200)

interface ConnectionError {
  readonly error?: { readonly code?: unknown }
  readonly message?: unknown
}

const codeOf = (error: unknown): unknown => (Object(error) as ConnectionError).error?.code

/** The cause of a connection error, in the system's words. */
const causeOf = (error: unknown): string =>
  clean(String((Object(error) as ConnectionError).message ?? codeOf(error) ?? error), 200)
