import '@ti/lab/register.ts'
import { readFileSync } from 'node:fs'
import { createThreadedEntryStream } from '@ti/service/ingest/thread.ts'
import { openNode } from '@ti/service/service/node.ts'

/** Folds a simulated market in a process of its own and reports its memory. */
export interface Sample {
  readonly trades: number
  /** Hours of the market, and seconds of this machine. */
  readonly hours: number
  readonly seconds: number
  /** MB of the process's own memory, of JavaScript's heap after a collection, and of mapped files in memory. */
  readonly ownMb: number
  readonly heapMb: number
  readonly mappedMb: number
  readonly tokens: number
  readonly tokensInMemory: number
  readonly walletsInMemory: number
  /** Positions of all tokens in memory, and of graduates, which stay for a day. */
  readonly positionsInMemory: number
  readonly graduatePositions: number
}

const SLOT_SECONDS = 0.4
const MB = 2 ** 20
const [, , dataDir, source, trades, samples] = process.argv as [string, string, string, string, string, string]

/** kB of a line of /proc/self/status; Linux only. */
function kilobytes(name: string): number {
  const found = new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(readFileSync('/proc/self/status', 'utf8'))
  return found === null ? 0 : Number(found[1])
}

async function main(): Promise<void> {
  const node = await openNode(dataDir)
  const { globals, sizes } = node.engine
  const started = performance.now()
  const every = Math.ceil(Number(trades) / Number(samples))
  let next = every

  function sample(): Sample {
    global.gc?.()
    const { tokens, wallets, positions, graduatePositions } = sizes()
    return {
      trades: globals.nextTrade,
      hours: ((globals.slot - globals.firstSlot) * SLOT_SECONDS) / 3_600,
      seconds: (performance.now() - started) / 1_000,
      ownMb: kilobytes('RssAnon') / 1_024,
      heapMb: process.memoryUsage().heapUsed / MB,
      mappedMb: kilobytes('RssFile') / 1_024,
      tokens: globals.nextToken,
      tokensInMemory: tokens,
      walletsInMemory: wallets,
      positionsInMemory: positions,
      graduatePositions,
    }
  }

  const onCommit = (): void => {
    if (globals.nextTrade < next) return
    next = globals.nextTrade + every
    process.send?.(sample())
  }
  await node
    .feed(createThreadedEntryStream(source, dataDir), { commit: { events: 10_000, delayMs: 10_000 }, onCommit })
    .run(new AbortController().signal)
  process.send?.(sample())
  await node.close()
}

await main()
process.disconnect?.()
