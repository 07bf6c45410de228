import { COLOURS, VERDICT_CODES, VERDICT_EVENTS, type VerdictCode } from '../../base/verdict-codes.ts'
import type { Who } from '../../contract/who.ts'
import { COVERAGE, SLOTS, VERDICT } from '../../engine/constants.ts'
import { colourOfReason, verdictOf as judgedOf } from '../../engine/verdict/said.ts'
import type { Token } from '../../model/state.ts'
import { counted, listed, pctText, plain, span } from './words.ts'

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
  const reasons = ORDER.flatMap((colour) => coloured.filter((one) => one.colour === colour))
  // a neutral verdict is led by what is missing
  const lead = judged.name === 'neutral' ? reasons.find(({ code }) => code === judged.code) : undefined
  return {
    state: facts.memory.state.name,
    colour: judged.name,
    code: judged.code,
    headline: (lead ?? reasons[0]!).text,
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
  first_block: 'buyers of its first block',
  liquidity: 'whoever withdrew the liquidity',
}

/** The deployer is named with the liquidity only if it withdrew it. */
const ruggers = (by: readonly string[]): string =>
  by.includes('liquidity') && by.includes('deployer')
    ? 'its deployer, who withdrew the liquidity'
    : listed(by.map((who) => WHO[who] ?? who))

function happened({ memory, coverage, slot }: Facts): Said[] {
  const { rugged, drained, sold_in_hour_pct } = memory
  const exited = sold_in_hour_pct >= VERDICT.soldHourPct
  return [
    ...(rugged === null
      ? []
      : say('rugged', `Rugged ${span(rugged.ago_slots)} ago by ${ruggers(rugged.by)}.`, {
          slot: rugged.slot,
          ago_slots: rugged.ago_slots,
        })),
    ...(drained === null || rugged !== null
      ? []
      : say('drained', `Most of its money left within minutes, ${span(drained.ago_slots)} ago.`, {
          slot: drained.slot,
          ago_slots: drained.ago_slots,
        })),
    ...(coverage.dead
      ? say('dead', `Dead: ${span(coverage.idle_slots)} without a trade.`, { idle_slots: coverage.idle_slots })
      : []),
    ...(exited
      ? say('sold_in_hour', `Its own people sold ${pctText(sold_in_hour_pct)} of supply within the hour.`, {
          sold_pct: sold_in_hour_pct,
        })
      : memory.sold_pct >= VERDICT.soldEverPct
        ? say('sold_ever', `Its own people have sold ${pctText(memory.sold_pct)} of supply.`, {
            sold_pct: memory.sold_pct,
          })
        : []),
    ...earlyExit(memory),
    ...(memory.state.name === 'taken_over'
      ? say('taken_over', `Others took it over ${span(slot - memory.state.since_slot)} ago.`, {
          slot: memory.state.since_slot,
        })
      : []),
  ]
}

function earlyExit({ early_sold_pct, early_sold_in_hour_pct }: Facts['memory']): Said[] {
  const isRecent = early_sold_in_hour_pct >= VERDICT.soldHourPct
  if (!isRecent && early_sold_pct < VERDICT.earlyEverPct) return []
  const [sold, when] = isRecent ? [early_sold_in_hour_pct, ' within the hour'] : [early_sold_pct, '']
  return say('early_exit', `Buyers of the first minute who left sold ${pctText(sold)} of supply${when}.`, {
    sold_pct: sold,
  })
}

function liquidity({ liquidity: pool, slot, deployer }: Facts): Said[] {
  if (pool === null) return []
  const { planned, pullable_share, withdrawn } = pool
  const who = withdrawn?.by === deployer?.wallet && deployer !== null ? 'by the deployer' : 'mostly by one wallet'
  const took = withdrawn?.sol ?? 0
  const ago = slot - (withdrawn?.slot ?? slot)
  const share = pullable_share ?? 0
  const pct = pctText(100 * share)
  return [
    ...(took < VERDICT.withdrawnSol
      ? []
      : say('liquidity_withdrawn', `${plain(took)} SOL of liquidity were withdrawn ${who}, last ${span(ago)} ago.`, {
          sol: took,
          ago_slots: ago,
        })),
    ...(share < VERDICT.pullableShare
      ? []
      : say(
          'liquidity_unlocked',
          planned ? `After graduation ${pct} of the pool will not be locked.` : `${pct} of the pool can be withdrawn.`,
          { pullable_share: share, planned },
        )),
  ]
}

