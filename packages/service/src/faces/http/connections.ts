import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { type Counts, count, createCounts } from '@ti/core/base/counts.ts'
import { createPoller } from '../../base/poller.ts'
import { processTroubles } from '../../base/troubles.ts'

/** Those of LIMITS with the same names. */
type ConnectionBounds = Readonly<
  Record<
    | 'connections'
    | 'connectionsReserve'
    | 'unheardPerAddress'
    | 'unheardBurst'
    | 'unheardGraceMs'
    | 'unheardTurnMs'
    | 'firstByteMs'
    | 'upgradeMs'
    | 'connectionSweepMs',
    number
  >
>

/** The address of a connection's other end as it is counted; null for a trusted proxy, behind which there are many. */
export type PeerAddress = (socket: Socket) => string | null

interface ConnectionsOptions {
  /** descriptors of the process; null: not known */
  readonly descriptors: number | null
  readonly peer: PeerAddress
  readonly bounds: ConnectionBounds
  readonly troubles?: { note(what: string, error: unknown): void }
  /** milliseconds that only go forward */
  readonly now?: () => number
}

/** Keeps a server's connections below what the process can hold, and makes room for those who ask something. */
export interface Connections {
  /** a request of a connection has come in: it is heard, once its body is */
  heard(request: IncomingMessage, response: ServerResponse): void
  /** a request asks for a WebSocket: the connection counts as heard once it is answered */
  upgrading(socket: object): void
  /** the answer under way on a connection; null: there is none */
  answerOn(socket: object): ServerResponse | null
  /** connections that wait for an answer */
  answering(): number
  /** the most there may be */
  readonly most: number
  readonly open: number
  /** those that have sent no whole request yet */
  readonly unheard: number
  /** connections closed here, by reason */
  readonly closed: Counts
  close(): void
}

interface Seat {
  readonly socket: Socket
  readonly address: string | null
  /** its answers in order, those that are not closed and perhaps some that are */
  readonly answers: ServerResponse[]
  /** since when it owes a whole request */
  sinceMs: number
  usedMs: number
  upgrading: boolean
  owes: boolean
}

type Why = 'silent' | 'address' | 'room' | 'refused' | 'full'

/** seats sampled to find one that has been idle for long: the oldest of this many is older than nine tenths of all */
const LOOKS = 16

export function connectionsMost(descriptors: number | null, bounds: ConnectionBounds): number {
  if (descriptors === null) return bounds.connections
  return Math.min(bounds.connections, Math.max(descriptors >> 1, descriptors - bounds.connectionsReserve))
}

/**
 * A connection that has sent no whole request is unheard: a client's first request comes with its connection, so those that
 * wait are few. The oldest make room, first those of an address that has many, and then, where the process is nearly full,
 * those that have been idle longest. A connection that is being answered, or follows a stream, is never closed for others.
 */
