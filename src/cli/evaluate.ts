import { createHash } from 'node:crypto'
import { createReadStream, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { LIMITS } from '../config/limits.ts'
import { FORMULAS_VERSION } from '../engine/constants.ts'
import { createThreadedEntryStream } from '../ingest/thread.ts'
import { type ActorsFound, collectActors, judgeActors } from '../lab/evaluate/actors.ts'
import { evaluateAll, writeReport } from '../lab/evaluate/evaluate.ts'
import { realNotes } from '../lab/evaluate/real.ts'
import type { Evaluation, Sample } from '../lab/evaluate/sample.ts'
import { createSampler, type Found } from '../lab/evaluate/sampler.ts'
import { readTruth, type TruthToken, truthPath } from '../lab/simulator/truth.ts'
import { readHead } from '../log/codec.ts'
import type { Family } from '../model/bundles.ts'
import { openNode } from '../service/node.ts'
import { openCapture } from '../source/capture/capture.ts'
import type { Run } from './definition.ts'
import { drawCuts, hashServed, runCut } from './evaluate-cuts.ts'
import { shareOf } from './fold-until.ts'
import { type Io, throwIfInterrupted } from './io.ts'

export const evaluate: Run = async (given, io) => {
  const seed = given.whole('seed') ?? 1
  const out = given.text('out') ?? './evaluation'
  const [file = ''] = given.operands
  const { info } = await openCapture(file)
  const bar = io.progress('evaluate')
  const part = (i: number, what: string) => (share: number) => bar.update((i + share) / PARTS, () => what)
  const cuts = drawCuts(info.firstSlot, info.lastSlot, seed)
  const plain = await pass(file, { samples: true, hide: [], cuts }, io, part(0, 'folding, with samples'))
  // the same log once more, without the evidence that leaves no doubt: do the other families find the same wallets?
  const without = { samples: false, hide: ['atomic', 'jito'], cuts: [] } as const
  const hidden = await pass(file, without, io, part(1, 'folding without decisive evidence'))
  const again = await runCut(
    file,
    plain.served.map(({ slot }) => slot),
    io,
    part(2, 'folding, cut short and restarted'),
  )
  const differing = plain.served.filter(({ hash }, i) => again.served[i] !== hash).length
  const told = existsSync(truthPath(file)) ? await truthOf(file) : null
  const evaluation: Evaluation = {
    source: {
      simulated: info.header.source.startsWith('simulator:'),
      name: info.header.source,
      dataHash: await hashOf(file),
      slots: [info.firstSlot, info.lastSlot],
      trades: plain.trades,
      tokens: plain.tokens,
    },
    formulasVersion: FORMULAS_VERSION,
    samples: plain.samples,
    truth:
      told?.map(({ mint, bundles, snipers, copies, washers }) => ({ mint, bundles, snipers, copies, washers })) ?? null,
    actors: told?.some(({ groups }) => groups !== undefined) ? judgeActors(plain.actors, told) : null,
    found: plain.found.map((one, i) => ({ ...one, hidden: hidden.found[i]?.groups ?? null })),
    integrity: { stateHashes: [plain.stateHash, again.stateHash], prefix: { cuts: plain.served.length, differing } },
    real: realNotes(),
  }
  throwIfInterrupted(io)
  io.leaves(out, 'it may be half of a report')
  writeReport(out, evaluateAll(evaluation, seed))
  bar.done()
  const report = join(out, 'report.md')
  io.result(given.has('json') ? `${JSON.stringify({ report, json: join(out, 'report.json') })}\n` : `${report}\n`)
}

/** folds of one evaluation: of the work by far the most */
const PARTS = 3

interface Served {
  readonly slot: number
  readonly hash: string
}

interface Pass {
  readonly samples: Sample[]
  readonly found: Found[]
  readonly actors: ActorsFound
  readonly trades: number
  readonly tokens: number
  readonly stateHash: string
  /** at each cut: the last block before it, and the hash of what was served until the next */
  readonly served: Served[]
}

interface PassOptions {
  readonly samples: boolean
  /** families of evidence that are not looked at */
  readonly hide: readonly Family[]
  readonly cuts: readonly number[]
}

/** Folds the capture once, looking between blocks. */
async function pass(
  file: string,
  { samples, hide, cuts }: PassOptions,
  io: Io,
  update: (share: number) => void,
): Promise<Pass> {
  const dir = mkdtempSync(join(tmpdir(), 'token-intelligence-'))
  const removed = io.leaves(dir)
  try {
    const { info } = await openCapture(file)
    const node = await openNode(dir, { hide })
    try {
      const { engine, store } = node
      const served: Served[] = []
      const sampler = createSampler(engine, store, { samples })
      const pipeline = node.feed(createThreadedEntryStream(`capture:${file}?speed=0`, dir), {
        commit: LIMITS.commitReplay,
        beforeEntry(bytes) {
          const { kind, slot } = readHead(0, bytes)
          if (kind !== 'block') return
          // what was served until this block
          const isCut = served.length < cuts.length && slot > cuts[served.length]!
          if (isCut && engine.globals.slot >= 0) served.push({ slot: engine.globals.slot, hash: hashServed(node) })
          sampler.before(slot)
        },
        afterEntry() {
          sampler.after()
          update(shareOf(engine.globals.slot, info.firstSlot, info.lastSlot))
        },
      })
      await pipeline.run(io.signal)
      throwIfInterrupted(io)
      const { nextTrade, nextToken } = engine.globals
      const actors = collectActors(store)
      return { ...sampler.finish(), actors, trades: nextTrade, tokens: nextToken, stateHash: store.stateHash(), served }
    } finally {
      await node.close()
    }
  } finally {
    rmSync(dir, { recursive: true, force: true })
    removed()
  }
}

async function truthOf(file: string): Promise<TruthToken[]> {
  const truth: TruthToken[] = []
  for await (const token of readTruth(truthPath(file))) truth.push(token)
  return truth
}

async function hashOf(file: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer)
  return hash.digest('hex')
}
