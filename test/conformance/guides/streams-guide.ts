import type { Frame } from '@ti/core/contract/streams.ts'
import { Socket } from 'phoenix'
import { WebSocket } from 'ws'

/* The functions that docs/streams.md shows: compiled here, compared with the page and run by a test. */

/** Every frame once, also over breaks and restarts. `url`: `ws://127.0.0.1:4000/socket`; `lastSeq`: kept from before. */
export function followFrames(url: string, key: string, lastSeq: number | null, onFrame: (frame: Frame) => void) {
  const socket = new Socket(url, { transport: WebSocket, authToken: key })
  const channel = socket.channel('frames:live', () => (lastSeq === null ? {} : { after_seq: lastSeq }))
  channel.on('frame', (frame: Frame) => {
    if (lastSeq !== null && frame.data.seq <= lastSeq) return
    lastSeq = frame.data.seq
    onFrame(frame)
  })
  channel.join().receive('ok', ({ seq, resumed }) => {
    if (lastSeq !== null && !resumed) console.error(`not resumed after ${lastSeq}: it goes on after ${seq}`)
    if (!resumed) lastSeq = seq
  })
  socket.connect()
  return socket
}

/** The events of tokens as they come, until the connection ends; `url`: `ws://127.0.0.1:4000/socket`. */
export function listen(url: string, key: string, onEvent: (event: unknown) => void, onEnd: (code: number) => void) {
  const socket = new WebSocket(`${url}/websocket?vsn=2.0.0`, { headers: { authorization: `Bearer ${key}` } })
  const say = (...message: unknown[]) => socket.send(JSON.stringify(message))
  const beat = setInterval(() => say(null, 'beat', 'phoenix', 'heartbeat', {}), 25_000)
  socket.on('open', () => say('1', '1', 'tokens:live', 'phx_join', {}))
  socket.on('message', (text) => {
    const [, , , event, payload] = JSON.parse(String(text))
    if (event === 'token_event') onEvent(payload)
  })
  socket.on('error', (error) => console.error(error.message))
  socket.on('close', (code) => {
    clearInterval(beat)
    onEnd(code)
  })
  return socket
}
