import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { FORMULAS_VERSION } from '@ti/core/engine/constants.ts'
import { FAMILIES, type Family } from '@ti/core/model/bundles.ts'
import { OperatorError } from '@ti/service/base/errors.ts'
import type { Given, Run } from '@ti/service/cli/definition.ts'
import { type Io, SILENT, throwIfInterrupted } from '@ti/service/cli/io.ts'
import { wrongUsage } from '@ti/service/cli/parse.ts'
import { openCapture } from '@ti/service/source/capture/capture.ts'
import { judgeActors } from '../evaluate/actors.ts'
import type { Case } from '../evaluate/cases.ts'
import { evaluateAll, writeReport } from '../evaluate/evaluate.ts'
import { realNotes } from '../evaluate/real.ts'
import { judgeRugs, type RugFound } from '../evaluate/rugs.ts'
import type { Evaluation, PairFound, Regime, SourceNote } from '../evaluate/sample.ts'
import { countedIn } from '../evaluate/watch.ts'
import { readTruth, type TruthToken, truthPath } from '../simulator/truth.ts'
import { drawCuts, runCut } from './evaluate-cuts.ts'
import { evaluateFamilies } from './evaluate-families.ts'
import { evaluateFlattery } from './evaluate-flatter.ts'
import { pass } from './evaluate-pass.ts'
import { type SimulationOptions, writeSimulation } from './simulate.ts'

export const evaluate: Run = async (given, io) => {
  if (given.has('flatter')) return evaluateFlattery(given, io)
  const seed = given.whole('seed') ?? 1
  const out = given.text('out') ?? './evaluation'
  const logs = logsOf(given)
  const surge = surgeOf(given)
  const isOnce = given.has('once')
  if (given.has('families')) return families(logs, out, given, io)
  const bar = io.progress('evaluate')
  const parts = logs.length * (isOnce ? LOG_PARTS.once : LOG_PARTS.whole) + (surge === null ? 0 : SURGE_PARTS)
  let done = 0
  /** shows progress of the next `size` parts of the work */
  const next = (what: string, size = 1) => {
    const from = done
    done += size
    return (share: number) => bar.update((from + share * size) / parts, () => what)
  }
  const gathered = emptyGathered()
  for (const log of logs) await withCapture(log, io, next, (file) => gather(file, { seed, isOnce }, io, next, gathered))
  const regime = surge === null ? null : await withCapture(surge, io, next, (file) => changing(file, io, next))
  throwIfInterrupted(io)
  const report = evaluateAll(evaluationOf(gathered, regime, commandOf(given)), seed)
  io.leaves(out, 'it may be half of a report')
  writeReport(out, report)
  bar.done()
  const path = join(out, 'report.md')
  io.result(given.has('json') ? `${JSON.stringify({ report: path, json: join(out, 'report.json') })}\n` : `${path}\n`)
}

/** folds of one log plus its creation, and those of the changing market */
const LOG_PARTS = { once: 2, whole: 4 } as const
const SURGE_PARTS = 4

/** Evaluates the families log by log, without outcomes. */
async function families(logs: readonly Log[], out: string, given: Given, io: Io): Promise<void> {
  if (logs.length === 0) throw wrongUsage('FILE or --seeds is missing')
  const use = async (rest: readonly Log[], files: readonly string[]): Promise<void> => {
    const [log, ...others] = rest
    if (log !== undefined)
      return withCapture(
        log,
        io,
        () => () => {},
        (file) => use(others, [...files, file]),
      )
    const truthOf = async (file: string): Promise<TruthToken[]> => {
      const truth = await readTruthOf(file)
      if (truth === null) throw new OperatorError(`${file} has no truth beside it: nothing can be measured`)
      return truth
    }
    io.result(await evaluateFamilies({ command: commandOf(given), out, files, hide: hiddenInTurn(given), truthOf }, io))
  }
  await use(logs, [])
}

