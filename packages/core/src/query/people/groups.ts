import { keyToBase58 } from '../../base/base58.ts'
import type { Who } from '../../contract/who.ts'
import { isRed } from '../../engine/bundles/groups.ts'
import type { Group } from '../../model/bundles.ts'
import type { TradeRow } from '../../model/rows.ts'
import type { Position, Token, Wallet } from '../../model/state.ts'
import type { ActorReader } from '../actors.ts'
import type { QueryBounds } from '../bounds.ts'
import { groupHead, pairsOf } from '../explain.ts'
import { share, sol, turnover } from '../round.ts'
import type { TokenView } from '../view.ts'
import { renderPair, renderTransaction, type Scene } from './evidence.ts'
import { linkOf, renderPerson } from './links.ts'
import { personOf } from './person.ts'

type WhoGroup = Who['groups'][number]

interface GroupsOptions {
  readonly view: TokenView
  readonly reader: ActorReader
  readonly scene: Scene
  readonly bounds: QueryBounds
  readonly leftOut: { count: number }
}

/** Unmerged groups: confirmed ones first, then by peak. */
function groupsOf({ live }: TokenView): Group[] {
  return live.bundles.groups
    .filter(({ mergedInto }) => mergedInto < 0)
    .sort((a, b) => Number(b.confirmedSlot >= 0) - Number(a.confirmedSlot >= 0) || b.peak - a.peak || a.no - b.no)
}

export function renderGroups(options: GroupsOptions): WhoGroup[] {
  return groupsOf(options.view)
    .slice(0, options.bounds.whoGroups)
    .map((group) => renderGroup(options, group))
}

function renderGroup({ view, reader, scene, bounds, leftOut }: GroupsOptions, group: Group): WhoGroup {
  const { live, slot, wallet, market } = view
  const { token, positions } = live
  const owned = group.members
    .flatMap((id) => positions.get(id) ?? [])
    .sort((a, b) => b.bought + b.received - (a.bought + a.received) || a.wallet - b.wallet)
  const members = owned.slice(0, bounds.whoMembers).map((position) => {
    const owner = wallet(position.wallet)
    const isConfirmed = group.confirmedSlot >= 0
    return renderPerson(reader, token, personOf(token, market, position, owner, isConfirmed ? group.no : -1), wallet)
  })
  // those of most families first
  const pairs = pairsOf(view, group).sort((x, y) => y.slots.length - x.slots.length || x.a - y.a || x.b - y.b)
  return {
    ...groupHead(view, group),
    selling: isRed(group, slot),
    has_deployer: token.deployer >= 0 && group.members.includes(token.deployer),
    wallets: group.members.length,
    holds_pct: share(group.balance, token.supply),
    peak_pct: share(group.peak, token.supply),
    sold_pct: turnover(group.sold, token.supply),
    members,
    funders: fundersOf(
      token,
      group,
      owned.map(({ wallet: id }) => wallet(id)),
      wallet,
    ),
    exit: exitOf(scene, owned, bounds.whoExitTrades, leftOut),
    evidence: pairs.slice(0, bounds.whoPairs).map((pair) => renderPair(scene, pair, leftOut)),
    pairs: pairs.length,
  }
}

/** Funders of the group's members, those of most members first. */
function fundersOf(
  token: Token,
  { members }: Group,
  owners: readonly Wallet[],
  wallet: (id: number) => Wallet,
): WhoGroup['funders'] {
  const funded = new Map<number, Wallet[]>()
  for (const owner of owners) {
    if (owner.funder >= 0) funded.set(owner.funder, [...(funded.get(owner.funder) ?? []), owner])
  }
  return [...funded]
    .sort(([a, one], [b, other]) => other.length - one.length || a - b)
    .map(([id, of]) => {
      const { address, name, exchange } = wallet(id)
      return {
        wallet: keyToBase58(address),
        name,
        exchange,
        is_deployer: id === token.deployer,
        is_member: members.includes(id),
        funded: of.map((owner) => ({ wallet: keyToBase58(owner.address), ...linkOf(token, owner) })),
      }
    })
}

/** The slot in which most members made their last sale; the latest one of several. */
function exitOf(
  { token, wallet, tradesAt }: Scene,
  members: readonly Position[],
  most: number,
  leftOut: { count: number },
): WhoGroup['exit'] {
  const sellers = new Map<number, number>()
  for (const { lastSellSlot } of members) {
    if (lastSellSlot >= 0) sellers.set(lastSellSlot, (sellers.get(lastSellSlot) ?? 0) + 1)
  }
  const [first] = [...sellers].sort(([a, one], [b, other]) => other - one || b - a)
  if (first === undefined) return null
  const [slot] = first
  const rows = tradesAt(slot)
  if (rows === null) {
    leftOut.count++
    return null
  }
  const ids = new Set(members.map(({ wallet: id }) => id))
  const sales = rows.filter((row) => !row.isBuy && ids.has(row.wallet)).sort(byTokens)
  const sum = (of: (row: TradeRow) => number): number => sales.reduce((total, row) => total + of(row), 0)
  return {
    slot,
    wallets: new Set(sales.map((row) => row.wallet)).size,
    pct: share(
      sum(({ tokens }) => tokens),
      token.supply,
    ),
    sol: sol(sum(({ lamports }) => lamports)),
    transactions: sales.slice(0, most).map((row) => renderTransaction(token, row, wallet(row.wallet))),
  }
}

const byTokens = (a: TradeRow, b: TradeRow): number => b.tokens - a.tokens || a.no - b.no
