import { quoted } from '../base/plain-text.ts'
import { OUTLOOK, SLOT_SECONDS } from '../engine/constants.ts'
import type { ActorHere } from './actors.ts'
import type { Explanation } from './explain.ts'
import { whoText } from './who-text.ts'

/** wallets named per share; the JSON form has more */
const NAMED = 5
/** characters of a symbol and a name */
const SAID_LENGTH = 128

export function explanationText(e: Explanation, actors: readonly ActorHere[]): string {
  const title = `${saidText(e)}${e.mint}\nas of slot ${e.slot}`
  const unit = e.quote === null ? [] : [quoteText(e.quote)]
  const who = [whoText(e.who), bundlesText(e), actorsText(actors)]
  return `${[title, ...unit, scoreText(e), outlookText(e), sharesText(e), ...who, signalsText(e)].join('\n\n')}\n`
}

/** Strangers choose both. */
const saidText = ({ said_by_deployer: { symbol, name } }: Explanation): string =>
  symbol === '' ? '' : `${quoted(symbol, SAID_LENGTH)} (${quoted(name, SAID_LENGTH)})  `

function quoteText({ mint, decimals, market_cap }: NonNullable<Explanation['quote']>): string {
  const note = decimals === null ? 'its decimals are unknown too' : `${decimals} decimals`
  const worth = market_cap === null ? '' : `; market cap ${market_cap} of it`
  return `quoted in ${mint} (${note}), which has no known price: amounts in SOL and USD are unknown and shown as 0${worth}`
}

const points = (value: number): string => `${value >= 0 ? '+' : '−'}${Math.abs(value).toFixed(6)}`.padStart(11)

function lifeText({
  dead,
  idle_slots,
  launch_seen,
  drained_slot,
  rugged,
  phantom_supply_pct,
}: Explanation['life']): string {
  return [
    ...(dead ? ['dead'] : []),
    `${idle_slots} slots without a trade`,
    ...(phantom_supply_pct === 0 ? [] : [`${phantom_supply_pct} % of supply in phantom balances`]),
    ...(launch_seen ? [] : ['launch not seen']),
    ...(rugged === null ? [] : [`rugged at slot ${rugged.slot} by ${rugged.by.join(', ')}`]),
    ...(rugged !== null || drained_slot === null ? [] : [`drained at slot ${drained_slot}`]),
  ].join(', ')
}

function scoreText({ score, ratings, life }: Explanation): string {
  const rows = score.contributions.map((row) => {
    const how =
      'reading' in row ? `${row.what} ${row.reading} is worth ${row.rated} of 10, weight ${row.weight}` : row.what
    return `${points(row.points)}  ${how}`
  })
  const known = `${(100 * score.coverage).toFixed(1)} % of held supply belongs to wallets with a track record`
  const { count, effective } = score.independent
  return [
    `score ${score.value.toFixed(1)}, ${ratings.score} (${known}; ${lifeText(life)})`,
    ...rows,
    `${points(score.value)}  sum`,
    `independent holders: ${count} hold 0.05 SOL or more, effective number ${effective}`,
  ].join('\n')
}

const ASKED = {
  drain: 'at least 80 % of the real quote reserve leaves within 9,000 slots',
  halving: 'the price halves within 9,000 slots',
  buyer: '0.5 SOL bought now gain',
} as const

function outlookText({ outlook }: Explanation): string {
  return Object.entries(ASKED)
    .map(([question, words]) => foretoldText(words, outlook[question as keyof typeof ASKED]))
    .join('\n')
}

const percentText = (share: number): string => `${(100 * share).toFixed(1)} %`

function foretoldText(words: string, of: Explanation['outlook']['drain']): string {
  if (of === null) return `${words}: not asked`
  const { p, n, hits, by, age_slots, inputs } = of
  const answer = p === null ? `learning, ${n} of ${OUTLOOK.least}` : `${percentText(p)}, ${hits} of ${n} like it`
  const rows = inputs.map(({ input, at_least, below }) => `  ${input} ${rangeText(at_least, below)}`)
  return [`${words}: ${answer} (by ${by}, at ${age_slots} slots)`, ...rows].join('\n')
}