function hiddenInTurn(given: Given): readonly Family[] {
  const names = given.text('hide')?.split(',')
  if (names === undefined) return FAMILIES
  if (names.length === 1 && names[0] === 'none') return []
  const wrong = names.find((name) => !FAMILIES.some((family) => family === name))
  if (wrong !== undefined) throw wrongUsage(`${wrong} is no family: ${FAMILIES.join(', ')}, or none`)
  return FAMILIES.filter((family) => names.includes(family))
}

/** A capture, or a market to simulate. */
type Log =
  | { readonly file: string }
  | { readonly market: SimulationOptions; readonly name: string; readonly parts: number }

type Next = (what: string, size?: number) => (share: number) => void

const OWN = ['market', 'trades', 'tps', 'traced', 'adversary'] as const
/** Questions are due after an hour. At this rate 360,000 trades take four hours, with hundreds of tokens at risk. */
const USUAL = { market: '2', trades: '360000', tps: '25' }

function logsOf(given: Given): Log[] {
  if (given.has('real')) return []
  const seeds = given.text('seeds')?.split(',')
  if (given.operands.length > 0) {
    if (seeds !== undefined) throw wrongUsage('either FILE or --seeds')
    return given.operands.map((file) => ({ file }))
  }
  if (seeds === undefined) throw wrongUsage('FILE, --seeds or --real is missing')
  return seeds.map((seed) => ({ market: { ...marketOf(given), seed }, name: `seed ${seed}`, parts: 1 }))
}

const marketOf = (given: Given): SimulationOptions => ({
  ...USUAL,
  ...Object.fromEntries(OWN.flatMap((name) => (given.has(name) ? [[name, given.text(name)!]] : []))),
})

/** The changing market is a log of its own, made with the first seed. */
function surgeOf(given: Given): Log | null {
  const slots = given.whole('surge')
  const [seed] = given.text('seeds')?.split(',') ?? [given.text('seed') ?? '1']
  if (slots === undefined || seed === undefined) return null
  const { trades: _, ...usual } = marketOf(given)
  const market = { ...usual, ...SURGE, seed, surge: `${slots}`, slots: `${2 * slots}` }
  return { market, name: 'changing market', parts: 2 }
}

/** more launches an hour, because both sides need thousands of outcomes */
const SURGE = { tps: '30' }

async function withCapture<T>(log: Log, io: Io, next: Next, use: (file: string) => Promise<T>): Promise<T> {
  if ('file' in log) {
    next('')
    return use(log.file)
  }
  const dir = mkdtempSync(join(tmpdir(), 'token-intelligence-'))
  const removed = io.leaves(dir)
  try {
    const update = next(`simulating, ${log.name}`, log.parts)
    const file = join(dir, 'market.capture')
    const progress = () => ({ update, done() {} })
    await writeSimulation(file, { ...log.market, truth: true }, { ...SILENT, signal: io.signal, progress })
    return await use(file)
  } finally {
    rmSync(dir, { recursive: true, force: true })
    removed()
  }
}

interface Gathered {
  readonly sources: SourceNote[]
  readonly cases: Case[]
  readonly found: PairFound[]
  readonly flagged: RugFound[]
  readonly truth: TruthToken[]
  /** a log without truth makes the whole result unknown */
  isTrue: boolean
  readonly greens: { dead: number; deadGreen: number; phantom: number; phantomGreen: number }
}

const emptyGathered = (): Gathered => ({
  ...{ sources: [], cases: [], found: [], flagged: [], truth: [], isTrue: true },
  greens: { dead: 0, deadGreen: 0, phantom: 0, phantomGreen: 0 },
})

interface GatherOptions {
  readonly seed: number
  /** folded once: neither with hidden evidence nor with restarts */
  readonly isOnce: boolean
}

