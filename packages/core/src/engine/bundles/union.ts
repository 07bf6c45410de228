import type { BundleBook, Group, Pair } from '../../model/bundles.ts'
import type { Position } from '../../model/state.ts'
import { BUNDLES } from '../constants.ts'
import type { BundleContext } from './context.ts'
import { mergeFlows } from './flows.ts'
import { rootOf } from './groups.ts'

/** Union–find over a mint's wallets: founds, extends and merges groups. */

/** Puts the two wallets of a link into one group. */
export function link(context: BundleContext, pair: Pair): void {
  const { bundles, positions } = context.live
  const a = positions.get(pair.a)!
  const b = positions.get(pair.b)!
  const left = rootOf(bundles, a.group)
  const right = rootOf(bundles, b.group)
  if (left !== null && right !== null) {
    if (left !== right) merge(context, left, right)
  } else if (!hasRoom(bundles)) return
  else if (left !== null) join(context, left, b)
  else if (right !== null) join(context, right, a)
  else found(context, pair, a, b)
}

/** True if a group can be founded, and two wallets can join one. */
function hasRoom({ groups }: BundleBook): boolean {
  let grouped = 0
  for (const { members } of groups) grouped += members.length
  return groups.length < BUNDLES.groupsMax && grouped + 2 <= BUNDLES.groupedMax
}

function found(context: BundleContext, pair: Pair, a: Position, b: Position): void {
  const { groups } = context.live.bundles
  const isSmaller = context.wallet(pair.a).address < context.wallet(pair.b).address
  const group: Group = {
    no: groups.length,
    mergedInto: -1,
    firstSlot: context.slot,
    founder: isSmaller ? pair.a : pair.b,
    members: [],
    remembered: 0,
    balance: 0,
    peak: 0,
    confirmedSlot: -1,
    bought: 0,
    sold: 0,
    flows: [],
    red: false,
    netSellSlot: -1,
  }
  groups.push(group)
  join(context, group, a)
  join(context, group, b)
}

function join(context: BundleContext, group: Group, position: Position): void {
  group.members.push(position.wallet)
  group.balance += position.balance
  group.bought += position.bought
  group.sold += position.sold
  position.group = group.no
  context.touchPosition(position)
}

/** Merges two groups. The older one stays; the other becomes its alias. */
function merge(context: BundleContext, left: Group, right: Group): void {
  const leftIsOlder = left.firstSlot < right.firstSlot || (left.firstSlot === right.firstSlot && left.no < right.no)
  const [group, alias] = leftIsOlder ? [left, right] : [right, left]
  for (const id of alias.members) {
    const position = context.live.positions.get(id)!
    position.group = group.no
    context.touchPosition(position)
    group.members.push(id)
  }
  group.balance += alias.balance
  group.peak = Math.max(group.peak, alias.peak)
  group.bought += alias.bought
  group.sold += alias.sold
  if (group.confirmedSlot < 0 || (alias.confirmedSlot >= 0 && alias.confirmedSlot < group.confirmedSlot)) {
    group.confirmedSlot = alias.confirmedSlot
  }
  mergeFlows(group, alias, context.slot)
  alias.members = []
  alias.remembered = 0
  alias.flows = []
  alias.balance = 0
  alias.mergedInto = group.no
}
