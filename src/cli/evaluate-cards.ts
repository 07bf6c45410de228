import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { LIMITS } from '../config/limits.ts'
import type { Card } from '../engine/outlook/card.ts'
import { QUESTIONS, type Question } from '../engine/outlook/questions.ts'
import { createThreadedEntryStream } from '../ingest/thread.ts'
import { fitCard } from '../lab/evaluate/cards-fit.ts'
import { judgeCards, judgeServed } from '../lab/evaluate/cards-judge.ts'
import { type CardRow, createRowCollector } from '../lab/evaluate/cards-rows.ts'
import { cardsModule } from '../lab/evaluate/cards-write.ts'
import { openNode } from '../service/node.ts'
import { type Io, throwIfInterrupted } from './io.ts'

const market = (seed: number): string => `simulator:market=2&seed=${seed}&tps=25&slots=30000&speed=0`
const TRAINING = Array.from({ length: 18 }, (_, n) => market(101 + n))
const UNSEEN = market(201)

/** FILE is a capture, or a simulated market as in SOURCE. */
const sourceOf = (file: string): string => (file.startsWith('simulator:') ? file : `capture:${file}?speed=0`)

/** Fits the cards of the outlook and writes them as a module; judges them on the last of the sources, which they were not fitted on. */
export async function fitCards(out: string, files: readonly string[], io: Io): Promise<string> {
  const sources = files.length > 1 ? files.map(sourceOf) : [...TRAINING, UNSEEN]
  const rows = await collectAll(sources, io)
  const training = rows.slice(0, -1).flat()
  const cards = {} as Record<Question, Card>
  for (const question of QUESTIONS) cards[question] = fitCard(training.filter((row) => row.question === question))
  writeFileSync(out, cardsModule(cards, training, sources.slice(0, -1)))
  return `${[`${out}, judged on ${sources.at(-1)}`, ...judgeCards(cards, rows.at(-1)!)].join('\n')}\n`
}

/** What the cards of this build served, on logs that they were not fitted on. */
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
      await node.feed(createThreadedEntryStream(source, dir), { commit: LIMITS.commitReplay }).run(io.signal)
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
