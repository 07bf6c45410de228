import { createHash } from 'node:crypto'
import { createReadStream, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { LIMITS } from '../config/limits.ts'
import type { Family } from '../engine/bundles/state.ts'
import { FORMULAS_VERSION } from '../engine/constants.ts'
import { evaluateAll, writeReport } from '../evaluate/evaluate.ts'
import { realNotes } from '../evaluate/real.ts'
import type { Evaluation, PairTruth, Sample } from '../evaluate/sample.ts'
import { createSampler, type Found } from '../evaluate/sampler.ts'
import { createThreadedEntryStream } from '../ingest/thread.ts'
import { readHead } from '../log/codec.ts'
import { openNode } from '../node.ts'
import { openCapture } from '../source/capture/capture.ts'
import { readTruth, truthPath } from '../source/simulator/truth.ts'
import { type Command, parse, wholeNumber } from './command.ts'
import { drawCuts, hashServed, runCut } from './evaluate-cuts.ts'
import { createProgressBar } from './progress.ts'

const usage = `evaluate FILE [--out DIR] [--seed N]
  folds a capture, samples every launch as it was served and learns what became of it; writes report.md,
  report.json and plots into DIR (./evaluation). A truth file beside the capture is used when there is one.`

export const evaluate: Command = {
  usage,
  async run(args) {
    const options = { out: { type: 'string' }, seed: { type: 'string' } } as const
    const { values, positionals } = parse(usage, args, options, { min: 1, max: 1 })
    const seed = wholeNumber('seed', values.seed) ?? 1
    const out = values.out ?? './evaluation'
    const [file] = positionals as [string]
    const { info } = await openCapture(file)
    const cuts = drawCuts(info.firstSlot, info.lastSlot, seed)
    const plain = await pass(file, 'samples', true, [], cuts)
    // the same log once more, without the evidence that leaves no doubt: do the other families find the same wallets?
    const hidden = await pass(file, 'without decisive evidence', false, ['atomic', 'jito'])
    const again = await runCut(
      file,
      plain.served.map(({ slot }) => slot),
    )
    const differing = plain.served.filter(({ hash }, i) => again.served[i] !== hash).length
    const truth = existsSync(truthPath(file)) ? await truthOf(file) : null
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
      truth,
      found: plain.found.map((one, i) => ({ ...one, hidden: hidden.found[i]?.groups ?? null })),
      integrity: { stateHashes: [plain.stateHash, again.stateHash], prefix: { cuts: plain.served.length, differing } },
      real: realNotes(),
    }
    writeReport(out, evaluateAll(evaluation, seed))
    process.stdout.write(`${join(out, 'report.md')}\n`)
  },
}

interface Served {
  readonly slot: number
  readonly hash: string
}

interface Pass {
  readonly samples: Sample[]
  readonly found: Found[]
  readonly trades: number
  readonly tokens: number
  readonly stateHash: string
  /** at each cut: the last block before it, and the hash of what was served until the next */
  readonly served: Served[]
}

/** Folds the capture once, looking between blocks. */
async function pass(
  file: string,
  name: string,
  samples: boolean,
  hide: readonly Family[],
  cuts: readonly number[] = [],
): Promise<Pass> {
  const dir = mkdtempSync(join(tmpdir(), 'token-intelligence-'))
  const bar = createProgressBar(name)
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
        afterEntry: sampler.after,
        onCommit: () =>
          bar.update(
            (engine.globals.slot - info.firstSlot) / (info.lastSlot - info.firstSlot + 1),
            `${engine.globals.nextTrade} trades`,
          ),
      })
      await pipeline.run(new AbortController().signal)
      bar.done()
      const { nextTrade, nextToken } = engine.globals
      return { ...sampler.finish(), trades: nextTrade, tokens: nextToken, stateHash: store.stateHash(), served }
    } finally {
      await node.close()
    }
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}

async function truthOf(file: string): Promise<PairTruth[]> {
  const truth: PairTruth[] = []
  for await (const { mint, bundles, snipers, copies, washers } of readTruth(truthPath(file)))
    truth.push({ mint, bundles, snipers, copies, washers })
  return truth
}

async function hashOf(file: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer)
  return hash.digest('hex')
}
