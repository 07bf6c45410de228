import type { Who } from '../../contract/who.ts'
import { COVERAGE, SCORE, SLOTS, VERDICT } from '../../engine/constants.ts'
import { counted, listed, pctText, plain, span } from './words.ts'

/** The verdict on a token: sentences in words and numbers, worst first. */

type Verdict = Who['verdict']
type Sentence = Verdict['sentences'][number]
type Severity = Sentence['severity']
type Code = Sentence['code']

/** The facts that the sentences use. */
export interface Facts extends Omit<Who, 'verdict' | 'first_buyers' | 'mint' | 'name' | 'symbol'> {
  readonly score: { readonly value: number; readonly rating: Severity }
  readonly hasTraded: boolean
  readonly graduated: boolean
}

const ORDER: readonly Severity[] = ['red', 'yellow', 'neutral', 'green']

/** The severity by two edges: `yellow` from the lower one on, `red` from the higher. */
const from = (value: number, edges: { readonly yellow: number; readonly red: number }): 'red' | 'yellow' | null =>
  value >= edges.red ? 'red' : value >= edges.yellow ? 'yellow' : null

function say(code: Code, severity: Severity | null, text: string, numbers: Sentence['numbers']): Sentence[] {
  return severity === null ? [] : [{ code, severity, text, numbers }]
}

/** Within a severity sentences follow the list below: exits, fate, liquidity, sellers, actors, record, launch, outlook, shares. */
export function verdictOf(facts: Facts): Verdict {
  const parts = [
    exits,
    happened,
    liquidity,
    selling,
    actors,
    record,
    launch,
    outlook,
    shares,
    score,
    unknown,
    reassuring,
  ]
  const all = parts.flatMap((part) => part(facts))
  const sentences = ORDER.flatMap((severity) => all.filter((one) => one.severity === severity))
  return { severity: severityOf(facts, sentences), headline: sentences[0]!.text, sentences }
}

/** Green only if the score is green and neither launch nor funders are unknown. */
function severityOf({ score, coverage }: Facts, [worst]: readonly Sentence[]): Severity {
  if (worst!.severity === 'red' || worst!.severity === 'yellow') return worst!.severity
  const isDark = coverage.unknown.some((what) => what === 'launch' || what === 'funders')
  return score.rating === 'green' && !isDark ? 'green' : 'neutral'
}

const WHO: Readonly<Record<string, string>> = {
  deployer: 'its deployer',
  groups: 'coordinated wallets',
  insiders: 'insiders',
  liquidity: 'whoever withdrew the liquidity',
  together: 'wallets that left together',
}

/** The deployer is named with the liquidity only if it withdrew it. */
const ruggers = (by: readonly string[]): string =>
  by.includes('liquidity') && by.includes('deployer')
    ? 'its deployer, who withdrew the liquidity'
    : listed(by.map((who) => WHO[who] ?? who))

function happened({ memory }: Facts): Sentence[] {
  const { rugged, drained, sold_in_hour_pct } = memory
  const sold = sold_in_hour_pct >= SCORE.caps.soldHourPct
  return [
    ...(rugged === null
      ? []
      : say('rugged', 'red', `Rugged ${span(rugged.ago_slots)} ago by ${ruggers(rugged.by)}.`, {
          slot: rugged.slot,
          ago_slots: rugged.ago_slots,
        })),
    ...(drained === null || rugged !== null
      ? []
      : say('drained', 'red', `Most of its money left within minutes, ${span(drained.ago_slots)} ago.`, {
          slot: drained.slot,
          ago_slots: drained.ago_slots,
        })),
    ...say(
      'sold_in_hour',
      sold ? 'red' : null,
      `Its own people sold ${pctText(sold_in_hour_pct)} of supply within the hour.`,
      { sold_pct: sold_in_hour_pct },
    ),
  ]
}

