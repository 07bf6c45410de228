import { appendFileSync, existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { createSimulator } from '@ti/lab/simulator/simulator.ts'
import { register } from '@ti/service/extensions.ts'
import type { Source, SourceItem } from '@ti/service/source/source.ts'

/**
 * `SOURCE=paced:left=FILE&tps=1000&blocks=50`: a simulated market that is made beforehand. Its first slots come at once; from
 * when FILE.go exists, one block comes every slot, and FILE gets a line for each: its slot, and the monotonic milliseconds at
 * which it left, END after the last.
 */
export const END = 'end\n'

const SLOT_MS = 400
export const WARMUP_SLOTS = 50
export const FIRST_SLOT = 300_000_000
const POLL_MS = 10

export const nowMs = (): number => Number(process.hrtime.bigint()) / 1e6

function createPaced(options: URLSearchParams): Source {
  const [left, tps, blocks] = [options.get('left')!, Number(options.get('tps')), Number(options.get('blocks'))]
  return {
    name: 'paced',
    async *items(cursor, signal) {
      const slots = WARMUP_SLOTS + blocks
      const startTime = Math.floor(Date.now() / 1000 - WARMUP_SLOTS * (SLOT_MS / 1000))
      const market: SourceItem[] = []
      for await (const item of createSimulator({
        seed: 5,
        tps,
        speed: 0,
        startSlot: FIRST_SLOT,
        startTime,
        slots,
      }).items(cursor, signal))
        market.push(item)
      const first = market.findIndex((item) => item.kind === 'raw' && item.block.slot >= FIRST_SLOT + WARMUP_SLOTS)
      yield* market.slice(0, first)
      while (!existsSync(`${left}.go`)) await sleep(POLL_MS)
      let due = nowMs()
      for (const item of market.slice(first)) {
        if (signal.aborted) return
        if (item.kind === 'raw') {
          due += SLOT_MS
          await sleep(Math.max(0, due - nowMs()))
          appendFileSync(left, `${item.block.slot} ${nowMs()}\n`)
        }
        yield item
      }
      appendFileSync(left, END)
    },
  }
}

register({
  module: import.meta.url,
  sources: [
    {
      name: 'paced',
      example: 'paced:left=FILE&tps=1000&blocks=50',
      open: async (rest) => createPaced(new URLSearchParams(rest)),
    },
  ],
})
