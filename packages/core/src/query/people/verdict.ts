import { counted, listed, pct, sol } from '../../base/format.ts'
import { deployerRecord, lost } from '../../base/record.ts'
import { COLOURS, VERDICT_CODES, VERDICT_EVENTS, type VerdictCode } from '../../base/verdict-codes.ts'
import type { Who } from '../../contract/who.ts'
import { COVERAGE, SLOTS, VERDICT } from '../../engine/constants.ts'
import { colourOfReason, verdictOf as judgedOf } from '../../engine/verdict/said.ts'
import type { Token } from '../../model/state.ts'
import { span } from '../span.ts'

/** The verdict of the fold in words and numbers. Its reasons give sentences their colour; other facts are neutral. */

type Verdict = Who['verdict']
type Sentence = Verdict['reasons'][number]
type Colour = Sentence['colour']
type Code = Sentence['code']

/** The facts that the sentences use. */
export interface Facts extends Omit<Who, 'verdict' | 'first_buyers' | 'mint' | 'said_by_deployer'> {
  readonly token: Token
  readonly score: number
}

const ORDER: readonly Colour[] = ['red', 'yellow', 'neutral', 'green']

/** A sentence that takes the colour of a reason, its own code if not given. */
interface Said extends Omit<Sentence, 'colour'> {
  readonly of: VerdictCode | null
}

function say(code: Code, text: string, numbers: Sentence['numbers'], of: VerdictCode | null = null): Said[] {
  return [{ code, text, numbers, of }]
}

const isReason = (code: string): code is VerdictCode => VERDICT_CODES.includes(code as VerdictCode)

/** Within a colour sentences follow the list below: exits, fate, liquidity, sellers, actors, record, launch, outlook, shares. */
export function verdictOf(facts: Facts): Verdict {
  const { token } = facts
  const { history } = token.verdict
  const judged = judgedOf(token)
  const parts = [exits, happened, liquidity, selling, actors, record, launch, outlook, shares, unknown, known]
  const said = parts.flatMap((part) => part(facts))
  const colourOf = ({ code, of }: Said): Colour => {
    const reason = of ?? (isReason(code) ? code : null)
    if (reason === null) return 'neutral'
    return reason === 'known_holders' && judged.name === 'green' ? 'green' : colourOfReason(token, reason)
  }
  const coloured = said.map(({ of, ...one }) => ({ ...one, colour: colourOf({ ...one, of }) }))
  const ordered = ORDER.flatMap((colour) => coloured.filter((one) => one.colour === colour))
  // a neutral verdict is led by what is missing
  const isLed = judged.name !== 'neutral' && ORDER.indexOf(ordered[0]!.colour) <= ORDER.indexOf(judged.name)
  const lead = isLed ? undefined : ordered.find(({ code }) => code === judged.code)
  const reasons = lead === undefined ? ordered : [lead, ...ordered.filter((one) => one !== lead)]
  return {
    state: facts.memory.state.name,
    colour: judged.name,
    code: judged.code,
    headline: reasons[0]!.text,
    since_slot: judged.sinceSlot,
    event: judged.event,
    reasons,
    history: history.map(({ slot, colour, code, event }) => ({
      slot,
      colour: COLOURS[colour]!,
      code: VERDICT_CODES[code]!,
      event: VERDICT_EVENTS[event]!,
    })),
  }
}

const WHO: Readonly<Record<string, string>> = {
  deployer: 'its deployer',
  groups: 'coordinated wallets',
  insiders: 'insiders',
  first_block: 'buyers in its first block',
  liquidity: 'the wallet that withdrew the liquidity',
}

/** The deployer is named with the liquidity only if it withdrew it. */
const ruggers = (by: readonly string[]): string =>
  by.includes('liquidity') && by.includes('deployer')
    ? 'its deployer, who withdrew the liquidity'
    : listed(by.map((who) => WHO[who] ?? who))

const INSIDE = 'Deployer, insiders and coordinated wallets'