type Group = Facts['groups'][number]

const nameOf = (group: Group): string =>
  `${group.has_deployer ? 'Deployer’s group' : `Group ${group.name}`} of ${group.wallets}`

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
    ? `sold ${pctText(exit.pct)} of supply in one block, ${span(ago)} ago`
    : `sold ${pctText(sold_pct)} of supply, last ${span(ago)} ago`
  const text = `${nameOf(group)} ${how}, and holds ${leftText(holds_pct)}.`
  return say('group_exit', text, { ...numbersOf(group), ago_slots: ago }, exitReason(ago))
}

const leftText = (holds_pct: number): string => (holds_pct < 0.1 ? 'nothing' : pctText(holds_pct))

function selling({ groups }: Facts): Said[] {
  return groups
    .filter((group) => group.confirmed && group.selling && !hasLeft(group))
    .flatMap((group) =>
      say(
        'group_selling',
        `${nameOf(group)} is selling: ${pctText(group.sold_pct)} so far.`,
        numbersOf(group),
        'sold_in_hour',
      ),
    )
}

function deployerSold({ deployer, slot }: Facts): Said[] {
  if (deployer === null) return []
  const { sold_pct, holds_pct, peak_pct, last_sell_slot } = deployer
  const bag = sold_pct + holds_pct
  const part = bag > 0 ? (100 * sold_pct) / bag : 0
  if (Math.max(bag, peak_pct) < VERDICT.deployerBagPct || part < 100 * VERDICT.deployerSoldShare) return []
  const ago = last_sell_slot === null ? null : slot - last_sell_slot
  const when = ago === null ? '' : `, last ${span(ago)} ago,`
  const text = `The deployer sold ${pctText(sold_pct)} of supply, ${Math.round(part)} % of its bag${when} and holds ${leftText(holds_pct)}.`
  const numbers = { sold_pct, holds_pct, sold_of_bag_pct: Math.round(part), ago_slots: ago }
  return say('deployer_sold', text, numbers, (ago ?? 0) <= SLOTS.hour ? 'sold_in_hour' : 'deployer_sold')
}

function actors({ actors: known }: Facts): Said[] {
  return known.flatMap((one) => {
    const { id, name, wallets, tokens, launched, drained, rugged, holds_pct, sold_pct, taken_sol } = one
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
    return say('actor', text, { id, wallets, tokens, launched, drained, rugged, holds_pct, sold_pct, taken_sol })
  })
}

function record({ deployer }: Facts): Said[] {
  if (deployer === null) return []
  const { launched, graduated, all } = deployer
  const [drained, rugged] = [all?.drained ?? 0, all?.rugged ?? 0]
  const numbers = { launched, graduated, drained, rugged, taken_sol: all?.taken_sol ?? 0 }
  if (launched === 0) return say('deployer_record', 'It is the deployer’s first launch.', numbers)
  const taken = numbers.taken_sol > 0 ? `, ${plain(numbers.taken_sol)} SOL taken out` : ''
  const text = `The deployer launched ${counted(launched, 'other')}: ${drained} drained, ${rugged} rugged, ${graduated} graduated${taken}.`
  return say('deployer_record', text, numbers)
}

