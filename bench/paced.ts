import { appendFileSync, existsSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { createSimulator } from '@ti/lab/simulator/simulator.ts'
import { register } from '@ti/service/extensions.ts'
import type { RawItem, Source, SourceItem } from '@ti/service/source/source.ts'
import { readBlock } from '@ti/service/source/wire/reader.ts'
import { writeBlock } from '@ti/service/source/wire/writer.ts'

/**
 * `SOURCE=paced:left=FILE&tps=1000&blocks=50`: a simulated market that is made beforehand. Its first slots come at once, and
 * FILE.warm tells the last of them. From when FILE.go exists one block comes every slot, and FILE gets a line for each: its slot,
 * and the monotonic milliseconds at which it left; END after the last.
 */
export const END = 'end\n'

const SLOT_MS = 400
const WARMUP_SLOTS = 50
const FIRST_SLOT = 300_000_000
const POLL_MS = 10

export const nowMs = (): number => Number(process.hrtime.bigint()) / 1e6

function createPaced(options: URLSearchParams): Source {
  const [left, tps, blocks] = [options.get('left')!, Number(options.get('tps')), Number(options.get('blocks'))]
  return {
    name: 'paced',
    async *items(cursor, signal) {
      const slots = WARMUP_SLOTS + blocks
      const startTime = Math.floor(Date.now() / 1000 - WARMUP_SLOTS * (SLOT_MS / 1000))
      // as bytes: the objects of a market would have the collector walk through them while blocks are decoded
      const market: (
        | Exclude<SourceItem, RawItem>
        | { readonly kind: 'bytes'; readonly slot: number; readonly bytes: Buffer }
      )[] = []
      for await (const item of createSimulator({
        seed: 5,
        tps,
        speed: 0,
        startSlot: FIRST_SLOT,
        startTime,
        slots,
      }).items(cursor, signal))
        market.push(
          item.kind === 'raw' ? { kind: 'bytes', slot: item.block.slot, bytes: writeBlock(item.block) } : item,
        )
      let due = 0
      let last = -1
      for (const item of market) {
        if (signal.aborted) return
        if (item.kind !== 'bytes') {
          yield item
          continue
        }
        const block = readBlock(item.bytes)
        if (item.slot >= FIRST_SLOT + WARMUP_SLOTS) {
          if (due === 0) writeFileSync(`${left}.warm`, `${last}`)
          while (due === 0 && !existsSync(`${left}.go`)) await sleep(POLL_MS)
          due = (due === 0 ? nowMs() : due) + SLOT_MS
          await sleep(Math.max(0, due - nowMs()))
          appendFileSync(left, `${item.slot} ${nowMs()}\n`)
        }
        // a block of the past would be committed with the next one
        last = item.slot
        yield { kind: 'raw', block: { ...block, time: Math.floor(Date.now() / 1000) } }
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