function happened({ memory, coverage, slot }: Facts): Said[] {
  const { rugged, drained, sold_in_hour_pct } = memory
  const isRecent = sold_in_hour_pct >= VERDICT.soldHourPct
  return [
    ...(rugged === null
      ? []
      : say('rugged', `Rugged ${span(rugged.ago_slots)} ago by ${ruggers(rugged.by)}.`, {
          slot: rugged.slot,
          ago_slots: rugged.ago_slots,
        })),
    ...(drained === null || rugged !== null
      ? []
      : say('drained', `Drained ${span(drained.ago_slots)} ago: most of the SOL in its market left within minutes.`, {
          slot: drained.slot,
          ago_slots: drained.ago_slots,
        })),
    ...(coverage.dead
      ? say('dead', `Dead: no trade for ${span(coverage.idle_slots)}.`, { idle_slots: coverage.idle_slots })
      : []),
    ...(isRecent
      ? say('sold_in_hour', `${INSIDE} sold ${pct(sold_in_hour_pct)} of supply in the past hour.`, {
          sold_pct: sold_in_hour_pct,
        })
      : memory.sold_pct >= VERDICT.soldEverPct
        ? say('sold_ever', `${INSIDE} have sold ${pct(memory.sold_pct)} of supply.`, {
            sold_pct: memory.sold_pct,
          })
        : []),
    ...earlyExit(memory),
    ...(memory.state.name === 'taken_over'
      ? say('taken_over', `Taken over by other buyers ${span(slot - memory.state.since_slot)} ago.`, {
          slot: memory.state.since_slot,
        })
      : []),
  ]
}

function earlyExit({ early_sold_pct, early_sold_in_hour_pct }: Facts['memory']): Said[] {
  const isRecent = early_sold_in_hour_pct >= VERDICT.soldHourPct
  if (!isRecent && early_sold_pct < VERDICT.earlyEverPct) return []
  const [sold, when] = isRecent ? [early_sold_in_hour_pct, ' in the past hour'] : [early_sold_pct, '']
  return say('early_exit', `First-minute buyers who cashed out sold ${pct(sold)} of supply${when}.`, {
    sold_pct: sold,
  })
}

function liquidity({ liquidity: pool, slot, deployer }: Facts): Said[] {
  if (pool === null) return []
  const { planned, pullable_share, withdrawn } = pool
  const isDeployer = deployer !== null && withdrawn?.by === deployer.wallet
  const took = withdrawn?.sol ?? 0
  const ago = slot - (withdrawn?.slot ?? slot)
  const share = pullable_share ?? 0
  const part = pct(100 * share)
  return [
    ...(took < VERDICT.withdrawnSol
      ? []
      : say(
          'liquidity_withdrawn',
          `${isDeployer ? 'The deployer withdrew' : 'Withdrawn, mostly by one wallet:'} ${sol(took)} SOL of liquidity, most recently ${span(ago)} ago.`,
          {
            sol: took,
            ago_slots: ago,
          },
        )),
    ...(share < VERDICT.pullableShare
      ? []
      : say(
          'liquidity_unlocked',
          planned ? `After graduation ${part} of the pool can be withdrawn.` : `${part} of the pool can be withdrawn.`,
          { pullable_share: share, planned },
        )),
  ]
}

type Group = Facts['groups'][number]

const nameOf = (group: Group): string =>
  `${group.has_deployer ? 'The deployer’s group' : `Group ${group.name}`} (${counted(group.wallets, 'wallet')})`

/** Largest sale first; a group precedes a deployer in it, because it sold at least as much. */
function exits(facts: Facts): Said[] {
  const sold = ({ numbers }: Said): number => numbers.sold_pct as number
  return [...facts.groups.flatMap((group) => groupExit(group, facts)), ...deployerSold(facts)].sort(
    (a, b) => sold(b) - sold(a),
  )
}

const hasLeft = ({ exit, sold_pct }: Group): boolean => exit !== null && sold_pct >= VERDICT.groupSoldPct

/** The reason that an exit of its own people belongs to. */
const exitReason = (ago: number): VerdictCode => (ago <= SLOTS.hour ? 'sold_in_hour' : 'sold_ever')

const numbersOf = ({ id, wallets, sold_pct, holds_pct, exit }: Group) => ({
  id,
  wallets,
  sold_pct,
  holds_pct,
  exit_pct: exit?.pct ?? null,
  exit_slot: exit?.slot ?? null,
})

function groupExit(group: Group, { slot }: Facts): Said[] {
  const { exit, sold_pct, holds_pct } = group
  if (!group.confirmed || exit === null || !hasLeft(group)) return []
  const ago = slot - exit.slot
  const atOnce = exit.pct * 2 >= sold_pct && exit.wallets > 1
  const how = atOnce
    ? `sold ${pct(exit.pct)} of supply in one block ${span(ago)} ago`
    : `sold ${pct(sold_pct)} of supply, most recently ${span(ago)} ago,`
  const text = `${nameOf(group)} ${how} and holds ${leftText(holds_pct)}.`
  return say('group_exit', text, { ...numbersOf(group), ago_slots: ago }, exitReason(ago))
}

