import type { Who } from '@ti/core/contract/who.ts'
import type { MapBubble, MapCluster, MapLink } from '../../charts/bubble-map.tsx'
import { count, pct, shortAddress } from '../../ui/format.ts'
import { type Group, type Holder, lookOf, type Member, type Person, tagsOf, tagWords } from './who-words.ts'
import { inPercent } from './words.ts'

/** Turns the answer into bubbles: largest holders, members of groups, the deployer. */

interface Someone extends Member {
  readonly group: { readonly id: string; readonly name: string } | null
}

interface WhoMap {
  readonly people: ReadonlyMap<string, Someone>
  readonly bubbles: readonly MapBubble[]
  readonly clusters: readonly MapCluster[]
  readonly links: readonly MapLink[]
}

export const MOMENTS = [
  ['Launch', 'wallets that bought within 3 seconds of the launch, at their largest'],
  ['Peak', 'each wallet at the most it held'],
  ['Now', 'what each wallet holds now; an empty rim shows what it has sold'],
] as const
export const NOW = 2

/** bubbles shown; the rest is counted */
const BUBBLES_MAX = 500
/** most evidence lines per group, the strongest */
const LINES_MAX = 40

export function mapOf(who: Who): WhoMap {
  const people = peopleOf(who)
  const drawn = [...people.values()]
    .sort((a, b) => b.peak_pct - a.peak_pct || (a.wallet < b.wallet ? -1 : 1))
    .slice(0, BUBBLES_MAX)
  const actors = actorsTogether(drawn)
  const bubbles = drawn.map((one) => bubbleOf(one, one.group?.id ?? (one.actor && actors.get(one.actor.id)) ?? null))
  const used = new Set(bubbles.map(({ cluster }) => cluster))
  return {
    people,
    bubbles,
    clusters: [
      ...who.groups.map(clusterOf),
      ...who.actors.map(({ id, name, holds_pct }) => ({
        ...{ id, name, look: 'plain' as const },
        caption: `${inPercent(holds_pct)} · known from other tokens`,
      })),
    ].filter(({ id }) => used.has(id)),
    links: linksOf(who, new Map(bubbles.map(({ id, cluster }) => [id, cluster])), people),
  }
}

function peopleOf({ groups, holders, deployer }: Who): Map<string, Someone> {
  const people = new Map<string, Someone>()
  for (const { id, name, members } of groups)
    for (const member of members) people.set(member.wallet, { ...member, group: { id, name } })
  for (const holder of holders.top) if (!people.has(holder.wallet)) people.set(holder.wallet, holder)
  if (deployer !== null && !people.has(deployer.wallet) && deployer.peak_pct > 0)
    people.set(deployer.wallet, alone(deployer))
  return people
}

/** A deployer outside the lists; the answer has no amounts for it. */
const alone = (deployer: NonNullable<Who['deployer']>): Someone => ({
  ...{ wallet: deployer.wallet, name: deployer.name, tags: ['deployer'], group: null, actor: deployer.actor },
  ...{ holds_pct: deployer.holds_pct, peak_pct: deployer.peak_pct, sold_pct: deployer.sold_pct },
  ...{ bought_pct: 0, received_pct: 0, first_buy_slot: null, last_sell_slot: null, paid_sol: 0, got_sol: 0 },
  ...{ realised_sol: null, unrealised_sol: null, funder: deployer.funder },
})

/** Actors with at least two wallets outside every group form clusters. */
function actorsTogether(people: readonly Someone[]): Map<string, string> {
  const counts = new Map<string, number>()
  for (const { group, actor } of people)
    if (group === null && actor !== null) counts.set(actor.id, (counts.get(actor.id) ?? 0) + 1)
  return new Map([...counts].filter(([, wallets]) => wallets > 1).map(([id]) => [id, id]))
}

const isEarly = ({ tags }: Person): boolean => tags.includes('first_block') || tags.includes('sniper')

function bubbleOf(one: Someone, cluster: string | null): MapBubble {
  const { wallet, name, tags, holds_pct, peak_pct } = one
  const peak = Math.max(peak_pct, holds_pct)
  const early = isEarly(one) || tags.includes('deployer')
  const look = lookOf(tags, one.group !== null)
  const sizes = [early ? peak : 0, peak, holds_pct]
  return {
    ...{ id: wallet, to: `/trader/${wallet}`, look, cluster, sizes },
    texts: sizes.map((size) => (look === 'deployer' ? 'dev' : (name ?? pct(size, 1)))),
    label: labelOf(one),
  }
}

/** Describes a wallet: name, tags, holdings. */
export function labelOf(one: Someone): string {
  const { wallet, name, group, actor, holds_pct, peak_pct } = one
  const words = [
    name === null ? shortAddress(wallet) : `${name}, ${shortAddress(wallet)}`,
    ...tagsOf(one).map((tag) => tagWords(tag).label),
    ...(group === null ? [] : [`in ${group.name}`]),
    ...(actor === null ? [] : [`of actor ${actor.name}`]),
  ]
  const held = holds_pct > 0 ? `holds ${inPercent(holds_pct, 2)} of supply` : 'holds nothing'
  return `${words.join(', ')}; ${held}${peak_pct > holds_pct ? `, at most ${inPercent(peak_pct, 2)}` : ''}`
}