export function guardConnections(server: Server, options: ConnectionsOptions): Connections {
  const { peer, bounds, troubles = processTroubles, now = () => performance.now() } = options
  const most = connectionsMost(options.descriptors, bounds)
  const full = most - Math.max(1, most >> 5)
  const perAddress = Math.min(bounds.unheardPerAddress, most >> 2)
  const burst = Math.min(bounds.unheardBurst, most >> 1)
  const seats = new Map<object, Seat>()
  const unheard = new Set<Seat>()
  const byAddress = new Map<string, Set<Seat>>()
  const closed = createCounts()
  let nowMs = now()
  server.maxConnections = most

  function owe(seat: Seat): void {
    if (seat.owes) return
    seat.owes = true
    seat.sinceMs = nowMs
    unheard.add(seat)
    if (seat.address === null) return
    const same = byAddress.get(seat.address)
    if (same === undefined) byAddress.set(seat.address, new Set([seat]))
    else same.add(seat)
  }

  function settle(seat: Seat): void {
    if (!seat.owes) return
    seat.owes = false
    unheard.delete(seat)
    const same = seat.address === null ? undefined : byAddress.get(seat.address)
    same?.delete(seat)
    if (same?.size === 0) byAddress.delete(seat.address!)
  }

  function shut(seat: Seat, why: Why): void {
    count(closed, why)
    seats.delete(seat.socket)
    settle(seat)
    seat.socket.destroy()
  }

  /** A socket that was taken over emits events once it is answered; nothing announces that, so it is polled. */
  const isAnswered = ({ upgrading, socket }: Seat): boolean => upgrading && socket.bytesWritten > 0

  function oldestOf(owing: ReadonlySet<Seat>): Seat | undefined {
    for (const seat of owing) {
      if (!isAnswered(seat)) return seat
      settle(seat)
    }
    return undefined
  }

  const oldestUnheard = (): Seat | null => {
    const oldest = oldestOf(unheard)
    return oldest !== undefined && nowMs - oldest.sinceMs >= bounds.unheardTurnMs ? oldest : null
  }

  /**
   * Where many have sent nothing they make room for each other. Otherwise the one of some others that was idle longest does;
   * null: all are busy.
   */
  function leastUsed(): Seat | null {
    if (unheard.size > most >> 2) return oldestUnheard()
    let found: Seat | null = null
    let looks = Math.min(LOOKS, seats.size)
    for (const [socket, seat] of seats) {
      if (looks-- === 0) break
      // to the end, so that the next look goes on behind it; an iterator that is kept would hold all that were ever closed
      seats.delete(socket)
      seats.set(socket, seat)
      if (seat.owes || seat.upgrading || isAnswering(seat)) continue
      if (found === null || seat.usedMs < found.usedMs) found = seat
    }
    return found ?? oldestUnheard()
  }

  function admit(socket: Socket): void {
    // an upgrade that is not taken up is given to the server a second time
    if (seats.has(socket)) return
    nowMs = now()
    const address = peer(socket)
    if (address !== null && isBurst(address) && !makeRoomOf(address)) {
      count(closed, 'refused')
      return void socket.destroy()
    }
    if (seats.size >= full) makeRoom()
    const seat: Seat = {
      socket,
      address,
      answers: [],
      sinceMs: nowMs,
      usedMs: nowMs,
      upgrading: false,
      owes: false,
    }
    seats.set(socket, seat)
    owe(seat)
    socket.once('close', () => {
      seats.delete(socket)
      settle(seat)
    })
  }

  const isBurst = (address: string): boolean => (byAddress.get(address)?.size ?? 0) >= burst

  /** The oldest of an address gives its place to the newest, unless they all came at once: false. */
  function makeRoomOf(address: string): boolean {
    const oldest = oldestOf(byAddress.get(address)!)
    if (oldest === undefined || !isBurst(address)) return true
    troubles.note('connections', `${burst} connections of one address have sent nothing: the oldest are closed`)
    if (nowMs - oldest.sinceMs < bounds.unheardTurnMs) return false
    shut(oldest, 'address')
    return true
  }

  function makeRoom(): void {
    troubles.note('connections', `${seats.size} of at most ${most} connections are open: idle ones are closed`)
    const seat = leastUsed()
    if (seat !== null) shut(seat, 'room')
  }

  function sweep(): void {
    nowMs = now()
    for (const seat of unheard) if (isAnswered(seat)) settle(seat)
    for (const same of byAddress.values()) {
      let over = same.size - perAddress
      for (const seat of same) {
        if (over-- <= 0 || nowMs - seat.sinceMs < bounds.unheardGraceMs) break
        shut(seat, 'address')
      }
    }
    for (const seat of unheard) {
      const waitedMs = nowMs - seat.sinceMs
      if (waitedMs < bounds.firstByteMs) break
      if (seat.upgrading ? waitedMs >= bounds.upgradeMs : seat.socket.bytesRead === 0) shut(seat, 'silent')
    }
  }

  server.on('connection', admit)
  server.on('drop', () => {
    count(closed, 'full')
    troubles.note('connections', `${most} of at most ${most} connections are open: new ones are refused`)
  })
  const sweeps = createPoller({ what: 'connections', everyMs: bounds.connectionSweepMs, run: sweep })

  return {
    heard(request, response) {
      const seat = seats.get(request.socket)
      if (seat === undefined) return
      seat.usedMs = nowMs
      underWay(seat)
      seat.answers.push(response)
      if (!hasBody(request)) return settle(seat)
      owe(seat)
      request.once('close', () => settle(seat))
    },
    upgrading(socket) {
      const seat = seats.get(socket)
      if (seat !== undefined) seat.upgrading = true
    },
    answerOn(socket) {
      const seat = seats.get(socket)
      return seat === undefined ? null : underWay(seat)
    },
    answering() {
      let answering = 0
      for (const seat of seats.values()) if (!seat.upgrading && isAnswering(seat)) answering++
      return answering
    },
    most,
    get open() {
      return seats.size
    },
    get unheard() {
      return unheard.size
    },
    closed,
    close: () => void sweeps.stop(),
  }
}

/** Several requests of a connection may wait: the oldest one's answer is being written. */
function underWay({ answers }: Seat): ServerResponse | null {
  while (answers[0]?.closed === true) answers.shift()
  return answers[0] ?? null
}

const isAnswering = (seat: Seat): boolean => underWay(seat) !== null

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'