function liquidity({ liquidity: pool, memory: { rugged }, slot, deployer }: Facts): Sentence[] {
  if (pool === null) return []
  const { planned, pullable_share, withdrawn } = pool
  const pulled = rugged?.by.includes('liquidity') ?? false
  const who = withdrawn?.by === deployer?.wallet && deployer !== null ? 'by the deployer' : 'mostly by one wallet'
  const took = withdrawn?.sol ?? 0
  const ago = slot - (withdrawn?.slot ?? slot)
  const share = pullable_share ?? 0
  const pct = pctText(100 * share)
  return [
    ...say(
      'liquidity_withdrawn',
      took < VERDICT.withdrawnSol ? null : pulled ? 'red' : 'yellow',
      `${plain(took)} SOL of liquidity were withdrawn ${who}, last ${span(ago)} ago.`,
      { sol: took, ago_slots: ago },
    ),
    ...say(
      'liquidity_unlocked',
      share < VERDICT.pullableShare || pulled ? null : 'yellow',
      planned ? `After graduation ${pct} of the pool will not be locked.` : `${pct} of the pool can be withdrawn.`,
      { pullable_share: share, planned: planned },
    ),
  ]
}

const nameOf = (group: Group): string =>
  `${group.has_deployer ? 'Deployer’s group' : `Group ${group.name}`} of ${group.wallets}`

/** Largest sale first; a group precedes a deployer in it, because it sold at least as much. */
function exits(facts: Facts): Sentence[] {
  const sold = ({ numbers }: Sentence): number => numbers.sold_pct as number
  return [...facts.groups.flatMap((group) => groupExit(group, facts)), ...deployerSold(facts)].sort(
    (a, b) => sold(b) - sold(a),
  )
}

type Group = Facts['groups'][number]

const hasLeft = ({ exit, sold_pct }: Group): boolean => exit !== null && sold_pct >= VERDICT.groupSoldPct

const numbersOf = ({ id, wallets, sold_pct, holds_pct, exit }: Group) => ({
  id,
  wallets,
  sold_pct,
  holds_pct,
  exit_pct: exit?.pct ?? null,
  exit_slot: exit?.slot ?? null,
})

/** The exit that ended a token stays red for as long as the token is rugged. */
function groupExit(group: Group, { slot, memory: { rugged } }: Facts): Sentence[] {
  const { exit, sold_pct, holds_pct, selling: sells } = group
  if (!group.confirmed || exit === null || !hasLeft(group)) return []
  const ago = slot - exit.slot
  const atOnce = exit.pct * 2 >= sold_pct && exit.wallets > 1
  const how = atOnce
    ? `sold ${pctText(exit.pct)} of supply in one block, ${span(ago)} ago`
    : `sold ${pctText(sold_pct)} of supply, last ${span(ago)} ago`
  const severity = sells || ago <= SLOTS.hour || rugged !== null ? 'red' : 'yellow'
  const text = `${nameOf(group)} ${how}, and holds ${leftText(holds_pct)}.`
  return say('group_exit', severity, text, { ...numbersOf(group), ago_slots: ago })
}

const leftText = (holds_pct: number): string => (holds_pct < 0.1 ? 'nothing' : pctText(holds_pct))

function selling({ groups }: Facts): Sentence[] {
  return groups
    .filter((group) => group.confirmed && group.selling && !hasLeft(group))
    .flatMap((group) =>
      say('group_selling', 'red', `${nameOf(group)} is selling: ${pctText(group.sold_pct)} so far.`, numbersOf(group)),
    )
}

function deployerSold({ deployer, slot }: Facts): Sentence[] {
  if (deployer === null) return []
  const { sold_pct, holds_pct, peak_pct, last_sell_slot } = deployer
  const bag = sold_pct + holds_pct
  const part = bag > 0 ? (100 * sold_pct) / bag : 0
  const severity = Math.max(bag, peak_pct) < SCORE.caps.deployerBagPct ? null : from(part, VERDICT.deployerSoldPct)
  const ago = last_sell_slot === null ? null : slot - last_sell_slot
  const when = ago === null ? '' : `, last ${span(ago)} ago,`
  const text = `The deployer sold ${pctText(sold_pct)} of supply, ${Math.round(part)} % of its bag${when} and holds ${leftText(holds_pct)}.`
  return say('deployer_sold', severity, text, {
    sold_pct,
    holds_pct,
    sold_of_bag_pct: Math.round(part),
    ago_slots: ago,
  })
}

