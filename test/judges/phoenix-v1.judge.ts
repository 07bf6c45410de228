import assert from 'node:assert/strict'
import { test } from 'node:test'
import { KEYS } from '../support/fake-service.ts'
import { type Ending, openLive, revocableKeys, until, untilQuiet } from '../support/live-service.ts'

/** The client that programs on Node were given for years: it knows the first version of the frames only. */
interface Push {
  receive(status: 'ok' | 'error', callback: (response: { readonly reason?: string }) => void): Push
}
interface Channel {
  join(): Push
  leave(): Push
  push(event: string, payload: object): Push
  on(event: string, callback: (payload: { readonly data: { readonly seq: number } }) => void): void
  onClose(callback: () => void): void
  readonly rejoinTimer: Timer
  readonly joinPush: { cancelTimeout(): void }
}
interface Timer {
  reset(): void
}
interface Socket {
  readonly channels: readonly Channel[]
  readonly conn: { onerror: () => void } | null
  readonly heartbeatTimer: NodeJS.Timeout
  readonly reconnectTimer: Timer
  connect(): void
  disconnect(): void
  channel(topic: string, params?: object): Channel
  onOpen(callback: () => void): void
  onClose(callback: (event: { readonly code: number }) => void): void
  onMessage(callback: (message: { readonly topic: string }) => void): void
  endPointURL(): string
}
const module = (await import('phoenix-channels' as string)) as {
  default: { Socket: new (url: string, options: object) => Socket }
}

function connect(t: Ending, url: string, options: object = {}) {
  const params = { api_key: KEYS.pro }
  const socket = new module.default.Socket(url, { params, reconnectAfterMs: () => 30, ...options })
  const story: (string | number)[] = []
  let beats = 0
  socket.onOpen(() => void story.push('open'))
  socket.onClose(({ code }) => void story.push(code))
  socket.onMessage(({ topic }) => {
    if (topic === 'phoenix') beats++
  })
  t.after(() => stop(socket))
  socket.connect()
  return { socket, story, beats: () => beats }
}

/** `disconnect` leaves its timers running, and would try to join for ever. */
function stop(socket: Socket): void {
  if (socket.conn !== null) socket.conn.onerror = () => {}
  socket.disconnect()
  clearInterval(socket.heartbeatTimer)
  socket.reconnectTimer.reset()
  for (const { rejoinTimer, joinPush } of socket.channels) {
    rejoinTimer.reset()
    joinPush.cancelTimeout()
  }
}

async function join(socket: Socket, topic: string, params = {}) {
  const channel = socket.channel(topic, params)
  const seqs: number[] = []
  const story: string[] = []
  for (const event of ['frame', 'token_event']) channel.on(event, ({ data }) => void seqs.push(data.seq))
  channel.onClose(() => void story.push('closed'))
  channel
    .join()
    .receive('ok', () => void story.push('joined'))
    .receive('error', ({ reason }) => void story.push(`refused: ${reason}`))
  await until(`${topic} is answered`, () => story.length > 0)
  return { channel, seqs, story }
}

test('joins both topics, receives all in order, and is kept by its heartbeats', async (t) => {
  const service = await openLive(t, { bounds: { idleMs: 2_500, visitMs: 60, visitSlots: 3 } })
  const { socket, story, beats } = connect(t, service.socketUrl, { heartbeatIntervalMs: 100 })
  assert.match(socket.endPointURL(), /vsn=1\.0\.0/)
  const [frames, tokens] = [await join(socket, 'frames:live'), await join(socket, 'tokens:live')]
  let count = 0
  await until('it has been there for longer than an idle socket is', () => {
    count++
    service.publish('frames:live', { text: 'é😀' })
    service.publish('tokens:live')
    return beats() >= 50
  })
  await until('all has come', () => frames.seqs.length === count && tokens.seqs.length === count)
  const all = Array.from({ length: count }, (_, i) => i + 1)
  assert.deepEqual([frames.seqs, tokens.seqs, story], [all, all, ['open']])
})

test('leaves, hears nothing more, and joins again behind what it has', async (t) => {
  const service = await openLive(t)
  const { socket } = connect(t, service.socketUrl)
  const first = await join(socket, 'frames:live')
  service.publish('frames:live')
  await until('it has come', () => first.seqs.length === 1)
  first.channel.leave()
  await until('it has left', async () => {
    return (
      first.story.includes('closed') &&
      (await service.metric('ti_live_readers{topic="frames:live",state="live"}')) === 0
    )
  })
  service.publish('frames:live')
  service.publish('frames:live')
  const again = await join(socket, 'frames:live', { after_seq: 1 })
  await until('it has what it missed', () => again.seqs.length === 2)
  service.publish('frames:live')
  await until('it follows', () => again.seqs.length === 3)
  assert.deepEqual([first.seqs, again.seqs], [[1], [2, 3, 4]])
  again.channel.leave()
  const atOnce = await join(socket, 'frames:live', { after_seq: 4 })
  service.publish('frames:live')
  await until('it follows that did not wait until it had left', () => atOnce.seqs.length === 1)
  assert.deepEqual([atOnce.story, atOnce.seqs], [['joined'], [5]])
  stop(socket)
  await untilQuiet(service)
})

test('what is wrong is refused with a reason', async (t) => {
  const service = await openLive(t)
  const { socket } = connect(t, service.socketUrl)
  const dead = await join(socket, 'frames:dead')
  dead.channel.leave()
  const bad = await join(socket, 'frames:live', { after_seq: 'x' })
  bad.channel.leave()
  assert.deepEqual([dead.story[0], bad.story[0]], ['refused: unmatched topic', 'refused: bad after_seq'])
  const { channel } = await join(socket, 'tokens:live')
  let reason: string | undefined
  channel.push('shout', {}).receive('error', (response) => {
    reason = response.reason
  })
  await until('the push is answered', () => reason !== undefined)
  assert.equal(reason, 'unknown event')
})

test('a key that is revoked: 1001, and it does not get in again', async (t) => {
  const { keys, revoke } = revocableKeys()
  const service = await openLive(t, { keys, bounds: { visitMs: 60, visitSlots: 3 } })
  const { socket, story } = connect(t, service.socketUrl)
  await join(socket, 'frames:live')
  revoke(KEYS.pro)
  await until('it was refused', async () => (await service.metric('ti_live_refused_total{reason="key"}')) >= 2)
  assert.deepEqual(story.slice(0, 2), ['open', 1001])
  assert.ok(!story.slice(1).includes('open'), story.join())
})
