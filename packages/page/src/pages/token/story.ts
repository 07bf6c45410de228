import { deployerRecord } from '@ti/core/base/record.ts'
import { REASON_WORDS } from '@ti/core/base/verdict-codes.ts'
import type { Who } from '@ti/core/contract/who.ts'
import type { LineMark } from '../../charts/line-data.ts'
import { count, counted, duration, pct, SLOT_S, sol, usd } from '../../ui/format.ts'
import type { RatingValue } from '../../ui/rating.tsx'
import { familyOf, firstBuyersInWords } from './who-words.ts'

/** A token's life in sentences, each at its slot. */

export interface StoryLine {
  readonly slot: number
  readonly text: string
  /** named before the text */
  readonly deployer?: string
  /** a change of the verdict */
  readonly colour?: RatingValue
  /** which of many lines are shown first */
  readonly weight: number
}

/** In order; without what happened after `until`. `timeOf` writes a slot's time of day. */
export function storyOf(
  who: Who,
  marks: readonly LineMark[],
  until: number | null,
  timeOf: (slot: number) => string,
): StoryLine[] {
  const lines = [
    launchLine(who),
    ...firstBlockLine(who),
    ...who.groups.filter(({ confirmed }) => confirmed).flatMap((group) => groupLine(group, timeOf)),
    ...marks.map(markLine),
    ...endLines(who),
    ...who.verdict.history.map((change, i, all) => changeLine(change, i === all.length - 1)),
    ...(until === null ? buyersLine(who) : []),
  ]
  return lines.filter(({ slot }) => until === null || slot <= until).sort((a, b) => a.slot - b.slot)
}

/** The `most` that matter most, still in order. */
export function shortened(lines: readonly StoryLine[], most: number): StoryLine[] {
  const chosen = new Set([...lines].sort((a, b) => b.weight - a.weight).slice(0, most))
  return lines.filter((line) => chosen.has(line))
}

function launchLine({ deployer, created_slot: slot, coverage, first_bag }: Who): StoryLine {
  if (!coverage.launch_seen) return { slot, weight: 1_000, text: 'First seen; its launch was not.' }
  const bag = first_bag.transaction_pct
  const bought = bag === null || bag < 0.05 ? '' : `, and ${pct(bag)} of supply is bought in the same transaction`
  if (deployer === null) return { slot, weight: 1_000, text: `Launched${bought}. Who signed is not known.` }
  const record = deployerRecord(deployer, 'earlier launch')
  return { slot, weight: 1_000, deployer: deployer.wallet, text: `launches it${bought}. Its ${record}.` }
}

function firstBlockLine({ classes: { first_block: first }, created_slot: slot }: Who): StoryLine[] {
  if (first === null || !first.wallets) return []
  const who = first.wallets === 1 ? '1 wallet buys' : `${count(first.wallets)} wallets buy`
  return [
    {
      slot,
      weight: 500 + first.peak_pct,
      text: `${who} in the block of the launch: ${pct(first.peak_pct)} of supply.`,
    },
  ]
}

/** slots after which a group counts as found late: ten seconds */
const LATE_SLOTS = 25

function groupLine(group: Who['groups'][number], timeOf: (slot: number) => string): StoryLine[] {
  const { name, wallets, members, peak_pct, confirmed_slot, has_deployer, evidence } = group
  const buys = members.flatMap(({ first_buy_slot: slot }) => (slot === null ? [] : [slot]))
  const slot = Math.min(...buys, confirmed_slot ?? Number.POSITIVE_INFINITY)
  if (!Number.isFinite(slot)) return []
  const families = [...new Set(evidence.flatMap(({ families }) => families.map(({ family }) => family)))]
  const proof = families.length === 0 ? '' : ` (${families.map((family) => familyOf(family).label).join(', ')})`
  const late = confirmed_slot !== null && confirmed_slot - slot > LATE_SLOTS
  const found = late ? ` Known as a group since ${timeOf(confirmed_slot)}.` : ''
  const deployer = has_deployer ? ', one of them the deployer,' : ''
  return [
    {
      ...{ slot, weight: 600 + peak_pct },
      text: `Group ${name}: ${counted(wallets, 'wallet')}${deployer} ${wallets === 1 ? 'gets' : 'get'} ${pct(peak_pct)} of supply${proof}.${found}`,
    },
  ]
}

function markLine({
  kind,
  name,
  slot,
  until_slot,
  wallets,
  pct: sold,
  sol: got,
  mcap,
  mcap_before,
}: LineMark): StoryLine {
  if (kind === 'graduated') return { slot, weight: 900, text: `Graduates at ${usd(mcap)}.` }
  if (kind === 'liquidity')
    return { slot, weight: 960, text: `Liquidity is withdrawn${got === null ? '' : `: ${sol(got)} SOL in all`}.` }
  const one = wallets === 1
  const who = {
    launcher_sell: 'The deployer sells',
    insider_sell: one ? 'An insider sells' : `${count(wallets)} insiders sell`,
    group_sell: `Group ${name}: ${counted(wallets, 'wallet')} ${one ? 'sells' : 'sell'}`,
    kol_sell: `KOL ${name} sells`,
  }[kind]
  const when =
    until_slot === slot
      ? one
        ? ''
        : ' in one block'
      : ` within ${duration(Math.max(1, (until_slot - slot) * SLOT_S))}`
  const brought = got === null ? '' : ` for ${sol(got)} SOL`
  const fell = mcap_before > 0 ? Math.round(100 * (1 - mcap / mcap_before)) : 0
  const effect = fell >= 1 ? `; market cap −${fell}%` : ''
  return {
    slot,
    weight: (kind === 'kol_sell' ? 300 : 700) + Math.min(99, sold),
    text: `${who} ${pct(sold)} of supply${brought}${when}${effect}.`,
  }
}

function endLines({ memory: { rugged, drained, state } }: Who): StoryLine[] {
  const took = state.took_sol === null ? '' : `: its inner circle is ${sol(state.took_sol)} SOL ahead`
  return [
    ...(rugged === null ? [] : [{ slot: rugged.slot, weight: 990, text: `Rugged${took}.` }]),
    ...(drained === null || rugged !== null
      ? []
      : [{ slot: drained.slot, weight: 980, text: 'Drained: most of its money has left within minutes.' }]),
    ...(state.name === 'taken_over'
      ? [{ slot: state.since_slot, weight: 970, text: 'Others have taken it over.' }]
      : []),
  ]
}

const changeLine = ({ slot, colour, code }: Who['verdict']['history'][number], isLast: boolean): StoryLine => ({
  slot,
  colour,
  weight: isLast ? 950 : 400,
  text: `The verdict turns ${colour}: ${REASON_WORDS[code]}.`,
})

function buyersLine({ first_buyers, slot }: Who): StoryLine[] {
  const text = firstBuyersInWords(first_buyers)
  return text === null ? [] : [{ slot, weight: 940, text }]
}