function actors({ actors: known }: Facts): Sentence[] {
  return known.flatMap((one) => {
    const { id, name, wallets, tokens, launched, drained, rugged, holds_pct, sold_pct, taken_sol } = one
    const bad = Math.max(drained, rugged)
    const deeds = [
      counted(wallets, 'wallet'),
      counted(tokens, 'token'),
      ...(launched > 0 ? [`${launched} launched`] : []),
      ...(rugged > 0 ? [`${rugged} rugged`] : drained > 0 ? [`${drained} drained`] : []),
    ]
    const here = [
      ...(holds_pct > 0 ? [`holds ${pctText(holds_pct)}`] : []),
      ...(sold_pct > 0 ? [`has sold ${pctText(sold_pct)}`] : []),
    ]
    const exit = one.usual_exit_slots === null ? '' : `, usually sells after ${span(one.usual_exit_slots)}`
    const text = `${name} is here (${deeds.join(', ')}${exit})${here.length > 0 ? `: ${here.join(', ')}` : ''}.`
    const numbers = { id, wallets, tokens, launched, drained, rugged, holds_pct, sold_pct, taken_sol }
    return say('actor', from(bad, VERDICT.actorBad) ?? 'neutral', text, numbers)
  })
}

function record({ deployer }: Facts): Sentence[] {
  if (deployer === null) return []
  const { launched, graduated, all } = deployer
  const [drained, rugged] = [all?.drained ?? 0, all?.rugged ?? 0]
  const numbers = { launched, graduated, drained, rugged, taken_sol: all?.taken_sol ?? 0 }
  if (launched <= 1) return say('deployer_record', 'neutral', 'The deployer’s first launch here.', numbers)
  const share = Math.max(drained, rugged) / launched
  const isFailure = launched >= VERDICT.deployerUngraduated && graduated === 0
  const bad =
    launched >= VERDICT.deployerLaunches ? from(share, VERDICT.deployerBadShare) : drained > 0 ? 'yellow' : null
  const severity = bad ?? (isFailure ? 'yellow' : graduated > 0 && drained === 0 ? 'green' : 'neutral')
  const taken = numbers.taken_sol > 0 ? `, ${plain(numbers.taken_sol)} SOL taken out` : ''
  const text = `The deployer launched ${launched}: ${drained} drained, ${rugged} rugged, ${graduated} graduated${taken}.`
  return say('deployer_record', severity, text, numbers)
}

function launch({ launch, creator_record, slot }: Facts): Sentence[] {
  const { launcher, named, creator_kind, fee_owners, changes } = launch
  const isOther = named !== null && !named.signed && named.wallet !== launcher
  const last = changes.findLast(({ what }) => !QUIET.has(what))
  const owners = fee_owners.length
  const shared = creator_kind === 'holder_rewards' ? 'go to its holders' : `are shared by ${counted(owners, 'owner')}`
  return [
    ...say(
      'creator_named',
      isOther ? (creator_record === null ? 'neutral' : 'yellow') : null,
      `It names ${named?.wallet} as its creator, who did not sign.`,
      { creator: named?.wallet, launched: creator_record?.launched ?? 0 },
    ),
    ...say(
      'creator_changed',
      last === undefined ? null : 'neutral',
      `Its creator changed ${span(Math.max(0, slot - (last?.slot ?? 0)))} ago (${last?.what.replaceAll('_', ' ')}).`,
      { what: last?.what, slot: last?.slot, creator: last?.address },
    ),
    ...say(
      'fees_shared',
      creator_kind === 'holder_rewards' || owners > 0 ? 'neutral' : null,
      `Its creator’s fees ${shared}.`,
      { owners },
    ),
  ]
}

