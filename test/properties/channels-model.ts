import { isDeepStrictEqual } from 'node:util'
import { TOPICS, type Topic } from '@ti/core/contract/streams.ts'

/**
 * What a client has to see, told a second time and more plainly than in `packages/service/src/faces/live`: refs are values, not text, a
 * socket is a list of what it joined, and each call says what comes out, in the notation of `createPaperSocket`.
 */
export type Name = Topic
export const NAMES = TOPICS

interface Joined {
  id: number
  name: Name
  joinRef: unknown
  ref: unknown
}

export interface ModelSocket {
  version: 1 | 2
  roomFor: number
  open: boolean
  made: number
  /** oldest first */
  joined: Joined[]
}

export interface Model {
  sockets: ModelSocket[]
  /** events each topic has had; the last `KEPT` of them can be replayed */
  events: Record<Name, number>
  /** how often what is worth testing has happened */
  counts: Map<string, number>
}

export const KEPT = 4

export interface Sent {
  joinRef: unknown
  ref: unknown
  topic: unknown
  event: unknown
  payload: unknown
}

export const newSocket = (version: 1 | 2, roomFor: number): ModelSocket => ({
  version,
  roomFor,
  open: true,
  made: 0,
  joined: [],
})

const count = (model: Model, what: string): void => {
  model.counts.set(what, (model.counts.get(what) ?? 0) + 1)
}

function frame(socket: ModelSocket, joinRef: unknown, ref: unknown, topic: unknown, event: string, payload: object) {
  return JSON.stringify(socket.version === 2 ? [joinRef, ref, topic, event, payload] : { topic, event, payload, ref })
}

/** A message that is well-formed for the socket's version. */
export function expectMessage(model: Model, socket: ModelSocket, sent: Sent): string[] {
  if (!socket.open) return []
  const { joinRef, ref, topic, event } = sent
  const ok = (as: unknown, response: object = {}) =>
    frame(socket, as, ref, topic, 'phx_reply', { status: 'ok', response })
  const error = (as: unknown, reason: string) =>
    frame(socket, as, ref, topic, 'phx_reply', { status: 'error', response: { reason } })

  const name = NAMES.find((one) => one === topic)
  if (name !== undefined && event === 'phx_join') return expectJoin(model, socket, name, sent, ok, error)
  const channel = socket.joined.find((one) => one.name === topic)
  if (channel === undefined) {
    if (topic === 'phoenix' && event === 'heartbeat') {
      count(model, 'heartbeat')
      return [ok(null)]
    }
    if (event === 'phx_leave') {
      count(model, 'leave of nothing')
      return [ok(joinRef)]
    }
    count(model, 'unmatched topic')
    return [error(null, 'unmatched topic')]
  }
  if (joinRef !== null && channel.joinRef !== null && !isDeepStrictEqual(joinRef, channel.joinRef)) {
    count(model, event === 'phx_leave' ? 'stale leave' : 'stale event')
    return []
  }
  const known = channel.joinRef === null ? channel.ref : channel.joinRef
  if (event !== 'phx_leave') {
    count(model, 'unknown event')
    return [error(known, 'unknown event')]
  }
  count(model, joinRef === null ? 'leave with null' : 'leave')
  return [ok(known), ...expectEnd(model, socket, channel.id, 'phx_close')]
}

function expectJoin(
  model: Model,
  socket: ModelSocket,
  name: Name,
  { joinRef, ref, payload }: Sent,
  ok: (as: unknown, response: object) => string,
  error: (as: unknown, reason: string) => string,
): string[] {
  const old = socket.joined.find((one) => one.name === name)
  if (old === undefined && socket.joined.length === socket.roomFor) {
    count(model, 'too many')
    return [error(joinRef, 'too many channels joined')]
  }
  if (old !== undefined) count(model, 'rejoin')
  const ended = () => (old === undefined ? [] : expectEnd(model, socket, old.id, 'phx_close'))

  const wanted =
    payload !== null && typeof payload === 'object' && 'after_seq' in payload ? payload.after_seq : 'nothing'
  const whole = typeof wanted === 'number' && wanted >= 0 && wanted < 2 ** 53 && Math.floor(wanted) === wanted
  if (!whole && wanted !== 'nothing') {
    count(model, old === undefined ? 'bad after_seq' : 'bad after_seq on a rejoin')
    return [error(joinRef, 'bad after_seq'), ...ended()]
  }
  const seq = model.events[name]
  const missed = whole ? seq - wanted : -1
  const resumed = missed >= 0 && missed <= Math.min(KEPT, seq)
  if (whole) count(model, resumed ? 'resumed' : 'not resumed')
  if (joinRef === null) count(model, 'join with null')
  const outputs = [ok(joinRef, { seq, oldest_seq: seq <= KEPT ? 1 : seq - KEPT + 1, resumed }), ...ended()]
  const id = socket.made++
  socket.joined.push({ id, name, joinRef, ref })
  return [...outputs, resumed ? `+${id} ${name} after ${wanted}` : `+${id} ${name}`]
}

/** The server ends a channel by its id. */
export function expectEnd(model: Model, socket: ModelSocket, id: number, event: 'phx_close' | 'phx_error'): string[] {
  const channel = socket.joined.find((one) => one.id === id)
  if (channel === undefined) return []
  count(model, event)
  socket.joined = socket.joined.filter((one) => one !== channel)
  return [`-${id}`, frame(socket, channel.joinRef, channel.joinRef ?? channel.ref, channel.name, event, {})]
}

/** The socket ends; code null: the connection broke by itself. */
export function expectClose(model: Model, socket: ModelSocket, code: number | null): string[] {
  if (!socket.open) return []
  count(model, code === null ? 'disconnect' : `close ${code}`)
  if (socket.joined.length > 0) count(model, code === null ? 'disconnect while joined' : 'close while joined')
  socket.open = false
  const outputs = socket.joined.map(({ id }) => `-${id}`)
  socket.joined = []
  return code === null ? outputs : [...outputs, `close ${code}`]
}

export function expectBroadcast(
  model: Model,
  socket: ModelSocket,
  name: Name,
  event: string,
  payload: object,
): string[] {
  if (!socket.joined.some((one) => one.name === name)) return []
  count(model, 'delivered')
  return [frame(socket, null, null, name, event, payload)]
}
