import { createEngine } from '@ti/core/engine/engine.ts'
import { verdictOf } from '@ti/core/engine/verdict/said.ts'
import type { LogEntry } from '@ti/core/model/entries.ts'
import { explain } from '@ti/core/query/explain.ts'
import { createViews } from '@ti/core/query/view.ts'
import { createMemoryStore } from '../support/memory-store.ts'
import { createWorkedMarket, MINT, SOL_USD } from './market.ts'
import { type Line, readScript } from './script.ts'

/** Slot of the example's launch: by then the log is old enough to know who is new. */
export const LAUNCH = 100_000
/** The token on which wallets with a name in R got their track record, and how long they held it, slots. */
const EARLIER = { mint: 'an earlier mint', slot: 60_000, apart: 3, held: 3_000, sol: 0.2 }

/** The verdicts of a script, one block of lines for each `look`. */
export function play(script: string): string {
  const lines = readScript(script)
  const market = createWorkedMarket()
  const store = createMemoryStore()
  const engine = createEngine({ reader: store, walletsCached: 10_000 })
  const views = createViews(engine, store, 10)
  let seq = 0
  const fold = (entries: readonly LogEntry[]): void => {
    for (const entry of entries) engine.apply(seq++, entry)
    store.write(engine.changes())
    engine.committed()
  }
  /** the chain goes on without the token, as far as the slot */
  const idle = (slot: number): LogEntry => ({
    ...{ kind: 'block', slot, parent: slot - 1, time: 1_700_000_000 + Math.floor(slot * 0.4), events: [] },
  })
  const until = (steps: readonly Line[], base: number, look: (slot: number) => void): void => {
    for (let n = 0; n < steps.length; ) {
      const { slot } = steps[n]!
      let asked = false
      for (; n < steps.length && steps[n]!.slot === slot; n++) {
        const line = steps[n]!
        if (line.verb === 'look') asked = true
        else market.play(base + slot, line)
      }
      const entries = market.take(base + slot)
      fold(entries.some(({ kind }) => kind === 'block') ? entries : [idle(base + slot), ...entries])
      if (asked) look(slot)
    }
  }
  fold([{ kind: 'facts', time: 1, byOperator: false, facts: [{ kind: 'sol_price', usd: SOL_USD }] }])
  until(trackRecords(lines), 0, () => undefined)
  const told: string[] = []
  until(lines, LAUNCH, (slot) => {
    const view = views.find(MINT)
    if (view === null) throw new Error('the example looks at its token before the launch')
    told.push(verdict(slot, view))
  })
  return told.join('\n\n')
}

function trackRecords(lines: readonly Line[]): Line[] {
  const regulars = [...new Set(lines.flatMap(({ who }) => who.filter((name) => name.startsWith('R'))))]
  if (regulars.length === 0) return []
  const { mint, slot, apart, held, sol } = EARLIER
  const plain = { to: null, paid: null, tip: null, image: null, mint }
  const launch: Line = { slot, who: ['someone else'], verb: 'launch', amount: 0, ...plain }
  const trips = regulars.flatMap((name, n): Line[] => [
    { slot: slot + 100 + n * apart, who: [name], verb: 'buy', amount: sol, ...plain },
    { slot: slot + 100 + n * apart + held, who: [name], verb: 'sell', amount: 1, ...plain },
  ])
  return [launch, ...trips].sort((a, b) => a.slot - b.slot)
}

/** The score's parts by one word each, so that the sum fits on a line. */
const plain = (what: string): string => what.replace(/_(?:pct|score|slots|holders|hands)$/, '')

function verdict(slot: number, view: Parameters<typeof explain>[0]): string {
  const e = explain(view, 0)
  const { name, code, sinceSlot } = verdictOf(view.live.token)
  const { ratings, served, life, memory } = e
  const sum = e.score.contributions.map(
    ({ what, points }) => `${plain(what)} ${points >= 0 ? '+' : ''}${points.toFixed(2)}`,
  )
  const state = [
    ...(life.dead ? ['dead'] : []),
    ...(life.drained_slot === null ? [] : [`drained in slot ${life.drained_slot - LAUNCH}`]),
    ...(life.rugged === null ? [] : [`rugged in slot ${life.rugged.slot - LAUNCH} by ${life.rugged.by.join(' and ')}`]),
    ...(life.phantom_supply_pct > 0 ? [`${life.phantom_supply_pct}% of supply is phantom`] : []),
  ]
  const groups = e.bundles
    .filter(({ confirmed }) => confirmed)
    .map((group) => {
      const families = new Set(group.evidence.flatMap((pair) => pair.families.map(({ family }) => family)))
      const shares = `holds ${group.pct_of_supply}%, sold ${group.sold_pct_of_supply}%`
      return `group of ${group.members.length} ${shares}${group.red ? ', selling heavily' : ''} (${[...families].join(', ')})`
    })
  return [
    `slot ${slot}: ${name}, ${code.replaceAll('_', ' ')}, since slot ${sinceSlot - LAUNCH}; score ${served.value.toFixed(1)} ${ratings.score}`,
    `  ${sum.join(', ')}`,
    `  bundle ${served.bundle_pct}% ${ratings.bundle}, suspicious ${served.dirty_pct}% ${ratings.dirty}, pump and dump ${ratings.pump_dump}`,
    `  holders that count ${e.score.independent.count}, effective ${e.score.independent.effective}`,
    `  insiders and groups sold ${memory.sold_pct}% of supply, ${memory.sold_in_hour_pct}% within the hour`,
    ...groups.map((group) => `  ${group}`),
    ...state.map((text) => `  ${text}`),
  ].join('\n')
}
