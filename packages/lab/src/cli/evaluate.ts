import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { FAMILIES, type Family } from '@ti/core/model/bundles.ts'
import { OperatorError } from '@ti/service/base/errors.ts'
import type { Given, Run } from '@ti/service/cli/definition.ts'
import { type Io, SILENT, throwIfInterrupted } from '@ti/service/cli/io.ts'
import { wrongUsage } from '@ti/service/cli/parse.ts'
import { readLabels } from '../evaluate/labels.ts'
import type { Material, Section } from '../evaluate/looks.ts'
import { ablationSection, barsOf, judge, toMarkdown } from '../evaluate/report.ts'
import { flatter } from '../flatter/flatter.ts'
import { tricksSection } from '../flatter/section.ts'
import { pass } from './evaluate-pass.ts'
import { writeSimulation } from './simulate.ts'

/** Real material lies beside the project, not in it: it must not be copied. */
const LABELLED = '../shared/data/real3/labelled'
/** bytes of the unpacked capture: the known one has 30 MB */
const LABELLED_BYTES_MAX = 256 << 20
/** Questions are due after an hour: at this rate 90 minutes have hundreds of tokens at risk. */
const USUAL = { market: '3', slots: '13500', tps: '25' }
const MARKET = ['market', 'trades', 'slots', 'tps', 'traced', 'adversary', 'kinds'] as const

export const evaluate: Run = async (given, io) => {
  const seed = given.whole('seed') ?? 1
  const hidden = hiddenIn(given)
  const isReal = given.has('real')
  const dir = mkdtempSync(join(tmpdir(), 'token-intelligence-'))
  const removed = io.leaves(dir)
  const bar = io.progress('evaluate')
  try {
    const files = isReal ? [labelledCapture(dir)] : await capturesOf(given, dir, io)
    const labels = isReal ? readLabels(readFileSync(join(LABELLED, 'labels.csv'), 'utf8')) : null
    const runs = files.length * (1 + hidden.length)
    let done = 0
    const fold = async (hide: readonly Family[]): Promise<Material[]> => {
      const materials: Material[] = []
      for (const file of files) {
        const update = (share: number): void =>
          bar.update((done + share) / runs, () => `folding ${file}${hide.length > 0 ? ` without ${hide[0]}` : ''}`)
        materials.push(await pass(file, { hide, isLabelled: isReal }, io, update))
        done++
      }
      return materials
    }
    const materials = await fold([])
    const sections = materials.length === 0 ? [] : judge(materials, labels, seed)
    const without = new Map<string, Section[]>()
    for (const family of hidden) without.set(family, judge(await fold([family]), labels, seed))
    if (hidden.length > 0) sections.push(ablationSection(sections, without))
    if (given.has('tricks')) sections.push(await tricks(given, io))
    throwIfInterrupted(io)
    bar.done()
    const report = { command: commandOf(given), seed, materials, sections }
    io.result(toMarkdown(report))
    const missed = barsOf(report).filter(({ passed }) => passed === false).length
    if (given.has('strict') && missed > 0) throw new OperatorError(`${missed} bars are missed`)
  } finally {
    rmSync(dir, { recursive: true, force: true })
    removed()
  }
}

/** A market with the first seed, long enough for some fifty planted rugs. */
const TRICKS = { slots: 10_800, tps: 12, most: 12 }

async function tricks(given: Given, io: Io): Promise<Section> {
  const [seed] = (given.text('seeds') ?? '1').split(',')
  const bar = io.progress('tricks')
  const update = (share: number): void => bar.update(share, () => 'replaying launches with tricks')
  const market = Number(given.text('market') ?? USUAL.market)
  const flattery = await flatter({ ...TRICKS, market, seed: Number(seed), signal: io.signal, update })
  throwIfInterrupted(io)
  bar.done()
  return tricksSection(flattery)
}

function hiddenIn(given: Given): Family[] {
  const names = given.text('without')?.split(',') ?? []
  if (names.length === 1 && names[0] === 'each') return [...FAMILIES]
  return names.map((name) => {
    const family = FAMILIES.find((one) => one === name)
    if (family === undefined) throw wrongUsage(`${name} is no family: ${FAMILIES.join(', ')}, or each`)
    return family
  })
}

function labelledCapture(dir: string): string {
  const packed = join(LABELLED, 'labelled.capture.gz')
  if (!existsSync(packed)) throw new OperatorError(`the labelled tokens are not here: there is no ${packed}`)
  const file = join(dir, 'labelled.capture')
  writeFileSync(file, gunzipSync(readFileSync(packed), { maxOutputLength: LABELLED_BYTES_MAX }))
  return file
}

/** The files given, or markets simulated for the seeds. */
async function capturesOf(given: Given, dir: string, io: Io): Promise<string[]> {
  const seeds = given.text('seeds')?.split(',')
  if (given.operands.length > 0) {
    if (seeds !== undefined) throw wrongUsage('either FILE or --seeds')
    return [...given.operands]
  }
  if (seeds === undefined) {
    if (given.has('tricks')) return []
    throw wrongUsage('FILE, --seeds, --tricks or --real is missing')
  }
  const own = Object.fromEntries(MARKET.flatMap((name) => (given.has(name) ? [[name, given.text(name)!]] : [])))
  const { slots, ...usual } = USUAL
  const market = { ...usual, ...(own.trades === undefined ? { slots } : {}), ...own, truth: true }
  const bar = io.progress('simulate')
  const files: string[] = []
  for (const [i, seed] of seeds.entries()) {
    const file = join(dir, `seed-${seed}.capture`)
    const progress = () => ({
      update: (share: number) => bar.update((i + share) / seeds.length, () => `seed ${seed}`),
      done() {},
    })
    await writeSimulation(file, { ...market, seed }, { ...SILENT, signal: io.signal, progress })
    files.push(file)
  }
  bar.done()
  return files
}

/** The command line that makes the report again. */
function commandOf(given: Given): string {
  const options = ['seeds', ...MARKET, 'without', 'seed'].flatMap((name) =>
    given.has(name) ? [`--${name} ${given.text(name)}`] : [],
  )
  const flags = ['real', 'tricks', 'strict'].flatMap((name) => (given.has(name) ? [`--${name}`] : []))
  return ['evaluate', ...(given.operands.length > 0 ? ['FILE…'] : []), ...flags, ...options].join(' ')
}
