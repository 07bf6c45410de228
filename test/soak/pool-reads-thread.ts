import { setTimeout } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { openPoolReader } from '@ti/service/store/pool-reader.ts'
import { createMarket, randomFrom } from './market.ts'
import type { MarketOf } from './roles.ts'

/** A thread that looks up pools in the store its process writes, as the decoding thread does. */
const { dir, seed, pattern } = workerData as MarketOf & { dir: string }
const market = createMarket(seed, pattern)
const random = randomFrom(seed)
const LOOKUPS = 20
const PAUSE_MS = 5

const reader = openPoolReader(dir)
let reads = 0
let known = 1
let isOver = false
parentPort!.once('message', () => {
  isOver = true
})
while (!isOver) {
  for (let i = 0; i < LOOKUPS; i++) {
    // a little beyond the newest launch that was seen
    const token = Math.floor(random() * (known + 50))
    const found = reader.resolve(market.curve(token))
    reads++
    if (found === undefined) continue
    if (found.mint !== market.mint(token)) throw new Error(`the pool of token ${token} is answered with another mint`)
    known = Math.max(known, token)
  }
  await setTimeout(PAUSE_MS)
}
await reader.close()
parentPort!.postMessage(reads)
