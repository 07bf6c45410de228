import type { Case, Colour } from '@ti/lab/evaluate/cases.ts'
import { AGES, QUESTIONS } from '@ti/lab/evaluate/questions.ts'
import { createRandom, type Random } from '@ti/lab/evaluate/random.ts'
import type { Evaluation, PairFound, PairTruth } from '@ti/lab/evaluate/sample.ts'

/** Evaluations whose truth is known, for the tests of packages/lab/src/evaluate. */
export interface Recipe {
  readonly seed: number
  readonly tokens: number
  /** how much of the answers the score knows, the market cap, and the outlook: 0 nothing */
  readonly scoreSkill: number
  readonly mcapSkill: number
  readonly outlookSkill?: number
}

const BANDS = 12

export function synthetic(recipe: Recipe): Evaluation {
  const random = createRandom(recipe.seed, 'synthetic')
  const cases: Case[] = []
  for (let i = 0; i < recipe.tokens; i++) {
    // danger decides; deployers have one of their own that their tokens share
    const deployer = random.int(Math.ceil(recipe.tokens / 3))
    const shared = createRandom(deployer, `deployer ${recipe.seed}`)
    const danger = normal(random) + 0.7 * normal(shared)
    for (const age of AGES.slice(0, 4)) cases.push(caseOf(random, recipe, { i, deployer, danger, age }))
  }
  const greens = { dead: 10, deadGreen: 0, phantom: 5, phantomGreen: 0 }
  const none = { n: 0, hits: 0 }
  const counted = { drain: none, halving: none, buyer: none }
  return {
    command: 'evaluate synthetic',
    formulasVersion: '1',
    sources: [
      {
        ...{ simulated: true, name: 'synthetic', dataHash: 'feed'.repeat(16), slots: [1_000_000, 5_000_000] },
        ...{ trades: recipe.tokens * 40, tokens: recipe.tokens },
        integrity: { stateHashes: ['abc', 'abc'], prefix: { cuts: 5, differing: 0 } },
        smart: { wallets: 9_000, veterans: 400, smart: 30, median: { smart: { sol: 2, won: 0.6 }, others: null } },
        actors: null,
        counted: { fold: counted, trades: counted },
      },
    ],
    cases,
    ...syntheticPairs(random, Math.min(recipe.tokens, 200)),
    rugs: { planted: 40, drained: 39, rugged: 38, flagged: 50, wrong: 0, missed: { farm: 1 } },
    greens,
    regime: null,
    real: [],
  }
}

interface Drawn {
  readonly i: number
  readonly deployer: number
  readonly danger: number
  readonly age: number
}

function caseOf(random: Random, recipe: Recipe, { i, deployer, danger, age }: Drawn): Case {
  const { scoreSkill, mcapSkill, outlookSkill = 0 } = recipe
  const belief = outlookSkill * danger + (1 - outlookSkill) * normal(random)
  const score = Math.min(10, Math.max(0, Math.round((4 - 1.5 * (scoreSkill * danger + normal(random))) * 10) / 10))
  const colour: Colour = score >= 5 ? 'green' : score < 3 ? 'red' : 'yellow'
  const chances = { drain: logistic(danger), halving: logistic(danger - 0.5), buyer: logistic(-danger - 1) }
  const answers = Object.fromEntries(QUESTIONS.map((question) => [question, random.float() < chances[question]]))
  const foretold = Object.fromEntries(
    QUESTIONS.map((question) => {
      const p = logistic({ drain: belief, halving: belief - 0.5, buyer: -belief - 1 }[question])
      return [
        question,
        {
          band: 1 + Math.floor(p * BANDS),
          points: 0,
          p: Math.round(p * 1e6),
          served: Math.round(p * 1e6),
          n: 50,
          hits: 20,
          afterExit: false,
        },
      ]
    }),
  )
  const slot = 1_000_000 + 1_000 * i + age
  return {
    mint: `mint${i}`,
    deployer: deployer % 10 === 0 ? null : `deployer${deployer}`,
    ...{ createdSlot: slot - age, age, slot },
    ...{ holders: 10 + random.int(60), score, colour, dead: false, phantomPct: 0, isTraded: true },
    mcap: Math.floor(5000 + 1000 * Math.max(-4, normal(random) - mcapSkill * danger)),
    ...{ real: 1e9 * random.int(20), multiple: 1 + random.int(4) },
    foretold: foretold as Case['foretold'],
    answers: answers as Case['answers'],
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

const logistic = (x: number): number => 1 / (1 + Math.exp(-x))

/** Sum of twelve uniforms: close enough to normal here. */
export function normal(random: Random): number {
  let sum = -6
  for (let i = 0; i < 12; i++) sum += random.float()
  return sum
}
