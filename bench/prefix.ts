import { createSimulator } from '@ti/lab/simulator/simulator.ts'
import { createEntryStream } from '@ti/service/ingest/entries.ts'
import { readHead } from '@ti/service/log/codec.ts'
import { createFolder, differing, drawTokens, serve } from '../test/properties/prefix.ts'
import { seededRandom } from '../test/support/random.ts'
import type { BenchRow } from './types.ts'

/**
 * Look-ahead test over a whole simulated day. One service runs through; another is stopped at each of 50 random slots,
 * without having seen anything later, and restarts from disk. At equal slots both must serve the same bytes.
 */
const DAY_SLOTS = 216_000
const SEED = Number(process.env.PREFIX_SEED ?? 11)
const TPS = Number(process.env.PREFIX_TPS ?? 5)
const CUTS = 50
const TOKENS = 200

export async function benchPrefix(): Promise<BenchRow[]> {
  const random = seededRandom(SEED)
  const whole = createFolder()
  const cut = createFolder()
  const first = 300_000_000
  const cuts = Array.from({ length: CUTS }, () => first + Math.floor(random() * DAY_SLOTS)).sort((a, b) => a - b)
  const stream = createEntryStream(createSimulator({ seed: SEED, tps: TPS, speed: 0, slots: DAY_SLOTS }), 1 << 20)
  let compared = 0
  const wrong: string[] = []
  let pending: Buffer[] = []
  const flush = (): void => {
    whole.fold(pending, 97)
    cut.fold(pending, Number.POSITIVE_INFINITY)
    pending = []
  }
  const compare = async (slot: number): Promise<void> => {
    flush()
    const tokens = drawTokens(whole.engine.globals.nextToken, TOKENS, random)
    const expected = serve(whole, tokens)
    await cut.restart()
    for (const name of differing(serve(cut, tokens), expected)) wrong.push(`${name} at ${slot}`)
    compared += expected.size
  }
  try {
    for await (const batch of stream.batches({ slot: -1, time: 0, facts: 0 }, new AbortController().signal)) {
      for (const bytes of batch) {
        const head = readHead(0, bytes)
        while (head.kind === 'block' && cuts.length > 0 && head.slot > cuts[0]!) await compare(cuts.shift()!)
        pending.push(bytes)
        if (pending.length >= 5_000) flush()
      }
    }
    flush()
    const hashes = [whole.store.stateHash(), cut.store.stateHash()]
    const trades = whole.engine.globals.nextTrade
    return [
      {
        name: `answers that differ between a day run through and one cut off and restarted at ${CUTS} random slots (at most)`,
        ratio: wrong.length,
        bar: 0,
        pass: wrong.length === 0 && compared > 0 && hashes[0] === hashes[1],
        detail: `${compared} answers compared over ${trades} trades (seed ${SEED}, ${TPS} trades/s); final state ${hashes[0]} and ${hashes[1]}${wrong.length > 0 ? `; first: ${wrong.slice(0, 3).join(', ')}` : ''}`,
      },
    ]
  } finally {
    await whole.remove()
    await cut.remove()
  }
}
