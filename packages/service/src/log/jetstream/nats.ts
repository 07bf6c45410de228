import { setTimeout as sleep } from 'node:timers/promises'
import {
  DeliverPolicy,
  JetStreamApiCodes,
  JetStreamApiError,
  type JsMsg,
  jetstream,
  jetstreamManager,
  StorageType,
} from '@nats-io/jetstream'
import { headers, type MsgHdrs } from '@nats-io/transport-node'
import { isAtHand } from '../../base/arrival.ts'
import { OperatorError } from '../../base/errors.ts'
import { type Agreement, createAgreement } from './agreement.ts'
import { createAsking } from './asking.ts'
import { connectTo, copiesOn, JETSTREAM, type JetStreamBounds, PULL_MS } from './connect.ts'
import { type Delivered, HEADER, type LogMessage, SUBJECT } from './message.ts'
import { type Located, LogLost, type LogStream, messageId, Overtaken } from './stream.ts'

/** milliseconds in which a message that is sent again is known as the same: many times as long as an answer may take */
const DUPLICATE_MS = 120_000
/** bytes of a message that its headers may take */
const HEADER_BYTES = 4_096
/** messages on their way to a reading node, and milliseconds between two heartbeats of a pull: a reader notices within two
 * heartbeats that its server is gone */
const MESSAGES_AHEAD = 500
const HEARTBEAT_MS = 1_000

const STREAM = 'ti-log'

export interface NatsOptions {
  /** nats://…, one address per server. */
  readonly servers: readonly string[]
  /** JETSTREAM by default. */
  readonly bounds?: JetStreamBounds
  /** The number of messages retained; null for all. */
  readonly keep: number | null
  /** Aborts waiting for servers that do not answer. */
  readonly signal: AbortSignal
}

/**
 * The log on JetStream: one stream on disk with a replica per server (at most three). Creates the stream if missing; an
 * existing one keeps the operator's settings. Needs only features of server 2.9.
 */
