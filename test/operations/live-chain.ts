import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { wallClock } from '@ti/service/base/clock.ts'
import { loadClient } from '@ti/service/source/yellowstone/transport.ts'
import { startFakeServer } from '../fakes/yellowstone.ts'
import { chainOf, simulateChain } from '../fakes/yellowstone-chain.ts'
import { createFakeNode } from '../fakes/yellowstone-node.ts'
import { openWay, type Way } from '../nodes/access-way.ts'
import { seededRandom } from '../support/random.ts'

/** The official client has builds for some platforms only. */
export const noClient: string | false = await loadClient().then(
  () => false as const,
  () => 'the Yellowstone client has no build for this platform',
)

/** The nominal length of a slot. */
const SLOT_MS = 400

interface Ending {
  after(end: () => unknown): void
}

/** An endpoint whose chain goes on with the clock for `minutes`, and the network before it. */
export async function startLiveChain(
  t: Ending,
  minutes: number,
): Promise<{ readonly source: string; readonly way: Way }> {
  const slots = Math.ceil((minutes * 60_000) / SLOT_MS)
  const { blocks } = await simulateChain({ slots, seed: 5, tps: 4 })
  const startMs = Date.now()
  const first = blocks[0]!.slot
  // some slots have no block
  const timeOf = (slot: number): number => Math.floor((startMs + (slot - first) * SLOT_MS) / 1_000)
  const chain = chainOf(blocks.map((block) => ({ ...block, time: timeOf(block.slot) })))
  const head = (): number => chain.first + Math.floor((Date.now() - startMs) / SLOT_MS)
  const random = seededRandom(4)
  const node = createFakeNode({ chain, clock: wallClock, head, random, pollMs: SLOT_MS / 2, pingMs: 1_000 })
  const server = await startFakeServer(node)
  t.after(server.close)
  const way = await openWay(Number(new URL(server.url).port))
  t.after(way.close)
  return { source: `yellowstone:http://127.0.0.1:${way.port}`, way }
}

/** Prices, as the public endpoints answer; the address of its beginning. */
export async function startPrices(t: Ending): Promise<string> {
  const server = createServer((request, response) => {
    response
      .setHeader('content-type', 'application/json')
      .end(JSON.stringify({ usd: request.url === '/one' ? 150 : 150.5 }))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  t.after(() => server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