/** Changes that another sentence tells, or that only say what was so before. */
const QUIET: ReadonlySet<string> = new Set([
  ...['created', 'traded', 'sharing', 'holder_rewards', 'shares_set', 'shares_updated', 'shares_reset'],
])

const OUTLOOKS = {
  drain: ['outlook_drain', 'lost most of their money within an hour'],
  halving: ['outlook_halving', 'halved within an hour'],
} as const

function outlook({ outlook: asked }: Facts): Sentence[] {
  return (['drain', 'halving'] as const).flatMap((question) => {
    const foretold = asked[question]
    if (foretold === null) return []
    const { p, n, hits } = foretold
    if (p === null) return []
    const [code, what] = OUTLOOKS[question]
    const text = `Of the latest ${n} tokens like this ${hits} ${what}.`
    return say(code, from(p, VERDICT.outlookP) ?? 'green', text, { p, n, hits })
  })
}

function shares({ classes, holders, groups, coverage }: Facts): Sentence[] {
  const bundled = classes.bundled?.held_pct ?? 0
  const insiders = classes.insiders?.held_pct ?? 0
  const snipers = classes.first_3s?.held_pct ?? 0
  const count = groups.filter(({ confirmed }) => confirmed).length
  const { top_10_pct } = holders
  const phantom = coverage.phantom_supply_pct
  return [
    ...say(
      'bundled',
      from(bundled, VERDICT.bundledPct),
      `${counted(count, 'coordinated group')} ${count === 1 ? 'holds' : 'hold'} ${pctText(bundled)} of supply.`,
      { held_pct: bundled, groups: count },
    ),
    ...say(
      'insiders',
      from(insiders, VERDICT.insidersPct),
      `Deployer and insiders hold ${pctText(insiders)} of supply.`,
      {
        held_pct: insiders,
      },
    ),
    ...say(
      'snipers',
      from(snipers, VERDICT.snipersPct),
      `Buyers of the first 3 s hold ${pctText(snipers)} of supply.`,
      {
        held_pct: snipers,
      },
    ),
    ...say(
      'concentrated',
      from(top_10_pct, VERDICT.top10Pct),
      `The ten largest holders have ${pctText(top_10_pct)} of supply.`,
      { top_10_pct },
    ),
    ...say(
      'phantom',
      phantom > COVERAGE.phantomPct ? 'yellow' : null,
      `${pctText(phantom)} of supply is in balances that cannot all be there: some moved unseen.`,
      { phantom_supply_pct: phantom },
    ),
  ]
}

function score({ score: { value, rating } }: Facts): Sentence[] {
  return say('score', rating, `Score ${value.toFixed(1)} of 10${rating === 'neutral' ? ', not rated' : ''}.`, { value })
}

function unknown({ coverage, hasTraded, graduated }: Facts): Sentence[] {
  const { dead, launch_seen, idle_slots, funders_traced_pct } = coverage
  return [
    ...say('dead', dead ? 'neutral' : null, `Dead: ${span(idle_slots)} without a trade.`, { idle_slots }),
    ...say('no_trade', hasTraded ? null : 'neutral', 'Nobody has traded it yet.', {}),
    ...say(
      'launch_unseen',
      launch_seen ? null : 'neutral',
      'Its first seconds were not seen: who bought first is unknown.',
      {},
    ),
    ...say(
      'funders_unknown',
      hasTraded && funders_traced_pct < VERDICT.tracedPct ? 'neutral' : null,
      `Funders are known of ${pctText(funders_traced_pct)} of held supply only.`,
      { funders_traced_pct },
    ),
    ...say('graduated', graduated ? 'neutral' : null, 'It graduated from its launchpad.', {}),
  ]
}

function reassuring({ groups, holders, coverage }: Facts): Sentence[] {
  const isClean = !groups.some(({ confirmed }) => confirmed)
  const says = isClean && coverage.launch_seen && holders.count >= VERDICT.holders
  const text = `No coordinated wallets were found among ${counted(holders.count, 'holder')}.`
  return say('no_groups', says ? 'green' : null, text, { holders: holders.count })
}
