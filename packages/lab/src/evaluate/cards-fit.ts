import { OUTLOOK } from '@ti/core/engine/constants.ts'
import { bandOf, type Card, type CardInput } from '@ti/core/engine/outlook/card.ts'
import { INPUT_NAMES, type InputName } from '@ti/core/engine/outlook/inputs.ts'
import { bucketOf } from '@ti/core/engine/reading/knots.ts'
import { type CardRow, pointsOf } from './cards-rows.ts'

/**
 * Fits a card: an additive logistic model over binned readings, selected one by one while each adds enough, with whole
 * points. Only the result is checked in, so this code may use functions that the fold may not.
 */
const FIT = {
  /** Quantiles of the training rows at which bins begin, by the number of rows with the rarer outcome. */
  quantiles: [
    { rows: 400, at: [0.05, 0.1, 0.2, 0.35, 0.5, 0.65, 0.8, 0.9, 0.95] },
    { rows: 0, at: [0.2, 0.5, 0.8] },
  ],
  /** Significant digits of edges. */
  digits: 2,
  /** Ridge penalty: bins are shrunk to zero as if by this many neutral rows. */
  ridge: 12,
  inputsMax: 16,
  /** Log-likelihood that a further input must add, in total over training parts it was not fitted on. */
  gainMin: 1,
  passes: 12,
  pointsPerLogit: 40,
  /** Initial slices of the rows; neighbours closer than this many standard errors are merged into one band. */
  slices: 32,
  apart: 2.5,
  /** Weight, in rows, of a band's mean over all ages in each age class. */
  tablePrior: 40,
} as const

/** An input's bins for all rows; a missing reading is in the last bin. */
interface Binned {
  readonly input: InputName
  readonly edges: readonly number[]
  readonly bins: Uint8Array
}

/** Selects a card's inputs and their points. */
export function fitCard(rows: readonly CardRow[]): readonly CardInput[] {
  const binned = INPUT_NAMES.map((input) => binOf(rows, input)).filter(({ edges }) => edges.length > 0)
  return fitInputs(rows, binned)
}

export type Summed = Pick<CardRow, 'points' | 'ageClass' | 'hit'>

export const summed = (inputs: readonly CardInput[], rows: readonly CardRow[]): Summed[] =>
  rows.map((row) => ({ ...row, points: pointsOf({ inputs, bands: [], table: [] }, row) }))

/** A slice of the rows by points, from `from` on. */
interface Slice {
  readonly from: number
  readonly n: number
  readonly hits: number
}

/**
 * Bands and probabilities from rows that the card was not fitted on, because on its own rows it looks sharper than it
 * is. Indistinguishable neighbours are merged, so there may be fewer bands than allowed.
 */
export function fitBands(rows: readonly Summed[]): Pick<Card, 'bands' | 'table'> {
  const slices = slicesOf(rows)
  while (slices.length > 1) {
    const gaps = slices.slice(1).map((slice, i) => standardErrors(slices[i]!, slice))
    const least = gaps.indexOf(Math.min(...gaps))
    if (slices.length <= OUTLOOK.bands && gaps[least]! >= FIT.apart) break
    const [a, b] = slices.splice(least, 2) as [Slice, Slice]
    slices.splice(least, 0, { from: a.from, n: a.n + b.n, hits: a.hits + b.hits })
  }
  const bands = slices.slice(1).map(({ from }) => from)
  return { bands, table: tableOf(rows, bands) }
}

function slicesOf(rows: readonly Summed[]): Slice[] {
  const points = rows.map((row) => row.points).sort((a, b) => a - b)
  const edges: number[] = []
  for (let slice = 1; slice < FIT.slices; slice++) {
    const edge = points[Math.floor((slice * points.length) / FIT.slices)]
    if (edge !== undefined && edge > (edges.at(-1) ?? points[0]!)) edges.push(edge)
  }
  return [Number.NEGATIVE_INFINITY, ...edges].map((from, i) => {
    const those = rows.filter((row) => bucketOf(edges, row.points) === i)
    return { from, n: those.length, hits: those.filter(({ hit }) => hit).length }
  })
}

/** The difference of two slices' hit rates in standard errors. */
function standardErrors(low: Slice, high: Slice): number {
  const mean = (low.hits + high.hits + 1) / (low.n + high.n + 2)
  return (high.hits / high.n - low.hits / low.n) / Math.sqrt(mean * (1 - mean) * (1 / low.n + 1 / high.n))
}

function quantilesFor(rows: readonly CardRow[]): readonly number[] {
  const hits = rows.filter(({ hit }) => hit).length
  return FIT.quantiles.find((one) => Math.min(hits, rows.length - hits) >= one.rows)!.at
}

function binOf(rows: readonly CardRow[], input: InputName): Binned {
  const values = rows.flatMap(({ inputs }) => inputs[input] ?? []).sort((a, b) => a - b)
  const edges: number[] = []
  for (const quantile of quantilesFor(rows)) {
    const value = values[Math.floor(quantile * values.length)]
    if (value === undefined) continue
    const edge = Number(value.toPrecision(FIT.digits))
    if (edge > values[0]! && edge !== edges.at(-1)) edges.push(edge)
  }
  // if one value dominates, a single edge just above the lowest
  if (edges.length === 0 && values.at(-1)! > values[0]!) edges.push(values.find((value) => value > values[0]!)!)
  const bins = Uint8Array.from(rows, ({ inputs }) => {
    const x = inputs[input]
    return x === null ? edges.length + 1 : bucketOf(edges, x)
  })
  return { input, edges, bins }
}

