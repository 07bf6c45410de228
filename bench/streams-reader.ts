import { connect } from 'node:net'
import { clientFrame, serverFrame, upgradeRequest } from '../test/simulation/streams-wire.ts'

/** Subscribers that count bytes and frames and parse nothing, started with fork(). Times are CLOCK_MONOTONIC, in ms. */
export interface ReaderOrders {
  readonly port: number
  readonly subscribers: number
  /** Newest frames per subscriber whose receive times are kept. */
  readonly remembered: number
}

/** The newest sequence number that had arrived at the service at `ms`, per block. */
export interface Arrival {
  readonly newest: number
  readonly ms: number
}

export interface Latencies {
  readonly p50: number
  readonly p99: number
  readonly samples: number
  /** Subscribers disconnected as too slow. */
  readonly lost: number
}

export type ToReader =
  | { readonly kind: 'join'; readonly orders: ReaderOrders }
  /** Asks for a reply once all subscribers together have received this many bytes since the last request. */
  | { readonly kind: 'count'; readonly bytes: number }
  | { readonly kind: 'latencies'; readonly arrivals: readonly Arrival[] }

export const nowMs = (): number => Number(process.hrtime.bigint()) / 1e6

interface Subscriber {
  /** Sequence number of the first frame. */
  first: number
  frames: number
  readonly times: Float64Array
}

const subscribers: Subscriber[] = []
let received = 0
let lost = 0
let wanted = Number.POSITIVE_INFINITY

/** Parses frames that arrive in pieces and calls `each` at the end of every one. */
function createWalker(each: () => void) {
  let left = 0
  const header = Buffer.alloc(10)
  let have = 0
  return (bytes: Buffer, from: number, to: number): void => {
    for (let at = from; at < to; ) {
      if (left > 0) {
        const step = Math.min(left, to - at)
        at += step
        left -= step
        if (left === 0) each()
        continue
      }
      header[have++] = bytes[at++]!
      if (have < 2) continue
      const short = header[1]!
      const size = short < 126 ? 2 : short === 126 ? 4 : 10
      if (have < size) continue
      left = short < 126 ? short : short === 126 ? header.readUInt16BE(2) : Number(header.readBigUInt64BE(2))
      have = 0
    }
  }
}

function join({ port, remembered }: ReaderOrders): Promise<void> {
  const subscriber: Subscriber = { first: -1, frames: 0, times: new Float64Array(remembered) }
  subscribers.push(subscriber)
  let time = 0
  const walk = createWalker(() => {
    if (remembered > 0) subscriber.times[subscriber.frames % remembered] = time
    subscriber.frames++
  })
  return new Promise((joined, fail) => {
    let head = Buffer.alloc(0)
    const buffer = Buffer.allocUnsafe(64 << 10)
    function begin(chunk: Buffer): void {
      head = Buffer.concat([head, chunk])
      const end = head.indexOf('\r\n\r\n')
      const reply = end < 0 ? null : serverFrame(head, end + 4)
      if (reply === null) return
      subscriber.first = JSON.parse(reply.payload.toString())[4].response.seq + 1
      const rest = head.subarray(reply.end)
      time = nowMs()
      walk(rest, 0, rest.length)
      joined()
    }
    function take(size: number): boolean {
      if (subscriber.first < 0) begin(Buffer.from(buffer.subarray(0, size)))
      else {
        received += size
        if (remembered > 0) {
          time = nowMs()
          walk(buffer, 0, size)
        }
        if (received >= wanted) tell()
      }
      return true
    }
    const socket = connect({ port, host: '127.0.0.1', onread: { buffer, callback: take } })
    socket.on('error', fail)
    socket.on('close', () => lost++)
    socket.write(upgradeRequest(port, 'key'))
    socket.write(clientFrame('["1","1","frames:live","phx_join",{}]'))
  })
}

function tell(): void {
  received -= wanted
  wanted = Number.POSITIVE_INFINITY
  process.send?.({ kind: 'counted', ms: nowMs() })
}

async function joinAll(orders: ReaderOrders): Promise<void> {
  for (let i = 0; i < orders.subscribers; i += 50) {
    await Promise.all(Array.from({ length: Math.min(50, orders.subscribers - i) }, () => join(orders)))
  }
  received = 0
  process.send?.({ kind: 'joined' })
}

/** Latencies of every frame of the given blocks at every subscriber that had joined before. */
function latencies(arrivals: readonly Arrival[]): Latencies {
  const found: number[] = []
  for (const { first, frames, times } of subscribers) {
    for (let i = 1; i < arrivals.length; i++) {
      const from = arrivals[i - 1]!.newest + 1 - first
      const to = arrivals[i]!.newest - first
      if (from < Math.max(0, frames - times.length) || to >= frames) continue
      for (let n = from; n <= to; n++) found.push(times[n % times.length]! - arrivals[i]!.ms)
    }
  }
  const sorted = Float64Array.from(found).sort()
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? -1
  return { p50: at(0.5), p99: at(0.99), samples: sorted.length, lost }
}

process.on('message', (message: ToReader) => {
  if (message.kind === 'join') void joinAll(message.orders)
  else if (message.kind === 'latencies') process.send?.({ kind: 'latencies', ...latencies(message.arrivals) })
  else {
    wanted = message.bytes
    if (received >= wanted) tell()
  }
})
process.on('disconnect', () => process.exit(0))