function rangeText(from: number | null, below: number | null): string {
  if (from === null && below === null) return 'no reading'
  return from === null ? `below ${below}` : below === null ? `from ${from}` : `from ${from} to ${below}`
}

function sharesText({ shares }: Explanation): string {
  return Object.entries(shares)
    .map(([name, { pct, wallets, largest }]) => {
      const rows = largest
        .slice(0, NAMED)
        .map((row) => `  ${row.pct.toFixed(2).padStart(6)} %  ${row.wallet}${row.why ? `  ${row.why.join(', ')}` : ''}`)
      const more = wallets > NAMED ? [`  and ${wallets - NAMED} more`] : []
      return [`${name} ${pct.toFixed(2)}: ${wallets} wallets`, ...rows, ...more].join('\n')
    })
    .join('\n')
}

function bundlesText({ bundles }: Explanation): string {
  if (bundles.length === 0) return 'no coordinated wallets found'
  return bundles
    .map((bundle) => {
      const state = bundle.confirmed ? (bundle.red ? 'confirmed, selling heavily' : 'confirmed') : 'not confirmed'
      const members = bundle.members.map(
        ({ wallet, pct_of_supply }) => `  ${pct_of_supply.toFixed(2).padStart(6)} %  ${wallet}`,
      )
      const evidence = bundle.evidence.map(({ wallets, families }) => {
        const why = families.map(({ family, slot }) => `${family} at slot ${slot}`).join(', ')
        return `  ${wallets.map((wallet) => wallet.slice(0, 8)).join(' + ')}: ${why}`
      })
      return [
        `bundle ${bundle.name} (${bundle.id}), ${state}, ${bundle.pct_of_supply.toFixed(2)} % of supply`,
        ...members,
        ...evidence,
      ].join('\n')
    })
    .join('\n')
}

const minutes = (slots: number): string => `${Number(((slots * SLOT_SECONDS) / 60).toFixed(1))} min`

function actorsText(actors: readonly ActorHere[]): string {
  if (actors.length === 0) return 'no actor known from other tokens'
  return actors
    .map((one) => {
      const exit = one.usual_exit_slots === null ? '' : `, usually sells after ${minutes(one.usual_exit_slots)}`
      const money = `${one.taken_sol.toFixed(2)} SOL taken out`
      return (
        `actor ${one.name} (${one.id}): ${one.wallets} wallets, ${one.tokens} tokens, ${one.launched} launched, ` +
        `${one.drained} drained, ${one.rugged} rugged, ${money}${exit}\n` +
        `  here: holds ${one.holds_pct.toFixed(2)} %, has sold ${one.sold_pct.toFixed(2)} % of supply with ` +
        `${one.wallets_here} wallets; known since slot ${one.known_here.slot} (${one.known_here.by})`
      )
    })
    .join('\n')
}

function signalsText({ signals, one_wallet }: Explanation): string {
  if (signals === null) return 'no trade yet, no signals'
  const rows = signals.map(
    ({ name, value, also, pump, dump, edges }) =>
      `${pump ? 'pump' : dump ? 'dump' : '   –'}  ${[`${name} ${value ?? 'no reading'}`, ...also.map((one) => `${one.name} ${one.value}`)].join(', ')} ` +
      `(pump ${edges.pump}; dump ${edges.dump})`,
  )
  return [...oneWalletText(one_wallet), ...rows].join('\n')
}

function oneWalletText(of: Explanation['one_wallet']): string[] {
  if (of === null) return []
  const part = ({ trades_pct, volume_pct }: typeof of.wash): string =>
    `${trades_pct} % of the trades and ${volume_pct} % of the volume of 5 minutes`
  const busiest = of.busiest === null ? [] : [`the busiest wallet made ${part(of.busiest)}`]
  return [...busiest, `wash traders made ${part(of.wash)}`]
}
