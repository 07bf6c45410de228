import '@ti/lab/register.ts'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createEntryStream, type EntryStream } from '@ti/service/ingest/entries.ts'
import { createSharedEntryStream, positionOf } from '@ti/service/ingest/shared.ts'
import { openNatsStream } from '@ti/service/log/jetstream/nats.ts'
import { COMMIT_REPLAY, openNode } from '@ti/service/service/node.ts'
import { openSource } from '@ti/service/source/open.ts'
import { startNats } from '../test/nats.ts'
import type { BenchRow } from './types.ts'

/** A simulated market folded by one node: directly from the source, and through a stream with three replicas. */
const TRADES = Number(process.env.BENCH_TRADES ?? 40_000)
const ROUNDS = 3
/** mainnet has 2.5 entries a second; the rate only has to let a restart catch up in minutes */
const BAR = 0.15

export async function benchSharedLog(): Promise<BenchRow[]> {
  const ends: (() => unknown)[] = []
  try {
    const rates = { embedded: [] as number[], shared: [] as number[] }
    for (let round = 0; round < ROUNDS; round++) {
      rates.embedded.push(await foldRate(await source()))
      const nats = await startNats({ after: (end) => void ends.unshift(end) }, 3)
      const stop = new AbortController()
      const stream = await openNatsStream({
        servers: nats.url.split(','),
        keep: null,
        signal: stop.signal,
      })
      rates.shared.push(
        await foldRate(async (position) =>
          createSharedEntryStream({ stream, position, source: await (await source())(position) }),
        ),
      )
      await stream.close()
      for (const end of ends.splice(0)) await end()
    }
    const [embedded, shared] = [Math.max(...rates.embedded), Math.max(...rates.shared)]
    const list = (values: number[]): string => values.map(Math.round).join(' ')
    return [
      {
        name: 'fold over a stream of three copies against the embedded log, entries/s (at least)',
        ratio: shared / embedded,
        bar: BAR,
        pass: shared / embedded >= BAR,
        detail: `${TRADES} trades; embedded ${list(rates.embedded)}, shared ${list(rates.shared)} entries/s; three servers, writer and reader on this machine`,
      },
    ]
  } finally {
    for (const end of ends) await end()
  }
}

type Position = Parameters<typeof createSharedEntryStream>[0]['position']
type Open = (position: Position) => EntryStream | Promise<EntryStream>

const source = async (): Promise<Open> => {
  const opened = await openSource(`simulator:speed=0&trades=${TRADES}`)
  return () => createEntryStream(opened)
}

/** Log entries per second, until nothing arrived for a while. */
async function foldRate(open: Open): Promise<number> {
  const dir = mkdtempSync(join(tmpdir(), 'bench-shared-'))
  const node = await openNode(dir)
  const { globals } = node.engine
  const stop = new AbortController()
  try {
    const entries = await open(() => positionOf(node.engine))
    const start = performance.now()
    let last = start
    const pipeline = node.feed(entries, {
      commit: COMMIT_REPLAY,
      onCommit() {
        last = performance.now()
      },
    })
    const idle = setInterval(() => {
      if (globals.seq > 0 && performance.now() - last > 3_000) stop.abort()
    }, 200)
    await pipeline.run(stop.signal)
    clearInterval(idle)
    return (globals.seq + 1) / ((last - start) / 1000)
  } finally {
    await node.close()
    rmSync(dir, { recursive: true, force: true })
  }
}