const leftText = (holds_pct: number): string => (holds_pct < 0.1 ? 'nothing' : pct(holds_pct))

function selling({ groups }: Facts): Said[] {
  return groups
    .filter((group) => group.confirmed && group.selling && !hasLeft(group))
    .flatMap((group) =>
      say(
        'group_selling',
        `${nameOf(group)} is selling: ${pct(group.sold_pct)} of supply so far.`,
        numbersOf(group),
        'sold_in_hour',
      ),
    )
}

function deployerSold({ deployer, slot }: Facts): Said[] {
  if (deployer === null) return []
  const { sold_pct, holds_pct, peak_pct, last_sell_slot } = deployer
  const had = sold_pct + holds_pct
  const part = had > 0 ? (100 * sold_pct) / had : 0
  if (Math.max(had, peak_pct) < VERDICT.deployerBagPct || part < 100 * VERDICT.deployerSoldShare) return []
  const ago = last_sell_slot === null ? null : slot - last_sell_slot
  const when = ago === null ? '' : `, most recently ${span(ago)} ago,`
  const text = `The deployer sold ${pct(Math.round(part))} of its tokens (${pct(sold_pct)} of supply)${when} and holds ${leftText(holds_pct)}.`
  const numbers = { sold_pct, holds_pct, sold_of_bag_pct: Math.round(part), ago_slots: ago }
  return say('deployer_sold', text, numbers, (ago ?? 0) <= SLOTS.hour ? 'sold_in_hour' : 'deployer_sold')
}

function actors({ actors: known }: Facts): Said[] {
  return known.flatMap((one) => {
    const { id, name, wallets, tokens, launched, drained, rugged, holds_pct, sold_pct, taken_sol } = one
    const past = [
      launched > 0 ? counted(launched, 'launch', 'launches') : `seen on ${counted(tokens, 'token')}`,
      ...(drained + rugged > 0 ? [lost(drained, rugged)] : []),
      ...(one.usual_exit_slots === null ? [] : [`usually out after ${span(one.usual_exit_slots)}`]),
    ]
    const here = [
      ...(holds_pct > 0 ? [`holds ${pct(holds_pct)}`] : []),
      ...(sold_pct > 0 ? [`has sold ${pct(sold_pct)}`] : []),
    ]
    const now = here.length > 0 ? `; ${listed(here)} of supply` : ''
    const text = `${name} again: ${past.join(', ')}${now}.`
    return say('actor', text, { id, wallets, tokens, launched, drained, rugged, holds_pct, sold_pct, taken_sol })
  })
}

function record({ deployer }: Facts): Said[] {
  if (deployer === null) return []
  const { launched, graduated, all } = deployer
  const { drained = 0, rugged = 0, taken_sol = 0 } = all ?? {}
  const text = `The deployer’s ${deployerRecord(deployer, 'other launch')}.`
  return say('deployer_record', text, { launched, graduated, drained, rugged, taken_sol })
}

function launch({ launch, creator_record, slot }: Facts): Said[] {
  const { launcher, named, creator_kind, fee_owners, changes } = launch
  const isOther = named !== null && !named.signed && named.wallet !== launcher
  const last = changes.findLast(({ what }) => !QUIET.has(what))
  const owners = fee_owners.length
  const shared = creator_kind === 'holder_rewards' ? 'go to holders' : `are split among ${counted(owners, 'wallet')}`
  return [
    ...(isOther
      ? say('creator_named', `It names ${named.wallet} as its creator, without that wallet’s signature.`, {
          creator: named.wallet,
          launched: creator_record?.launched ?? 0,
        })
      : []),
    ...(last === undefined
      ? []
      : say(
          'creator_changed',
          `Its creator changed ${span(Math.max(0, slot - last.slot))} ago (${last.what.replaceAll('_', ' ')}).`,
          { what: last.what, slot: last.slot, creator: last.address },
        )),
    ...(creator_kind === 'holder_rewards' || owners > 0
      ? say('fees_shared', `Creator fees ${shared}.`, { owners })
      : []),
  ]
}

/** Changes that another sentence tells, or that only say what was so before. */
const QUIET: ReadonlySet<string> = new Set([
  ...['created', 'traded', 'sharing', 'holder_rewards', 'shares_set', 'shares_updated', 'shares_reset'],
])