async function gather(file: string, { seed, isOnce }: GatherOptions, io: Io, next: Next, all: Gathered): Promise<void> {
  const { info } = await openCapture(file)
  const name = info.header.source
  const cuts = drawCuts(info.firstSlot, info.lastSlot, seed)
  const plain = await pass(file, { cuts }, io, next(`${name}: folding, with a look at every launch`))
  // a second pass without decisive evidence, to see whether the other families find the same wallets
  const hidden = isOnce
    ? null
    : await pass(file, { hide: ['atomic'] }, io, next(`${name}: folding without decisive evidence`))
  const at = plain.served.map(({ slot }) => slot)
  const again = isOnce ? null : await runCut(file, at, io, next(`${name}: folding, cut short and restarted`))
  const truth = await readTruthOf(file)
  const differing = plain.served.filter(({ hash }, i) => again?.served[i] !== hash).length
  all.sources.push({
    ...{ simulated: name.startsWith('simulator:'), name, dataHash: plain.dataHash, slots: plain.slots },
    ...{ trades: plain.trades, tokens: plain.tokens, smart: plain.smart },
    actors: truth === null ? null : judgeActors(plain.actors, truth),
    counted: { fold: plain.counted, trades: countedIn(plain.cases) },
    integrity: {
      stateHashes: again === null ? [plain.stateHash] : [plain.stateHash, again.stateHash],
      prefix: again === null ? null : { cuts: plain.served.length, differing },
    },
  })
  for (const one of plain.cases) all.cases.push(one)
  for (const one of plain.flagged) all.flagged.push(one)
  plain.found.forEach((one, i) => {
    all.found.push({ ...one, hidden: hidden?.found[i]?.groups ?? null })
  })
  for (const name of Object.keys(all.greens) as (keyof Gathered['greens'])[]) all.greens[name] += plain.greens[name]
  if (truth === null) all.isTrue = false
  else for (const token of truth) all.truth.push(token)
}

async function readTruthOf(file: string): Promise<TruthToken[] | null> {
  if (!existsSync(truthPath(file))) return null
  const tokens: TruthToken[] = []
  for await (const token of readTruth(truthPath(file))) tokens.push(token)
  return tokens
}

async function changing(file: string, io: Io, next: Next): Promise<Regime> {
  const { info } = await openCapture(file)
  const { cases } = await pass(file, {}, io, next('changing market: folding', 2))
  const fromSlot = info.firstSlot + Math.floor((info.lastSlot - info.firstSlot + 1) / 2)
  const launches = { before: [0, 0] as [number, number], after: [0, 0] as [number, number] }
  for await (const { slot, fate } of readTruth(truthPath(file))) {
    const side = slot < fromSlot ? launches.before : launches.after
    side[1]++
    if (fate === 'graduated') side[0]++
  }
  return { name: info.header.source, fromSlot, launches, cases }
}

const evaluationOf = (all: Gathered, regime: Regime | null, command: string): Evaluation => {
  const truth = all.isTrue && all.sources.length > 0 ? all.truth : null
  return {
    ...{ command, formulasVersion: FORMULAS_VERSION, sources: all.sources, cases: all.cases, found: all.found },
    ...{ truth, rugs: truth === null ? null : judgeRugs(truth, all.flagged), greens: all.greens, regime },
    real: realNotes(),
  }
}

/** The command line that reproduces the report, without the output path. */
function commandOf(given: Given): string {
  const options = [...OWN, 'seeds', 'surge', 'seed'].flatMap((name) =>
    given.has(name) ? [`--${name} ${given.text(name)}`] : [],
  )
  return [
    'evaluate',
    ...(given.operands.length > 0 ? ['FILE'] : []),
    ...(given.has('real') ? ['--real'] : []),
    ...(given.has('once') ? ['--once'] : []),
    ...(given.has('families') ? ['--families'] : []),
    ...(given.has('hide') ? [`--hide ${given.text('hide')}`] : []),
    ...options,
  ].join(' ')
}
