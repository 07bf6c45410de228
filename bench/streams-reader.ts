import { writeFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { clientFrame, PONG, serverFrame, upgradeRequest } from '../test/simulation/streams-wire.ts'
import { nowMs } from './paced.ts'

/**
 * Readers of `frames:live` in a process of their own, started with fork(). All of them get the same bytes, so they only note when
 * how many had come; one keeps its bytes, which say where each block ends. Times are CLOCK_MONOTONIC, in ms.
 */
export interface Join {
  readonly kind: 'join'
  readonly port: number
  /** each opens as many sockets as a key may */
  readonly keys: readonly string[]
  readonly readers: number
}

/** How long readers waited for whole blocks. */
interface Waits {
  readonly kind: 'waits'
  /** milliseconds from when a block left until a reader had it, of every block and reader */
  readonly p50: number
  readonly p99: number
  /** blocks, and those of all readers that did not come */
  readonly blocks: number
  readonly missing: number
  readonly bytes: number
}

/** `left`: slot → when its block left; blocks before `from` are not judged. Their bytes are written to `file`, for the echo. */
export interface Judge {
  readonly kind: 'judge'
  readonly left: readonly (readonly [slot: number, ms: number])[]
  readonly from: number
  readonly file: string | null
}

export type ToReaders = Join | Judge
export type FromReaders = { readonly kind: 'joined' } | Waits

const SOCKETS_PER_KEY = 50
/** within which every socket shows that it is alive: 20 s, in slices */
const ALIVE_MS = 20_000
const SLICES = 20

interface Reader {
  readonly socket: Socket
  /** bytes after the reply to the join, and when they had come */
  readonly bytes: number[]
  readonly times: number[]
}

const readers: Reader[] = []
const kept: Buffer[] = []

function join(port: number, key: string, keeps: boolean): Promise<void> {
  return new Promise((joined, fail) => {
    const reader: Reader = {
      socket: connect({ port, host: '127.0.0.1', onread: { buffer, callback: take } }),
      bytes: [],
      times: [],
    }
    let head: Buffer | null = Buffer.alloc(0)
    let total = 0
    function take(size: number): boolean {
      if (head === null) note(size, buffer.subarray(0, size))
      else begin(Buffer.concat([head, buffer.subarray(0, size)]))
      return true
    }
    function begin(so_far: Buffer): void {
      head = so_far
      const end = head.indexOf('\r\n\r\n')
      if (end >= 0 && !head.toString('latin1').startsWith('HTTP/1.1 101')) fail(new Error(head.toString('latin1')))
      const reply = end < 0 ? null : serverFrame(head, end + 4)
      if (reply === null) return
      const rest = head.subarray(reply.end)
      head = null
      if (rest.length > 0) note(rest.length, rest)
      joined()
    }
    function note(size: number, bytes: Buffer): void {
      total += size
      reader.bytes.push(total)
      reader.times.push(nowMs())
      if (keeps) kept.push(Buffer.from(bytes))
    }
    reader.socket.on('error', fail)
    reader.socket.write(upgradeRequest(port, key))
    reader.socket.write(clientFrame('["1","1","frames:live","phx_join",{}]'))
    readers.push(reader)
  })
}
/** every read ends before the next one begins */
const buffer = Buffer.allocUnsafe(256 << 10)

async function joinAll({ port, keys, readers: count }: Join): Promise<void> {
  for (let i = 0; i < count; i += SOCKETS_PER_KEY) {
    const some = Array.from({ length: Math.min(SOCKETS_PER_KEY, count - i) }, (_, n) => i + n)
    await Promise.all(some.map((n) => join(port, keys[i / SOCKETS_PER_KEY] ?? '', n === 0)))
  }
  let slice = 0
  setInterval(() => {
    for (let i = slice++ % SLICES; i < readers.length; i += SLICES) readers[i]!.socket.write(PONG)
  }, ALIVE_MS / SLICES)
  say({ kind: 'joined' })
}

/** Where each block ends in what a reader got. */
function endsOf(bytes: Buffer): Map<number, number> {
  const ends = new Map<number, number>()
  for (let at = 0; ; ) {
    const frame = serverFrame(bytes, at)
    if (frame === null) return ends
    at = frame.end
    ends.set(JSON.parse(frame.payload.toString())[4].data.slot, at)
  }
}

function judge({ left, from, file }: Judge): void {
  const all = Buffer.concat(kept)
  const endOf = endsOf(all)
  if (file !== null) writeFileSync(file, all)
  if (file !== null) writeFileSync(`${file}.json`, JSON.stringify([...endOf]))
  // a block that did not come is missing for all
  const judged = left.slice(from).map(([slot, ms]) => [endOf.get(slot) ?? Number.POSITIVE_INFINITY, ms] as const)
  const waits: number[] = []
  for (const { bytes, times } of readers) {
    let n = 0
    for (const [end, ms] of judged) {
      while (n < bytes.length && bytes[n]! < end) n++
      if (n < bytes.length) waits.push(times[n]! - ms)
    }
  }
  const sorted = Float64Array.from(waits).sort()
  const at = (share: number): number => sorted[Math.floor(sorted.length * share)] ?? Number.NaN
  const missing = judged.length * readers.length - sorted.length
  say({ kind: 'waits', p50: at(0.5), p99: at(0.99), blocks: judged.length, missing, bytes: all.length })
}

const say = (message: FromReaders): void => void process.send?.(message)

process.on('message', (message: ToReaders) => {
  if (message.kind === 'join') void joinAll(message)
  else judge(message)
})
process.on('disconnect', () => process.exit(0))
