import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Card } from '@ti/core/engine/outlook/card.ts'
import { CARDS } from '@ti/core/engine/outlook/cards.ts'
import { QUESTIONS, type Question } from '@ti/core/engine/outlook/questions.ts'
import { type Io, throwIfInterrupted } from '@ti/service/cli/io.ts'
import { createThreadedEntryStream } from '@ti/service/ingest/thread.ts'
import { COMMIT_REPLAY, openNode } from '@ti/service/service/node.ts'
import { fitBands, fitCard, summed } from '../evaluate/cards-fit.ts'
import { judgeCards, judgeServed } from '../evaluate/cards-judge.ts'
import { type CardRow, createRowCollector } from '../evaluate/cards-rows.ts'
import { cardsModule } from '../evaluate/cards-write.ts'

const market = (seed: number): string => `simulator:market=2&seed=${seed}&tps=25&slots=30000&speed=0`
const from = (seed: number, length: number): string[] => Array.from({ length }, (_, n) => market(seed + n))
const TRAINING = [600, 610, 620].flatMap((seed) => from(seed, 8))
/** bands and probabilities come from markets that the cards were not fitted on */
const BANDS = [501, 521].flatMap((seed) => from(seed, 7))
const UNSEEN = market(201)

/** FILE is a capture, or a simulated market as in SOURCE. */
const sourceOf = (file: string): string => (file.startsWith('simulator:') ? file : `capture:${file}?speed=0`)

/**
 * Fits the cards of the outlook and writes them as a module. The last source evaluates them; a fifth of the others,
 * taken from the end, determines bands and probabilities.
 */
export async function fitCards(out: string, files: readonly string[], io: Io): Promise<string> {
  const isGiven = files.length > 2
  const sources = isGiven ? files.map(sourceOf) : [...TRAINING, ...BANDS, UNSEEN]
  const rows = await collectAll(sources, io)
  const held = isGiven ? Math.max(1, Math.floor((sources.length - 1) / 5)) : BANDS.length
  const training = rows.slice(0, -1 - held).flat()
  const others = rows.slice(-1 - held, -1).flat()
  const cards = cardsOf((question) => {
    const inputs = fitCard(training.filter((row) => row.question === question))
    return {
      inputs,
      ...fitBands(
        summed(
          inputs,
          others.filter((row) => row.question === question),
        ),
      ),
    }
  })
  writeFileSync(
    out,
    cardsModule(
      cards,
      { rows: training, sources: sources.slice(0, -1 - held) },
      { rows: others, sources: sources.slice(-1 - held, -1) },
    ),
  )
  return `${[`${out}, judged on ${sources.at(-1)}`, ...judgeCards(cards, rows.at(-1)!)].join('\n')}\n`
}

/** Writes this build's cards with bands and probabilities from the sources. */
export async function fitBandsAnew(out: string, files: readonly string[], io: Io): Promise<string> {
  const sources = files.length > 0 ? files.map(sourceOf) : BANDS
  const rows = (await collectAll(sources, io)).flat()
  const cards = cardsOf((question) => {
    const { inputs } = CARDS[question]
    return {
      inputs,
      ...fitBands(
        summed(
          inputs,
          rows.filter((row) => row.question === question),
        ),
      ),
    }
  })
  writeFileSync(out, cardsModule(cards, null, { rows, sources }))
  return `${out}\n`
}

const cardsOf = (fit: (question: Question) => Card): Record<Question, Card> =>
  Object.fromEntries(QUESTIONS.map((question) => [question, fit(question)])) as Record<Question, Card>

/** Evaluates this build's predictions on logs that the cards were not fitted on. */
export async function judgeBuiltCards(files: readonly string[], io: Io): Promise<string> {
  const sources = files.length > 0 ? files.map(sourceOf) : [UNSEEN]
  const rows = await collectAll(sources, io)
  return `${sources.flatMap((source, i) => [source, ...judgeServed(rows[i]!)]).join('\n')}\n`
}

async function collectAll(sources: readonly string[], io: Io): Promise<CardRow[][]> {
  const bar = io.progress('evaluate')
  const all: CardRow[][] = []
  for (const [part, source] of sources.entries()) {
    bar.update(part / sources.length, () => source)
    all.push(await collect(source, part, io))
  }
  bar.done()
  return all
}

async function collect(source: string, part: number, io: Io): Promise<CardRow[]> {
  const dir = mkdtempSync(join(tmpdir(), 'token-intelligence-'))
  const removed = io.leaves(dir)
  try {
    const { rows, watcher } = createRowCollector(part)
    const node = await openNode(dir, { watcher })
    try {
      await node.feed(createThreadedEntryStream(source, dir), { commit: COMMIT_REPLAY }).run(io.signal)
      throwIfInterrupted(io)
      return rows
    } finally {
      await node.close()
    }
  } finally {
    rmSync(dir, { recursive: true, force: true })
    removed()
  }
}