const clusterOf = ({ id, name, confirmed, selling, holds_pct, peak_pct, wallets }: Group): MapCluster => ({
  ...{ id, name },
  look: !confirmed ? 'faint' : selling || holds_pct < peak_pct / 2 ? 'red' : 'plain',
  caption: `${count(wallets)} · ${holds_pct > 0 ? inPercent(holds_pct) : 'sold all'}${peak_pct > holds_pct ? ` of ${inPercent(peak_pct)}` : ''}`,
})

/** Lines for funding, the strongest evidence within groups, and actors beyond their group. */
function linksOf({ groups, holders, deployer }: Who, on: ReadonlyMap<string, string | null>, people: WhoMap['people']) {
  const links = new Map<string, MapLink>()
  const add = (a: string, b: string, look: MapLink['look']): void => {
    if (a === b || !on.has(a) || !on.has(b)) return
    const key = a < b ? `${a} ${b}` : `${b} ${a}`
    if (!links.has(key)) links.set(key, { between: [a, b], look })
  }
  for (const { funders } of groups)
    for (const { wallet, funded } of funders) for (const one of funded) add(wallet, one.wallet, 'funded')
  for (const { wallet, funder } of holders.top as readonly Holder[])
    if (funder !== null) add(funder.wallet, wallet, 'funded')
  for (const { evidence } of groups)
    for (const { wallets } of evidence.slice(0, LINES_MAX)) add(wallets[0] ?? '', wallets[1] ?? '', 'evidence')
  for (const [a, b] of acrossClusters(people, on)) add(a, b, 'actor')
  if (deployer !== null)
    for (const { id, members, has_deployer } of groups)
      if (has_deployer && on.get(deployer.wallet) !== id) add(deployer.wallet, members[0]?.wallet ?? '', 'actor')
  return [...links.values()]
}

/** Connects the clusters and wallets of each actor. */
function acrossClusters(
  people: WhoMap['people'],
  on: ReadonlyMap<string, string | null>,
): (readonly [string, string])[] {
  const places = new Map<string, Map<string, string>>()
  for (const { wallet, actor } of people.values()) {
    if (actor === null || !on.has(wallet)) continue
    const found = places.get(actor.id) ?? new Map<string, string>()
    const place = on.get(wallet) ?? wallet
    if (!found.has(place)) found.set(place, wallet)
    places.set(actor.id, found)
  }
  return [...places.values()].flatMap((found) => {
    const [first, ...others] = found.values()
    return first === undefined ? [] : others.map((other) => [first, other] as const)
  })
}

/** Funding of a group as a tree; a member that was funded by another hangs below it. */

export interface FundingNode {
  readonly wallet: string
  readonly name: string | null
  readonly role: 'exchange' | 'deployer' | 'funder' | 'member'
  /** its first SOL from the parent; null at the root */
  readonly edge: { readonly sol: number; readonly slot: number; readonly age_slots: number } | null
  /** null if it is no member */
  readonly member: Member | null
  readonly children: readonly FundingNode[]
}

interface Funding {
  readonly roots: readonly FundingNode[]
  /** members without a traced funder */
  readonly untraced: readonly Member[]
}

type Funder = Group['funders'][number]

export function fundingOf({ funders, members }: Pick<Group, 'funders' | 'members'>): Funding {
  const byWallet = new Map(funders.map((funder) => [funder.wallet, funder]))
  const memberOf = new Map(members.map((member) => [member.wallet, member]))
  const funded = new Set(funders.flatMap(({ funded }) => funded.map(({ wallet }) => wallet)))
  const seen = new Set<string>()

  function nodeOf(wallet: string, edge: FundingNode['edge']): FundingNode {
    seen.add(wallet)
    const funder = byWallet.get(wallet)
    const member = memberOf.get(wallet) ?? null
    // wallets that funded each other would recurse forever
    const below = (funder?.funded ?? []).filter(({ wallet }) => !seen.has(wallet))
    for (const { wallet } of below) seen.add(wallet)
    return {
      ...{ wallet, edge, member, role: roleOf(funder) },
      name: funder?.name ?? member?.name ?? null,
      children: below.map(({ wallet, sol, slot, age_slots }) => nodeOf(wallet, { sol, slot, age_slots })),
    }
  }

  const tops = funders.filter(({ wallet }) => !funded.has(wallet))
  const roots = tops.map(({ wallet }) => nodeOf(wallet, null))
  // any wallet of a cycle can be its root
  for (const { wallet } of funders) if (!seen.has(wallet)) roots.push(nodeOf(wallet, null))
  return { roots, untraced: members.filter(({ wallet }) => !seen.has(wallet)) }
}

function roleOf(funder: Funder | undefined): FundingNode['role'] {
  if (funder === undefined) return 'member'
  if (funder.is_deployer) return 'deployer'
  if (funder.exchange) return 'exchange'
  return funder.is_member ? 'member' : 'funder'
}
