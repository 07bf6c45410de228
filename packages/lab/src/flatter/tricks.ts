import type { Key } from '@ti/core/base/ids.ts'
import type { Random } from '../evaluate/random.ts'
import { COMMON_TIP, type ImageFact, type Script, type Step } from './script.ts'

/** The number of wallets a trick may use. New wallets are unlimited; their cost is not. */
const CROWD = 400
/** Lamports of dust, of the smallest balance that counts as a holder's, and of one round trip of a wash. */
const SIZES = { dust: 1_000, counted: 56_000_000, wash: 50_000_000 }
/** Lamports for the whole curve, shared by the wallets that take it. */
const CURVE_LAMPORTS = 86_000_000_000
/** Slots: before the exit for visible actions, period of a wash, delay and spacing of waiting entries. */
const SHOW = 300
const ROUND = 8
const WAIT = { from: 200, apart: 9 }
/** Slots that sleepers stay longer, and the period of the trades that keep the token alive. */
const SLEEP = { longer: 9_100, alive: 3_000 }

/** The inputs of a trick besides the script. */
interface Means {
  readonly random: Random
  /** An image that another token used first. */
  readonly image: ImageFact | undefined
  /** Prefix of new wallets. */
  readonly name: string
}

type Trick = (script: Script, means: Means) => Script

/** A wallet without any history. */
export const stranger = (name: string, n: number): Key => `${name}-${n}`.slice(-32).padEnd(32, '.') as Key

export const inOrder = (steps: readonly Step[]): Step[] => [...steps].sort((a, b) => a.slot - b.slot)
export const withSteps = (script: Script, more: readonly Step[]): Script => ({
  ...script,
  steps: [...script.steps, ...more],
})
const isOwn = (script: Script, step: Step): boolean => step.kind === 'trade' && script.adversary.has(step.event.user)

/** A random slot shortly before the exit. */
function showSlot({ created, exit }: Script, random: Random): number {
  const from = Math.max(created + 1, exit - SHOW)
  return from + random.int(Math.max(1, exit - 1 - from))
}

/** Wallets of the adversary that bought before the exit. */
const buyersOf = (script: Script): Key[] => [
  ...new Set(
    script.steps.flatMap((step) =>
      step.kind === 'trade' && step.event.isBuy && step.slot < script.exit && script.adversary.has(step.event.user)
        ? [step.event.user]
        : [],
    ),
  ),
]

/** New wallets that each buy for this many lamports before the exit. */
const crowdOf =
  (lamports: number): Trick =>
  (script, { random, name }) =>
    withSteps(
      script,
      Array.from({ length: CROWD }, (_, n): Step => {
        return { kind: 'buy', slot: showSlot(script, random), wallet: stranger(name, n), lamports }
      }),
    )

/** Sends each bag to `parts` new wallets, at `slotOf`, which sell when the original would have. */
function handOver(script: Script, name: string, parts: number, slotOf: (n: number) => number): Script {
  const steps = buyersOf(script).flatMap((wallet, i) =>
    Array.from({ length: parts }, (_, j): Step[] => {
      const n = i * parts + j
      const to = stranger(name, n)
      return [
        { kind: 'give', slot: slotOf(n), wallet, to, part: 1 / (parts - j + (parts > 1 ? 1 : 0)) },
        { kind: 'sell', slot: script.exit + 1 + (n % 3), wallet: to, part: 1 },
      ]
    }).flat(),
  )
  return withSteps(script, steps)
}

