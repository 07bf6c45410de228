import assert from 'node:assert/strict'
import { test } from 'node:test'
import { METRICS } from './metrics.ts'
import { createRandom, type Random } from './random.ts'
import type { Colour, Decision, Evaluation, PairFound, PairTruth, Sample } from './sample.ts'

/** Evaluations whose truth is known, for the tests of this folder. */
export interface Recipe {
  readonly seed: number
  readonly tokens: number
  /** how much of the outcome the score knows, and the market cap: 0 nothing */
  readonly scoreSkill: number
  readonly mcapSkill: number
  readonly slots?: number
  readonly simulated?: boolean
}

const DECISIONS: readonly (readonly [Decision, number])[] = [
  ['t60', 150],
  ['t300', 750],
  ['t900', 2250],
]

export function synthetic(recipe: Recipe): Evaluation {
  const random = createRandom(recipe.seed, 'synthetic')
  const span = recipe.slots ?? 4_000_000
  const samples: Sample[] = []
  for (let i = 0; i < recipe.tokens; i++) {
    const createdSlot = 1_000_000 + Math.floor((span * i) / recipe.tokens)
    // quality decides; deployers have one of their own that their tokens share
    const deployer = random.int(Math.ceil(recipe.tokens / 3))
    const shared = createRandom(deployer, `deployer ${recipe.seed}`)
    const quality = normal(random) + 0.7 * normal(shared)
    const graduated = random.float() < logistic(quality * 1.5 - 3)
    const rugged = !graduated && random.float() < logistic(-quality - 1.5)
    const survives = !rugged && random.float() < logistic(quality - 1)
    const labels = { graduated_24h: graduated, survives_3h: survives, rugged_1h: rugged, falls_20m: null }
    for (const [decision, after] of DECISIONS) {
      samples.push(sample(random, recipe, { i, deployer, createdSlot, decision, after, quality, labels }))
    }
  }
  return {
    source: {
      simulated: recipe.simulated ?? true,
      name: 'synthetic',
      dataHash: 'feed'.repeat(16),
      slots: [1_000_000, 1_000_000 + span + 250_000],
      trades: recipe.tokens * 40,
      tokens: recipe.tokens,
    },
    formulasVersion: '1',
    samples,
    ...syntheticPairs(random, Math.min(recipe.tokens, 200)),
    integrity: { stateHashes: ['abc', 'abc'], prefix: { cuts: 5, differing: 0 } },
    real: [],
  }
}

interface Seen {
  readonly i: number
  readonly deployer: number
  readonly createdSlot: number
  readonly decision: Decision
  readonly after: number
  readonly quality: number
  readonly labels: Sample['labels']
}

function sample(random: Random, { scoreSkill, mcapSkill }: Recipe, seen: Seen): Sample {
  const belief = scoreSkill * seen.quality + normal(random)
  const score = Math.min(10, Math.max(0, Math.round((4 + 1.5 * belief) * 10) / 10))
  const metrics = Object.fromEntries(
    METRICS.map(({ name, green, red, better }, k) => {
      if (k === 4 && random.float() < 0.4) return [name, null]
      const turn = better === 'high' ? 1 : -1
      const spread = Math.abs(green - red) * 2
      return [name, (green + red) / 2 + turn * spread * (0.4 * scoreSkill * seen.quality + normal(random))]
    }),
  )
  const colour: Colour = score >= 5 ? 'green' : score < 3 ? 'red' : 'yellow'
  return {
    mint: `mint${seen.i}`,
    deployer: seen.deployer % 10 === 0 ? null : `deployer${seen.deployer}`,
    createdSlot: seen.createdSlot,
    decision: seen.decision,
    slot: seen.createdSlot + seen.after,
    score,
    mcap: Math.floor(5000 + 3000 * Math.max(-1, mcapSkill * seen.quality + normal(random))),
    trades: 20 + random.int(200),
    buyers: 10 + random.int(100),
    metrics,
    withoutMetric: {
      none: score,
      ...Object.fromEntries(METRICS.map(({ name }) => [name, score + 0.3 * normal(random)])),
    },
    ratings: { score: colour, bundle: (['green', 'yellow', 'red', 'neutral'] as const)[random.int(4)]! },
    labels: seen.labels,
  }
}

/** One atomic and one quiet bundle a token; the service finds all of the first, half of the second, and errs at times. */
function syntheticPairs(random: Random, tokens: number): { truth: PairTruth[]; found: PairFound[] } {
  const truth: PairTruth[] = []
  const found: PairFound[] = []
  for (let t = 0; t < tokens; t++) {
    const named = (kind: string, n: number): string[] => Array.from({ length: n }, (_, k) => `${kind}${t}-${k}`)
    const atomic = named('a', 4)
    const quiet = named('q', 3)
    const snipers = named('s', 6)
    const [leader, follower] = named('c', 2) as [string, string]
    truth.push({
      mint: `mint${t}`,
      bundles: [
        { type: 'atomic', wallets: atomic },
        { type: 'quiet', wallets: quiet },
      ],
      snipers,
      copies: [[leader, follower]],
      washers: named('w', 2),
    })
    const seen = random.float() < 0.5
    const wrong = t % 20 === 0 ? [[snipers[0]!, snipers[1]!]] : []
    found.push({
      mint: `mint${t}`,
      groups: [atomic, ...(seen ? [quiet] : []), ...wrong],
      hidden: [...(random.float() < 0.6 ? [atomic.slice(0, 3)] : []), ...(seen ? [quiet] : [])],
    })
  }
  return { truth, found }
}

export const logistic = (x: number): number => 1 / (1 + Math.exp(-x))

/** Sum of twelve uniforms: close enough to normal here. */
export function normal(random: Random): number {
  let sum = -6
  for (let i = 0; i < 12; i++) sum += random.float()
  return sum
}

test('a synthetic log is a function of its seed', () => {
  const recipe: Recipe = { seed: 3, tokens: 20, scoreSkill: 1, mcapSkill: 1 }
  assert.deepEqual(synthetic(recipe), synthetic(recipe))
  assert.notDeepEqual(synthetic(recipe), synthetic({ ...recipe, seed: 4 }))
})
