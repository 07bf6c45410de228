import assert from 'node:assert/strict'
import { connect, type Socket } from 'node:net'
import { createReference } from './streams-reference.ts'
import { clientFrame, PONG, serverFrame, upgradeRequest } from './streams-wire.ts'

/**
 * A process full of subscribers of `frames:live`, started with fork(). All get the same bytes, so what the first to
 * receive a frame got is parsed, checked and kept, and the bytes of everybody else are compared with it, every one.
 */
export type Pace = 'fast' | 'slow' | 'never'

export interface Orders {
  readonly port: number
  readonly keys: readonly string[]
  readonly subscribers: Readonly<Record<Pace, number>>
}

export interface Report {
  /** frames that were parsed, and the seq of the newest */
  readonly frames: number
  readonly newest: number
  /** bytes compared, by all */
  readonly bytes: number
  /** fast ones that have every frame from their join to the newest one at the time of the question */
  readonly complete: number
  /** ends that were seen: close code or `lost`, by pace */
  readonly ended: Readonly<Record<Pace, Readonly<Record<string, number>>>>
  readonly faults: readonly string[]
}

/** milliseconds between two readings of a slow one, which takes a chunk of at most 64 kB each time */
const SLOW_MS = 4_000
const PONG_MS = 25_000
/** below the bound of the service (50 of a key) */
const SOCKETS_PER_KEY = 45

interface Member {
  readonly pace: Pace
  readonly socket: Socket
  /** seq that the reply to the join promised as the next, -1 before it */
  next: number
  /** place in the reference up to which everything was equal; -1 while it is not known */
  at: number
  /** bytes without a place yet */
  early: Buffer
  ended: string | null
}

const reference = createReference()
const members: Member[] = []
const waiting = new Set<Member>()
const faults: string[] = []
let comparedBytes = 0

function fault(text: string): void {
  if (faults.length < 20) faults.push(text)
}

async function subscribe(port: number, key: string, pace: Pace): Promise<void> {
  const socket = connect(port, '127.0.0.1').setNoDelay(true)
  const member: Member = { pace, socket, next: -1, at: -1, early: Buffer.alloc(0), ended: null }
  members.push(member)
  socket.on('close', () => {
    member.ended ??= 'lost'
  })
  socket.on('error', () => {})
  socket.write(upgradeRequest(port, key))
  socket.write(clientFrame('["1","1","frames:live","phx_join",{}]'))
  let head = Buffer.alloc(0)
  await new Promise<void>((joined, fail) => {
    socket.on('close', () => fail(new Error('closed before the join was answered')))
    socket.on('data', function begin(chunk: Buffer) {
      head = Buffer.concat([head, chunk])
      const end = head.indexOf('\r\n\r\n')
      const reply = end < 0 ? null : serverFrame(head, end + 4)
      if (reply === null) return
      socket.off('data', begin)
      const [, , , event, { response }] = JSON.parse(reply.payload.toString())
      assert.equal(event, 'phx_reply')
      member.next = response.seq + 1
      follow(member)
      if (head.length > reply.end) take(member, head.subarray(reply.end))
      joined()
    })
  })
}

function follow(member: Member): void {
  const { socket, pace } = member
  const beat = setInterval(() => socket.write(PONG), PONG_MS)
  socket.on('close', () => clearInterval(beat))
  socket.on('data', (chunk: Buffer) => take(member, chunk))
  if (pace === 'fast') return
  socket.pause()
  if (pace === 'never') return
  socket.on('data', () => socket.pause())
  const turn = setInterval(() => socket.resume(), SLOW_MS)
  socket.on('close', () => clearInterval(turn))
}

function take(member: Member, chunk: Buffer): void {
  if (member.ended !== null) return
  if (member.at < 0) member.at = reference.startOf(member.next) ?? -1
  const bytes = member.early.length === 0 ? chunk : Buffer.concat([member.early, chunk])
  if (member.at < 0) {
    member.early = Buffer.from(bytes)
    waiting.add(member)
    return
  }
  member.early = Buffer.alloc(0)
  waiting.delete(member)
  const known = Math.min(bytes.length, reference.length - member.at)
  if (!bytes.subarray(0, known).equals(reference.part(member.at, member.at + known))) return differ(member, bytes)
  member.at += known
  comparedBytes += known
  if (known === bytes.length) return
  const rest = bytes.subarray(known)
  if (isClose(rest) && reference.isBoundary(member.at)) return end(member, rest)
  const before = reference.newest
  reference.append(rest)
  member.at += rest.length
  if (reference.newest > before) for (const other of [...waiting]) take(other, Buffer.alloc(0))
}

/** The only bytes that may differ are those of a close, between two frames. */
function differ(member: Member, bytes: Buffer): void {
  let same = 0
  while (bytes[same] === reference.part(member.at + same, member.at + same + 1)[0]) same++
  const rest = bytes.subarray(same)
  if (isClose(rest) && reference.isBoundary(member.at + same)) return end(member, rest)
  member.ended = 'fault'
  fault(`a ${member.pace} one got other bytes ${same} after ${member.at}: ${rest.subarray(0, 40).toString('latin1')}`)
}

const isClose = (bytes: Buffer): boolean => bytes[0] === 0x88

function end(member: Member, bytes: Buffer): void {
  const close = serverFrame(bytes, 0)
  member.ended = close === null ? 'close cut short' : String(close.payload.readUInt16BE(0))
}

function report(): Report {
  const ended: Report['ended'] = { fast: {}, slow: {}, never: {} }
  for (const { pace, ended: how } of members) {
    const counts = ended[pace] as Record<string, number>
    if (how !== null) counts[how] = (counts[how] ?? 0) + 1
  }
  const upTo = reference.startOf(reference.newest + 1)!
  const complete = members.filter(({ pace, at, ended: how }) => pace === 'fast' && how === null && at >= upTo).length
  const { frames, newest } = reference
  return { frames, newest, bytes: comparedBytes, complete, ended, faults }
}

/** In waves, so that the backlog of the listening socket is never full. */
async function subscribeAll({ port, keys, subscribers }: Orders): Promise<void> {
  const paces = Object.entries(subscribers).flatMap(([pace, count]) => Array<Pace>(count).fill(pace as Pace))
  for (let i = 0; i < paces.length; i += 50) {
    const wave = paces.slice(i, i + 50)
    await Promise.all(wave.map((pace, n) => subscribe(port, keys[Math.floor((i + n) / SOCKETS_PER_KEY)]!, pace)))
  }
}

process.on('message', (message: Orders | 'report' | 'read on') => {
  if (message === 'report') process.send?.(report())
  else if (message === 'read on') {
    for (const { socket } of members) socket.removeAllListeners('data').resume()
  } else {
    subscribeAll(message).then(
      () => process.send?.('joined'),
      (error) => process.send?.(`failed: ${error}`),
    )
  }
})
process.on('disconnect', () => process.exit(0))
process.on('uncaughtException', (error) => {
  fault(String(error.stack))
})
