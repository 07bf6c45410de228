/**
 * The verdict of a token written a second time (methodology, section 12), slowly: every reason is asked again at every moment
 * at which it could have changed. What the reasons rest on is given, because other references compute it.
 */

/** Percent of supply unless stated otherwise. */
export interface VerdictFacts {
  readonly rugged: boolean
  readonly drained: boolean
  readonly dead: boolean
  readonly launchSeen: boolean
  /** sold by its own people, by parts of 375 slots; and ever */
  readonly exits: readonly { readonly part: number; readonly pct: number; readonly early: number }[]
  readonly soldEver: number
  /** sold by buyers of the first minute who left, and the most they held */
  readonly early: { readonly sold: number; readonly peak: number }
  readonly deployerBag: { readonly sold: number; readonly held: number; readonly peak: number }
  readonly takenOver: boolean
  /** 0 to 1 */
  readonly ofAth: number
  readonly bundled: number
  readonly insiders: number
  readonly snipers: number
  readonly phantom: number
  /** SOL; 0 to 1 */
  readonly withdrawn: number
  readonly pullable: number
  /** 0 to 2 */
  readonly actor: number
  readonly deployer: number
  /** 0 to 1, as last asked */
  readonly drain: number
  readonly halving: number
  /** of the latest reading of the holders, null before the first */
  readonly reading: { readonly top10: number; readonly known: number; readonly score: number } | null
}

export interface Change {
  readonly slot: number
  readonly colour: string
  readonly code: string
  readonly event: string
}

const soldWithinHour = ({ exits }: VerdictFacts, slot: number): number =>
  exits.filter(({ part }) => part >= Math.floor(slot / 375) - 24).reduce((sum, { pct }) => sum + pct, 0)

const earlyWithinHour = ({ exits, early }: VerdictFacts, slot: number): number =>
  Math.min(
    early.peak,
    exits.filter(({ part }) => part >= Math.floor(slot / 375) - 24).reduce((sum, one) => sum + one.early, 0),
  )

interface Row {
  readonly code: string
  readonly value: (facts: VerdictFacts, slot: number) => number
  readonly yellow?: number
  readonly red?: number
  /** it only keeps a token from being green */
  readonly isPast?: boolean
  /** it leaves only below four fifths of its edge */
  readonly sticks?: boolean
}

const yes = (is: boolean): number => (is ? 1 : 0)

const ROWS: readonly Row[] = [
  { code: 'rugged', value: ({ rugged }) => yes(rugged), red: 1 },
  { code: 'drained', value: ({ drained, rugged }) => yes(drained && !rugged), red: 1 },
  { code: 'dead', value: ({ dead }) => yes(dead), red: 1 },
  { code: 'sold_in_hour', value: soldWithinHour, red: 5 },
  { code: 'actor', value: ({ actor }) => actor, yellow: 1, red: 2 },
  { code: 'deployer_record', value: ({ deployer }) => deployer, yellow: 1, red: 2 },
  { code: 'outlook_drain', value: ({ drain }) => drain, yellow: 0.25, red: 0.5 },
  { code: 'outlook_halving', value: ({ halving }) => halving, yellow: 0.25, red: 0.5 },
  { code: 'bundled', value: ({ bundled }) => bundled, yellow: 5, red: 20, sticks: true },
  { code: 'insiders', value: ({ insiders }) => insiders, yellow: 5, red: 20, sticks: true },
  { code: 'concentrated', value: ({ reading }) => reading?.top10 ?? 0, yellow: 40, red: 70, sticks: true },
  {
    code: 'early_exit',
    value: (facts, slot) =>
      yes(
        earlyWithinHour(facts, slot) >= 5 || (!facts.takenOver && Math.min(facts.early.sold, facts.early.peak) >= 25),
      ),
    yellow: 1,
    isPast: true,
  },
  { code: 'sold_ever', value: ({ soldEver, takenOver }) => (takenOver ? 0 : soldEver), yellow: 15, isPast: true },
  {
    code: 'deployer_sold',
    value: ({ deployerBag: { sold, held, peak }, takenOver }) =>
      yes(!takenOver && peak >= 2 && sold >= 0.8 * (sold + held)),
    yellow: 1,
    isPast: true,
  },
  { code: 'liquidity_withdrawn', value: ({ withdrawn }) => withdrawn, yellow: 2 },
  { code: 'liquidity_unlocked', value: ({ pullable }) => pullable, yellow: 0.2 },
  { code: 'snipers', value: ({ snipers }) => snipers, yellow: 20, sticks: true },
  { code: 'phantom', value: ({ phantom }) => yes(phantom > 1), yellow: 1 },
]

type Reasons = ReadonlyMap<string, 'yellow' | 'red'>

export function createVerdictReference() {
  const changes: Change[] = []
  let reasons: Reasons = new Map()
  let waits = false

  const ask = (facts: VerdictFacts, slot: number): Reasons => {
    const found = new Map<string, 'yellow' | 'red'>()
    for (const { code, value, yellow, red, sticks = false } of ROWS) {
      const x = value(facts, slot)
      const before = reasons.get(code)
      const edge = (at: number | undefined, isThere: boolean): number =>
        at === undefined ? Number.POSITIVE_INFINITY : sticks && isThere ? at * 0.8 : at
      if (x >= edge(red, before === 'red')) found.set(code, 'red')
      else if (x >= edge(yellow, before !== undefined)) found.set(code, 'yellow')
    }
    return found
  }

  function conclude(of: Reasons, { launchSeen, reading, ofAth }: VerdictFacts): { colour: string; code: string } {
    for (const colour of ['red', 'yellow'] as const) {
      const worst = ROWS.find(({ code, isPast }) => !isPast && of.get(code) === colour)
      if (worst !== undefined) return { colour, code: worst.code }
    }
    const past = ROWS.find(({ code }) => of.has(code))
    if (past !== undefined) return { colour: 'neutral', code: past.code }
    if (!launchSeen) return { colour: 'neutral', code: 'launch_unseen' }
    if (reading === null || reading.known < 50) return { colour: 'neutral', code: 'unknown_holders' }
    if (reading.score < 5) return { colour: 'neutral', code: 'low_score' }
    if (ofAth < 0.5) return { colour: 'neutral', code: 'fallen' }
    return { colour: 'green', code: 'known_holders' }
  }

  const colourNow = (): string => changes.at(-1)?.colour ?? 'neutral'

  return {
    changes,
    soldWithinHour,
    earlyWithinHour,
    /** the slot at which a change that waits has its minute, -1 if none waits */
    due: (): number => (waits ? changes.at(-1)!.slot + 150 : -1),
    judge(facts: VerdictFacts, slot: number, event: string): void {
      const now = ask(facts, slot)
      const { colour, code } = conclude(now, facts)
      const last = changes.at(-1)
      reasons = now
      waits = colour !== colourNow() && last !== undefined && slot < last.slot + 150
      if (waits) return
      if (colour !== colourNow()) changes.push({ slot, colour, code, event })
    },
    said(facts: VerdictFacts): { colour: string; code: string } {
      const { colour, code } = conclude(reasons, facts)
      // what waits for its minute has no code yet
      if (colour !== colourNow()) return { colour: colourNow(), code: changes.at(-1)?.code ?? 'unknown_holders' }
      return { colour, code }
    },
  }
}