const OUTLOOKS = {
  drain: ['outlook_drain', 'were drained within an hour'],
  halving: ['outlook_halving', 'fell by half within an hour'],
} as const

function outlook({ outlook: asked }: Facts): Said[] {
  return (['drain', 'halving'] as const).flatMap((question) => {
    const { p, n, hits } = asked[question] ?? { p: null, n: 0, hits: 0 }
    if (p === null) return []
    const [code, what] = OUTLOOKS[question]
    return say(code, `Of the last ${n} tokens like this, ${hits} ${what}.`, { p, n, hits })
  })
}

function shares({ classes, holders, groups, coverage, token }: Facts): Said[] {
  const pctOf = (code: 'bundled' | 'insiders' | 'first_3s'): number => classes[code]?.held_pct ?? 0
  const found = groups.filter(({ confirmed }) => confirmed).length
  const { top_10_pct } = holders
  const { phantom_supply_pct } = coverage
  // a reason stays one for a while below its edge
  const when = (code: VerdictCode, value: number, edge: number, text: string, numbers: Sentence['numbers']): Said[] =>
    value >= edge || colourOfReason(token, code) !== 'neutral' ? say(code, text, numbers) : []
  const held = (value: number) => ({ held_pct: value })
  const [bundled, insiders, snipers] = [pctOf('bundled'), pctOf('insiders'), pctOf('first_3s')]
  const groupsHold = `${counted(found, 'coordinated group')} ${found === 1 ? 'holds' : 'hold'} ${pct(bundled)} of supply.`
  const insidersHold = `The deployer and insiders hold ${pct(insiders)} of supply.`
  const snipersHold = `Snipers (bought in the first 3 s) hold ${pct(snipers)} of supply.`
  const topOwn = `The top 10 holders own ${pct(top_10_pct)} of supply.`
  const doNotAddUp = `Balances of ${pct(phantom_supply_pct)} of supply do not add up: tokens moved unseen.`
  return [
    ...when('bundled', bundled, VERDICT.bundledPct.yellow, groupsHold, { ...held(bundled), groups: found }),
    ...when('insiders', insiders, VERDICT.insidersPct.yellow, insidersHold, held(insiders)),
    ...when('snipers', snipers, VERDICT.snipersPct.yellow, snipersHold, held(snipers)),
    ...when('concentrated', top_10_pct, VERDICT.top10Pct.yellow, topOwn, { top_10_pct }),
    ...when('phantom', phantom_supply_pct, COVERAGE.phantomPct, doNotAddUp, { phantom_supply_pct }),
  ]
}

function unknown({ coverage, holders, token, score }: Facts): Said[] {
  const { launch_seen } = coverage
  const { readSlot, knownPct } = token.verdict
  const hasTraded = token.lastTradeSlot >= 0
  const share = Math.round(100 - knownPct)
  const who =
    holders.count === 0
      ? 'Nobody holds it any more.'
      : `${pct(share)} of held supply is in new wallets or wallets of unknown funding.`
  return [
    ...(hasTraded ? [] : say('no_trade', 'No trades yet.', {})),
    ...(launch_seen ? [] : say('launch_unseen', 'Its launch was not seen, so its first buyers are unknown.', {})),
    ...(hasTraded && readSlot < 0
      ? say('unknown_holders', 'Too early: holders are first judged 30 s after launch.', {})
      : []),
    ...(readSlot < 0 || knownPct >= VERDICT.knownPct ? [] : say('unknown_holders', who, { unknown_pct: share })),
    ...say('score', `Score ${score.toFixed(1)} of 10.`, { value: score }),
    ...(token.migratedSlot >= 0 ? say('graduated', 'Graduated from its launchpad.', {}) : []),
  ]
}

function known({ groups, holders, coverage, token: { verdict } }: Facts): Said[] {
  const hasNone = !groups.some(({ confirmed }) => confirmed) && coverage.launch_seen
  const share = Math.round(verdict.knownPct)
  return [
    ...(verdict.knownPct >= VERDICT.knownPct
      ? say('known_holders', `${pct(share)} of held supply is in wallets with a track record and known funding.`, {
          known_pct: share,
        })
      : []),
    ...(hasNone && holders.count >= VERDICT.holders
      ? say('no_groups', `No coordinated wallets found among ${counted(holders.count, 'holder')}.`, {
          holders: holders.count,
        })
      : []),
  ]
}