function launch({ launch, creator_record, slot }: Facts): Said[] {
  const { launcher, named, creator_kind, fee_owners, changes } = launch
  const isOther = named !== null && !named.signed && named.wallet !== launcher
  const last = changes.findLast(({ what }) => !QUIET.has(what))
  const owners = fee_owners.length
  const shared = creator_kind === 'holder_rewards' ? 'go to its holders' : `are shared by ${counted(owners, 'owner')}`
  return [
    ...(isOther
      ? say('creator_named', `It names ${named.wallet} as its creator, who did not sign.`, {
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
      ? say('fees_shared', `Its creator’s fees ${shared}.`, { owners })
      : []),
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

function outlook({ outlook: asked }: Facts): Said[] {
  return (['drain', 'halving'] as const).flatMap((question) => {
    const foretold = asked[question]
    if (foretold === null) return []
    const { p, n, hits } = foretold
    if (p === null) return []
    const [code, what] = OUTLOOKS[question]
    return say(code, `Of the latest ${n} tokens like this ${hits} ${what}.`, { p, n, hits })
  })
}

function shares({ classes, holders, groups, coverage }: Facts): Said[] {
  const pctOf = (code: 'bundled' | 'insiders' | 'first_3s'): number => classes[code]?.held_pct ?? 0
  const count = groups.filter(({ confirmed }) => confirmed).length
  const { top_10_pct } = holders
  const phantom = coverage.phantom_supply_pct
  const when = (value: number, edge: number, said: Said[]): Said[] => (value >= edge ? said : [])
  const held = (value: number) => ({ held_pct: value })
  const [bundled, insiders, snipers] = [pctOf('bundled'), pctOf('insiders'), pctOf('first_3s')]
  const groupsHold = `${counted(count, 'coordinated group')} ${count === 1 ? 'holds' : 'hold'} ${pctText(bundled)} of supply.`
  return [
    ...when(bundled, VERDICT.bundledPct.yellow, say('bundled', groupsHold, { ...held(bundled), groups: count })),
    ...when(
      insiders,
      VERDICT.insidersPct.yellow,
      say('insiders', `Deployer and insiders hold ${pctText(insiders)} of supply.`, held(insiders)),
    ),
    ...when(
      snipers,
      VERDICT.snipersPct.yellow,
      say('snipers', `Buyers of the first 3 s hold ${pctText(snipers)} of supply.`, held(snipers)),
    ),
    ...when(
      top_10_pct,
      VERDICT.top10Pct.yellow,
      say('concentrated', `The ten largest holders have ${pctText(top_10_pct)} of supply.`, { top_10_pct }),
    ),
    ...when(
      phantom,
      COVERAGE.phantomPct,
      say('phantom', `${pctText(phantom)} of supply is in balances that cannot all be there: some moved unseen.`, {
        phantom_supply_pct: phantom,
      }),
    ),
  ]
}

function unknown({ coverage, token, score }: Facts): Said[] {
  const { launch_seen } = coverage
  const { readSlot, knownPct } = token.verdict
  const hasTraded = token.lastTradeSlot >= 0
  const share = Math.round(100 - knownPct)
  return [
    ...(hasTraded ? [] : say('no_trade', 'Nobody has traded it yet.', {})),
    ...(launch_seen ? [] : say('launch_unseen', 'Its first seconds were not seen: who bought first is unknown.', {})),
    ...(hasTraded && readSlot < 0
      ? say('unknown_holders', 'Its holders are first read 30 s after the launch.', {})
      : []),
    ...(readSlot < 0 || knownPct >= VERDICT.knownPct
      ? []
      : say('unknown_holders', `${share} % of held supply is with wallets that are new or of unknown funding.`, {
          unknown_pct: share,
        })),
    ...say('score', `Score ${score.toFixed(1)} of 10.`, { value: score }),
    ...(token.migratedSlot >= 0 ? say('graduated', 'It graduated from its launchpad.', {}) : []),
  ]
}

function known({ groups, holders, coverage, token: { verdict } }: Facts): Said[] {
  const isClean = !groups.some(({ confirmed }) => confirmed) && coverage.launch_seen
  const share = Math.round(verdict.knownPct)
  return [
    ...(verdict.knownPct >= VERDICT.knownPct
      ? say('known_holders', `${share} % of held supply is with wallets that have a record and known funding.`, {
          known_pct: share,
        })
      : []),
    ...(isClean && holders.count >= VERDICT.holders
      ? say('no_groups', `No coordinated wallets were found among ${counted(holders.count, 'holder')}.`, {
          holders: holders.count,
        })
      : []),
  ]
}