export async function openNatsStream(options: NatsOptions): Promise<LogStream & Agreement> {
  const { servers, bounds = JETSTREAM, keep, signal } = options
  const connection = await connectTo(servers)
  const manager = await jetstreamManager(connection, { timeout: bounds.answerMs, checkAPI: false })
  const client = jetstream(connection, { timeout: bounds.answerMs })
  const { once, retry, isAway } = createAsking(connection, bounds)
  /** when the stream was made: another time means another stream */
  let created = ''
  /** false after servers were away, until the stream was seen to be the same: else a write could hit another one */
  let isChecked = true
  let checking: Promise<void> | null = null
  let onReconnect = (): void => {}
  void watchConnection()

  // servers that have just met have no leader yet
  await retry(make, AbortSignal.any([signal, AbortSignal.timeout(bounds.startMs)])).catch(async (error: Error) => {
    await connection.close()
    throw new OperatorError(`LOG_URL: the servers answer, but their JetStream does not: ${error.message}`)
  })

  async function make(): Promise<void> {
    const found = await manager.streams.info(STREAM).catch((error: unknown) => {
      if (isCode(error, JetStreamApiCodes.StreamNotFound)) return null
      throw error
    })
    if (found === null) {
      const made = await manager.streams.add({
        name: STREAM,
        subjects: [SUBJECT],
        storage: StorageType.File,
        num_replicas: copiesOn(servers),
        ...(keep !== null && { max_msgs: keep }),
        duplicate_window: DUPLICATE_MS * 1e6,
      })
      created = `${made.created}`
      return
    }
    if (keep !== null && found.config.max_msgs !== keep) await manager.streams.update(STREAM, { max_msgs: keep })
    created = `${found.created}`
  }

  async function state() {
    const info = await manager.streams.info(STREAM).catch((error: unknown) => {
      throw isCode(error, JetStreamApiCodes.StreamNotFound)
        ? new LogLost('LOG_URL: its servers came back empty')
        : error
    })
    // in a split cluster a server reports its own state, which may lack the end
    if (info.cluster !== undefined && !info.cluster.leader) throw new Error(`${STREAM} has no leader`)
    if (`${info.created}` !== created) throw new LogLost(`LOG_URL: ${STREAM} was made anew`)
    return info.state
  }

  async function watchConnection(): Promise<void> {
    for await (const { type } of connection.status()) {
      if (type === 'disconnect') isChecked = false
      if (type === 'reconnect') onReconnect()
    }
  }

  async function check(): Promise<void> {
    await once(state)
    isChecked = true
  }

  /** log number of the message at `sequence`, and its part number */
  async function headAt(sequence: number): Promise<Pick<LogMessage, 'seq' | 'part'>> {
    const deadline = Date.now() + bounds.startMs
    for (;;) {
      const found = await manager.streams.getMessage(STREAM, { seq: sequence })
      if (found !== null) return { seq: Number(found.header.get(HEADER.seq)), part: partOf(found.header)[0] }
      // retention may have moved on, or a new leader must catch up first
      if ((await state()).first_seq > sequence) throw new Error(`message ${sequence} is not kept any more`)
      if (Date.now() >= deadline) {
        throw new OperatorError(`LOG_URL: message ${sequence} is missing from the middle of ${STREAM}`)
      }
      await sleep(bounds.reconnectMs)
    }
  }

  async function chain(): Promise<string | null> {
    const { last_seq: last } = await state()
    if (last === 0) return null
    const found = await manager.streams.getMessage(STREAM, { seq: last })
    // retention has moved on, or a new leader must catch up first
    if (found === null) throw new Error(`message ${last} is not there`)
    return found.header.get(HEADER.chain)
  }

  async function locate(seq: number): Promise<Located> {
    const { first_seq: first, last_seq: last } = await state()
    // binary search for the first message whose number is above `seq`
    let [low, high] = [Math.max(1, first), last + 1]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((await headAt(middle)).seq > seq) high = middle
      else low = middle + 1
    }
    if (low <= last) {
      const head = await headAt(low)
      // a log that begins with a later part has lost the earlier ones
      const isCut = head.seq > seq + 1 || (low === first && head.part > 0)
      return isCut ? { behind: head.seq } : { after: low - 1 }
    }
    const end = last === 0 ? -1 : (await headAt(last)).seq
    return end < seq ? { ahead: end, sequence: last } : { after: last }
  }

  return {
    ...createAgreement({ manager, client, copies: copiesOn(servers), retry: (question) => retry(question, signal) }),
    partBytes: (connection.info?.max_payload ?? 1 << 20) - HEADER_BYTES,

    async write(message, { sequence, messageId: before }) {
      if (!isChecked) {
        checking ??= check().finally(() => {
          checking = null
        })
        await checking
      }
      try {
        const ack = await once(() =>
          client.publish(SUBJECT, message.bytes, {
            msgID: messageId(message),
            headers: headersOf(message),
            expect: { lastSequence: sequence, ...(before !== null && { lastMsgID: before }) },
            // an attempt without an answer counts as another writer's
            retries: 1,
          }),
        )
        return ack.seq
      } catch (error) {
        const isOvertaken = isCode(error, JetStreamApiCodes.StreamWrongLastSequence) || isCode(error, WRONG_LAST_ID)
        throw isOvertaken ? new Overtaken((error as Error).message, { cause: error }) : error
      }
    },

    async *messages(after, signal) {
      let read = after
      while (!signal.aborted) {
        try {
          await once(() => stillThere(read, signal))
          for await (const found of followed(read, signal)) {
            read = found.at(-1)!.sequence
            yield found
          }
        } catch (error) {
          if (connection.isClosed() || error instanceof OperatorError) throw error
        }
        if (!signal.aborted) await sleep(bounds.reconnectMs)
      }
    },

    last: async () => (await retry(state, signal)).last_seq,
    locate: (seq) => retry(() => locate(seq), signal),
    chain: () => retry(chain, signal),
    renew: () => retry(make, signal),
    isAway,
    close: () => connection.close(),
  }

  /** Throws LogLost if the stream permanently ends before `sequence`; returning servers catch up first. */
  async function stillThere(sequence: number, signal: AbortSignal): Promise<void> {
    const deadline = Date.now() + bounds.startMs
    for (let last = (await state()).last_seq; last < sequence; last = (await state()).last_seq) {
      if (signal.aborted) return
      if (Date.now() > deadline) {
        throw new LogLost(`LOG_URL: message ${sequence} was read, and ${STREAM} ends at ${last}: it has lost its end`)
      }
      await sleep(bounds.reconnectMs)
    }
  }

  /** Ends if the consumer is gone for good. */
  async function* followed(after: number, signal: AbortSignal): AsyncGenerator<Delivered[]> {
    const consumer = await client.consumers.get(STREAM, {
      deliver_policy: DeliverPolicy.StartSequence,
      opt_start_seq: after + 1,
    })
    const messages = await consumer.consume({
      max_messages: MESSAGES_AHEAD,
      expires: PULL_MS,
      idle_heartbeat: HEARTBEAT_MS,
    })
    const stop = (): void => messages.stop()
    signal.addEventListener('abort', stop, { once: true })
    if (signal.aborted) stop()
    let newest = after
    let waits = false
    const watch = setInterval(() => void stopWhereSilent(), bounds.silentMs)

    /** The client's consumer may stall when servers come and go. If the stream has more, the consumer is recreated; if it ends before
     * what was read, `stillThere` decides whether it is lost. */
    async function stopWhereSilent(): Promise<void> {
      const before = newest
      const last = waits ? (await once(state).catch(stopIfLost))?.last_seq : undefined
      if (last === undefined || last === before) return
      await sleep(HEARTBEAT_MS)
      if (waits && newest === before) stop()
    }

    function stopIfLost(error: unknown): undefined {
      if (error instanceof LogLost) stop()
    }

    onReconnect = () => void retry(state, signal).catch(stopIfLost)

    try {
      const iterator = messages[Symbol.asyncIterator]()
      let batch: Delivered[] = []
      for (let next = iterator.next(); ; next = iterator.next()) {
        if (batch.length > 0 && !(await isAtHand(next))) {
          yield batch
          batch = []
        }
        waits = true
        const { done, value } = await next
        waits = false
        if (done === true) break
        newest = value.seq
        batch.push(read(value))
      }
      if (batch.length > 0) yield batch
    } finally {
      clearInterval(watch)
      onReconnect = () => {}
      signal.removeEventListener('abort', stop)
      messages.stop()
    }
  }
}

function headersOf({ id, seq, part, parts, chain }: Omit<LogMessage, 'sequence'>): MsgHdrs {
  const made = headers()
  made.set(HEADER.id, id)
  made.set(HEADER.seq, String(seq))
  if (chain !== '') made.set(HEADER.chain, chain)
  if (parts > 1) made.set(HEADER.part, `${part}/${parts}`)
  return made
}

function partOf(found: MsgHdrs | undefined): readonly [number, number] {
  const [part = 0, parts = 1] = (found?.get(HEADER.part) || '0/1').split('/').map(Number)
  return [part, parts]
}

function read({ seq: sequence, headers: found, data, info }: JsMsg): Delivered {
  const [part, parts] = partOf(found)
  // copied, because the client reuses its buffer
  const bytes = Buffer.from(data)
  const [id, seq] = [found?.get(HEADER.id) ?? '', Number(found?.get(HEADER.seq))]
  const chain = found?.get(HEADER.chain) ?? ''
  return { sequence, id, seq, part, parts, bytes, chain, pending: info.pending }
}

/** the server's error for `lastMsgID`, which the client does not define */
const WRONG_LAST_ID = 10070

const isCode = (error: unknown, code: number): boolean => error instanceof JetStreamApiError && error.code === code