const sigmoid = (z: number): number => 1 / (1 + Math.exp(-z))

function fitInputs(rows: readonly CardRow[], all: readonly Binned[]): CardInput[] {
  const y = Float64Array.from(rows, ({ hit }) => (hit ? 1 : 0))
  const rate = (y.reduce((sum, one) => sum + one, 0) + 1) / (y.length + 2)
  const logits = new Float64Array(y.length).fill(Math.log(rate / (1 - rate)))
  const chosen: { binned: Binned; weights: Float64Array }[] = []
  while (chosen.length < FIT.inputsMax) {
    const left = all.filter(({ input }) => !chosen.some(({ binned }) => binned.input === input))
    const best = left.map((binned) => ({ binned, gain: gainOf(rows, y, logits, binned) }))
    best.sort((a, b) => b.gain - a.gain)
    if (best.length === 0 || best[0]!.gain < FIT.gainMin) break
    const { binned } = best[0]!
    chosen.push({ binned, weights: new Float64Array(binned.edges.length + 2) })
    for (let pass = 0; pass < FIT.passes; pass++) for (const one of chosen) improve(y, logits, one)
  }
  return chosen.map(({ binned: { input, edges }, weights }) => {
    const points = Array.from(weights, (weight) => Math.round(weight * FIT.pointsPerLogit) + 0)
    return { input, edges, points: points.slice(0, edges.length + 1), unknown: points[edges.length + 1]! }
  })
}

/** The log-likelihood that an input would add to each training part when fitted on the others. */
function gainOf(rows: readonly CardRow[], y: Float64Array, logits: Float64Array, { bins, edges }: Binned): number {
  const parts = new Map<number, { g: Float64Array; h: Float64Array }>()
  for (let i = 0; i < y.length; i++) {
    const { part } = rows[i]!
    let sums = parts.get(part)
    if (sums === undefined) {
      sums = { g: new Float64Array(edges.length + 2), h: new Float64Array(edges.length + 2) }
      parts.set(part, sums)
    }
    const p = sigmoid(logits[i]!)
    sums.g[bins[i]!]! += y[i]! - p
    sums.h[bins[i]!]! += p * (1 - p)
  }
  // evaluates on each part the step fitted on the others
  const all = [...parts.values()]
  const total = (of: 'g' | 'h', bin: number): number => all.reduce((sum, part) => sum + part[of][bin]!, 0)
  let gain = 0
  for (const part of all) {
    for (let bin = 0; bin < edges.length + 2; bin++) {
      const own = all.length > 1 ? part : { g: new Float64Array(99), h: new Float64Array(99) }
      const step = (total('g', bin) - own.g[bin]!) / (total('h', bin) - own.h[bin]! + FIT.ridge / 4)
      gain += step * part.g[bin]! - (step * step * part.h[bin]!) / 2
    }
  }
  return gain
}

/** One Newton step for each bin of one input. */
function improve(
  y: Float64Array,
  logits: Float64Array,
  { binned: { bins }, weights }: { binned: Binned; weights: Float64Array },
): void {
  const g = new Float64Array(weights.length)
  const h = new Float64Array(weights.length)
  for (let i = 0; i < y.length; i++) {
    const p = sigmoid(logits[i]!)
    g[bins[i]!]! += y[i]! - p
    h[bins[i]!]! += p * (1 - p)
  }
  const ridge = FIT.ridge / 4
  const steps = g.map((sum, bin) => (sum - ridge * weights[bin]!) / (h[bin]! + ridge))
  steps.forEach((step, bin) => {
    weights[bin]! += step
  })
  for (let i = 0; i < y.length; i++) logits[i]! += steps[bins[i]!]!
}

/** Probability by age class and band, millionths, non-decreasing over bands. */
function tableOf(rows: readonly Summed[], bands: readonly number[]): number[][] {
  const classes = OUTLOOK.classes.length + 1
  const n = Array.from({ length: classes }, () => new Array<number>(bands.length + 1).fill(0))
  const hits = n.map((list) => [...list])
  for (const row of rows) {
    const band = bucketOf(bands, row.points)
    n[row.ageClass]![band]!++
    if (row.hit) hits[row.ageClass]![band]!++
  }
  return n.map((ofClass, age) => {
    const cells = ofClass.map((count, band) => {
      const others = n.reduce((sum, list) => sum + list[band]!, 0)
      const came = hits.reduce((sum, list) => sum + list[band]!, 0)
      const weight = count + FIT.tablePrior
      const mean = (came + 1) / (others + 2)
      return { weight, p: (hits[age]![band]! + FIT.tablePrior * mean) / weight }
    })
    return rising(cells).map((p) => Math.round(Math.min(0.995, Math.max(0.005, p)) * 1e6))
  })
}

export const bandOfRow = (card: Card, row: CardRow): number => bandOf(card, pointsOf(card, row))

/** Pool adjacent violators. */
function rising(cells: readonly { readonly weight: number; readonly p: number }[]): number[] {
  const pools: { weight: number; p: number; size: number }[] = []
  for (const { weight, p } of cells) {
    let pool = { weight, p, size: 1 }
    while (pools.length > 0 && pools.at(-1)!.p > pool.p) {
      const last = pools.pop()!
      const sum = last.weight + pool.weight
      pool = { weight: sum, p: (last.p * last.weight + pool.p * pool.weight) / sum, size: last.size + pool.size }
    }
    pools.push(pool)
  }
  return pools.flatMap(({ p, size }) => new Array<number>(size).fill(p))
}
