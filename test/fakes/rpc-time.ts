import { ANSWER_BYTES, CONNECTIONS } from '@ti/service/observe/outbound/json-rpc.ts'
import { createNodeTransport, type Transport } from '@ti/service/observe/outbound/node-transport.ts'
import { type Dial, dial } from '@ti/service/source/rpc/session.ts'
import type { WebSocket } from 'ws'
import type { FakeNode } from './rpc.ts'
import { createVirtualClock, type VirtualClock } from './yellowstone-clock.ts'

/** What a source needs to follow a fake node over real sockets in a time that no slow machine can run out of. */
export interface NodeTime {
  readonly clock: VirtualClock
  readonly transport: Transport
  readonly dial: Dial
  stop(): Promise<void>
}

interface End {
  readonly query: string
  readonly socket: WebSocket
  sent: number
  received: number
  paused: boolean
}

/**
 * A virtual clock that stands still while anything is on its way between the two: a request that the node is going to answer, a
 * message of a stream, the opening or the end of a connection. So what is waited for in vain is what the node never sends.
 */
export function createNodeTime(node: FakeNode): NodeTime {
  const requests = new Set<number>()
  const ends = new Set<End>()
  const http = createNodeTransport(node.url, ANSWER_BYTES, CONNECTIONS)
  let dialled = 0

  function isMoving({ query, socket, sent, received, paused }: End): boolean {
    const line = node.line(query)
    if (socket.readyState !== socket.OPEN || line === undefined || line.closed) return true
    return (line.sent !== received && !paused) || line.received !== sent
  }

  const clock = createVirtualClock(
    0,
    () => [...requests].some((id) => !node.isSilent(id)) || [...ends].some((end) => isMoving(end)),
  )

  return {
    clock,
    transport: {
      async post(body, signal) {
        const { id } = JSON.parse(body) as { id: number }
        requests.add(id)
        try {
          return await http.post(body, signal)
        } finally {
          requests.delete(id)
        }
      },
      close: http.close,
    },
    dial(url) {
      const address = new URL(url)
      address.search = `?line=${++dialled}`
      const socket = dial(address.href)
      const end: End = { query: address.search, socket, sent: 0, received: 0, paused: false }
      ends.add(end)
      const send = socket.send.bind(socket) as (text: string) => void
      const { pause, resume } = socket
      Object.assign(socket, {
        send(text: string) {
          end.sent++
          send(text)
        },
        pause() {
          end.paused = true
          pause.call(socket)
        },
        resume() {
          end.paused = false
          resume.call(socket)
        },
      })
      socket.on('message', () => end.received++)
      socket.on('close', () => ends.delete(end))
      return socket
    },
    async stop() {
      clock.stop()
      await http.close()
    },
  }
}
