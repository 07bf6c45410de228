import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'
import { count, createCounts } from '@ti/core/base/counts.ts'
import { answerOn } from '../../base/node-fields.ts'
import { createPoller } from '../../base/poller.ts'
import { processTroubles } from '../../base/troubles.ts'

export const CONNECTIONS = {
  /** open connections of the process, some 15 kB each, and descriptors reserved for files, databases, threads and outgoing
   * requests: a node at work has 40 to 120 of these open. If the limit is small, connections get half of it */
  most: 50_000,
  reserve: 512,
  /** connections of one address that have sent no whole request: those kept longer than the grace, and at any moment. A
   * client's first request comes with its connection, so that an office behind one address has a handful */
  unheardPerAddress: 256,
  unheardBurst: 2_048,
  unheardGraceMs: 1_000,
  /** milliseconds after which one of a burst makes room for the next: its first request would have come in the same turn */
  unheardTurnMs: 100,
  /** milliseconds until the first byte of a request, and until a request for a WebSocket is answered */
  firstByteMs: 5_000,
  upgradeMs: 10_000,
  /** milliseconds between two looks at those that wait, and at requests that are not finished in time */
  sweepMs: 250,
}

/** The remote address under which a connection is counted; null for a trusted proxy, which carries many clients. */
export type PeerAddress = (socket: Socket) => string | null

interface ConnectionsOptions {
  /** descriptor limit of the process; null: unknown */
  readonly descriptors: number | null
  readonly peer: PeerAddress
  readonly troubles?: { note(what: string, error: unknown): void }
  /** monotonic milliseconds */
  readonly now?: () => number
}

/** Keeps the open connections below the process limit and evicts silent or idle ones to make room. */
export type Connections = ReturnType<typeof guardConnections>

interface Seat {
  readonly socket: Socket
  readonly address: string | null
  /** when it began to owe a complete request */
  sinceMs: number
  usedMs: number
  upgrading: boolean
  owes: boolean
}

const WHY = ['silent', 'address', 'room', 'refused', 'full'] as const
type Why = (typeof WHY)[number]

/** seats sampled per eviction: the least recently used of 16 has been idle longer than nine tenths of all */
const LOOKS = 16

export function connectionsMost(descriptors: number | null): number {
  if (descriptors === null) return CONNECTIONS.most
  return Math.min(CONNECTIONS.most, Math.max(descriptors >> 1, descriptors - CONNECTIONS.reserve))
}

/**
 * A connection without a complete request is unheard. A client sends its first request as it connects, so few are unheard
 * at a time. The oldest unheard connections are evicted first, beginning with an address that has many; if the process is
 * nearly full, the longest idle follow. A connection with an answer in progress or an open stream is never evicted.
 */
export function guardConnections(server: Server, options: ConnectionsOptions) {
  const { peer, troubles = processTroubles, now = () => performance.now() } = options
  const most = connectionsMost(options.descriptors)
  const full = most - Math.max(1, most >> 5)
  const perAddress = Math.min(CONNECTIONS.unheardPerAddress, most >> 2)
  const burst = Math.min(CONNECTIONS.unheardBurst, most >> 1)
  const seats = new Map<object, Seat>()
  const unheard = new Set<Seat>()
  const byAddress = new Map<string, Set<Seat>>()
  const closed = createCounts(WHY)
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

  /** No event announces that an upgrade was answered, so the bytes written are polled. */
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
    return oldest !== undefined && nowMs - oldest.sinceMs >= CONNECTIONS.unheardTurnMs ? oldest : null
  }

  /**
   * If many connections are unheard, evicts the oldest of them; otherwise the longest idle of a sample. Null: all are busy.
   */
  function leastUsed(): Seat | null {
    if (unheard.size > most >> 2) return oldestUnheard()
    let found: Seat | null = null
    let looks = Math.min(LOOKS, seats.size)
    for (const [socket, seat] of seats) {
      if (looks-- === 0) break
      // moved to the end, so that the next sample continues behind it; a retained iterator would hold every closed seat
      seats.delete(socket)
      seats.set(socket, seat)
      if (seat.owes || seat.upgrading || isAnswering(seat)) continue
      if (found === null || seat.usedMs < found.usedMs) found = seat
    }
    return found ?? oldestUnheard()
  }

  function admit(socket: Socket): void {
    // Node emits `connection` a second time for an upgrade that falls back to HTTP
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

  /** Evicts the oldest connection of an address for the newest. Returns false if all of them came in one burst. */
  function makeRoomOf(address: string): boolean {
    const oldest = oldestOf(byAddress.get(address)!)
    if (oldest === undefined || !isBurst(address)) return true
    troubles.note('connections', `${burst} connections of one address have sent nothing: the oldest are closed`)
    if (nowMs - oldest.sinceMs < CONNECTIONS.unheardTurnMs) return false
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
        if (over-- <= 0 || nowMs - seat.sinceMs < CONNECTIONS.unheardGraceMs) break
        shut(seat, 'address')
      }
    }
    for (const seat of unheard) {
      const waitedMs = nowMs - seat.sinceMs
      if (waitedMs < CONNECTIONS.firstByteMs) break
      if (seat.upgrading ? waitedMs >= CONNECTIONS.upgradeMs : seat.socket.bytesRead === 0) shut(seat, 'silent')
    }
  }

  server.on('connection', admit)
  server.on('drop', () => {
    count(closed, 'full')
    troubles.note('connections', `${most} of at most ${most} connections are open: new ones are refused`)
  })
  const sweeps = createPoller({ what: 'connections', everyMs: CONNECTIONS.sweepMs, run: sweep })

  return {
    /** a request arrived: the connection stops counting as unheard once the body is complete */
    heard(request: IncomingMessage): void {
      const seat = seats.get(request.socket)
      if (seat === undefined) return
      seat.usedMs = nowMs
      if (!hasBody(request)) return settle(seat)
      owe(seat)
      request.once('close', () => settle(seat))
    },
    /** a request asks for a WebSocket: the connection no longer counts as unheard once it is answered */
    upgrading(socket: object): void {
      const seat = seats.get(socket)
      if (seat !== undefined) seat.upgrading = true
    },
    /** connections that wait for an answer */
    answering(): number {
      let answering = 0
      for (const seat of seats.values()) if (!seat.upgrading && isAnswering(seat)) answering++
      return answering
    },
    /** the limit on open connections */
    most,
    get open(): number {
      return seats.size
    },
    /** connections that have sent no complete request yet */
    get unheard(): number {
      return unheard.size
    },
    /** connections closed by this guard, by reason */
    closed,
    close: (): void => void sweeps.stop(),
  }
}

const isAnswering = ({ socket }: Seat): boolean => answerOn(socket) !== null

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'
