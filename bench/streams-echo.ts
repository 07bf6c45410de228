import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { frameTexts } from '@ti/service/faces/live/wire.ts'
import { END, nowMs } from './paced.ts'

/**
 * The anchor of bench/streams.ts, started with fork(): FILE has the bytes that a reader of the service got. One block's are written
 * to each socket at the moment at which the block is there, every 400 ms from when LEFT.go exists.
 */
const SLOT_MS = 400
const [, , file, left] = process.argv as [string, string, string, string]
const all = readFileSync(file)
const ends: readonly (readonly [slot: number, end: number])[] = JSON.parse(readFileSync(`${file}.json`, 'utf8'))
const sockets = new Set<Socket>()

const server = createServer((socket) => {
  socket.setNoDelay(true)
  socket.once('data', () => {
    socket.write('HTTP/1.1 101 Switching Protocols\r\n\r\n')
    socket.write(frameTexts(['["1","1","frames:live","phx_reply",{"status":"ok","response":{}}]']))
    sockets.add(socket)
    socket.resume()
  })
  socket.on('error', () => {})
})
process.on('disconnect', () => process.exit(0))
server.listen(0, '127.0.0.1', 2_000, () => process.send?.({ port: (server.address() as AddressInfo).port }))

while (!existsSync(`${left}.go`)) await sleep(10)
let due = nowMs()
let from = 0
for (const [slot, end] of ends) {
  due += SLOT_MS
  await sleep(Math.max(0, due - nowMs()))
  appendFileSync(left, `${slot} ${nowMs()}\n`)
  const bytes = all.subarray(from, end)
  for (const socket of sockets) socket.write(bytes)
  from = end
}
appendFileSync(left, END)