/** The adversary's tricks, named as in `ADVERSARY_MOVES` if the simulator has them too. */
export const TRICKS = {
  /** Many wallets with almost nothing. */
  dust_holders: crowdOf(SIZES.dust),
  /** Many wallets, each with just enough to count as a holder. */
  counted_holders: crowdOf(SIZES.counted),
  split_bags: (script, { name }) => {
    const parts = Math.max(2, Math.floor(CROWD / Math.max(1, buyersOf(script).length)))
    const from = Math.max(script.created + 2, script.exit - SHOW)
    return handOver(script, name, parts, (n) => Math.min(script.exit - 2, from + Math.floor((n * SHOW) / CROWD)))
  },
  wash_volume: (script, { name }) => {
    const wallet = stranger(name, 0)
    const from = Math.max(script.created + 1, script.exit - SHOW)
    const rounds = Math.max(1, Math.floor((script.exit - 2 - from) / ROUND))
    return withSteps(
      script,
      Array.from({ length: rounds }, (_, n): Step[] => [
        { kind: 'buy', slot: from + n * ROUND, wallet, lamports: SIZES.wash },
        { kind: 'sell', slot: from + n * ROUND + ROUND / 2, wallet, part: 1 },
      ]).flat(),
    )
  },
  sell_and_rebuy: (script, { random, name }) => {
    const steps = buyersOf(script).flatMap((wallet, n): Step[] => {
      const to = stranger(name, n)
      const slot = Math.max(script.created + 2, showSlot(script, random) - 4)
      return [
        { kind: 'change', slot, wallet, to },
        { kind: 'sell', slot: script.exit + 1 + (n % 3), wallet: to, part: 1 },
      ]
    })
    return withSteps(script, steps)
  },
  transfer_before_sale: (script, { name }) => handOver(script, name, 1, (n) => script.exit - 2 - (n % 8)),
  borrowed_payers: (script, { random }) => {
    const others = [
      ...new Set(
        script.steps.flatMap((step) => (step.kind === 'trade' && !isOwn(script, step) ? [step.event.user] : [])),
      ),
    ]
    if (others.length === 0) return script
    const steps = script.steps.map((step): Step => {
      if (step.kind !== 'trade' || !isOwn(script, step)) return step
      return { ...step, event: { ...step.event, payer: others[random.int(others.length)]! } }
    })
    return { ...script, steps }
  },
  /** Each wallet pays its own usual tip. */
  false_tips: (script) => {
    const steps = script.steps.map((step): Step => {
      if (step.kind !== 'trade' || !isOwn(script, step)) return step
      const tip = { payer: step.event.user, lamports: COMMON_TIP, outer: 0, inner: -1 }
      const terms = step.terms === null ? null : { ...step.terms, tip }
      return { ...step, terms, event: { ...step.event, tipper: step.event.user } }
    })
    return { ...script, steps }
  },
  copied_image: (script, { image }) => {
    const [launch] = script.steps
    if (image === undefined || launch === undefined || !('event' in launch)) return script
    const fact = { ...image, mint: launch.event.mint }
    return {
      ...script,
      facts: [
        ...script.facts.filter(({ fact: { kind } }) => kind !== 'image_hash'),
        { slot: script.created + 5, fact },
      ],
    }
  },
  /** Enters after the early checks. */
  waiting: (script) => {
    let n = 0
    const steps = script.steps.map((step): Step => {
      const isEarly = step.slot <= script.created + WAIT.from && step.slot < script.exit
      if (step.kind !== 'trade' || !isOwn(script, step) || !step.event.isBuy || !isEarly) return step
      return { ...step, slot: Math.min(script.exit - 1, script.created + WAIT.from + WAIT.apart * n++) }
    })
    return { ...script, steps: inOrder(steps) }
  },
  /** Costs as much as a curve, whatever the budget. */
  whole_curve: (script, { name }) => {
    const wallets = Array.from({ length: 5 }, (_, n) => stranger(name, n))
    const steps = wallets.map((wallet): Step => {
      return { kind: 'buy', slot: script.created, wallet, lamports: CURVE_LAMPORTS / wallets.length, free: true }
    })
    return withSteps(script, steps)
  },
  /** Leaves an hour later and keeps the token alive until then. */
  sleeping_wallets: (script, { name }) => {
    const moved = script.steps.map((step): Step => {
      return isOwn(script, step) && step.slot >= script.exit ? { ...step, slot: step.slot + SLEEP.longer } : step
    })
    const alive = Array.from({ length: Math.floor(SLEEP.longer / SLEEP.alive) }, (_, n): Step => {
      return {
        kind: 'buy',
        slot: script.exit + SLEEP.alive * (n + 1),
        wallet: stranger(name, n),
        lamports: SIZES.counted,
      }
    })
    const [exit, end] = [script.exit + SLEEP.longer, script.end + SLEEP.longer]
    return { ...script, exit, end, steps: inOrder([...moved, ...alive]) }
  },
} as const satisfies Record<string, Trick>
export type TrickName = keyof typeof TRICKS
export const TRICK_NAMES = Object.keys(TRICKS) as TrickName[]
