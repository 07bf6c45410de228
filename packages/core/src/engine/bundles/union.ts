import type { BundleBook, Group, Pair } from '../../model/bundles.ts'
import { earliestSlot } from '../../model/pair.ts'
import type { Position } from '../../model/state.ts'
import { BUNDLES } from '../constants.ts'
import type { BundleContext } from './context.ts'
import { mergeFlows } from './flows.ts'
import { rootOf } from './groups.ts'
import { isLink, reaches } from './pairs.ts'

/** Union–find over a mint's wallets: founds, extends and merges groups. */

/** Puts the two wallets of a link into one group, unless two large groups would merge on weak evidence. */
export function link(context: BundleContext, pair: Pair): void {
  let merged = tryLink(context, pair)
  while (merged) merged = context.live.bundles.pairs.some((held) => isHeld(held) && tryLink(context, held))
}

/** True for a link that was not enough to merge two large groups so far. */
const isHeld = (pair: Pair): boolean => !pair.linked && isLink(pair)

/** Returns true if two groups were merged, because held links may suffice then. */
function tryLink(context: BundleContext, pair: Pair): boolean {
  const { bundles, positions } = context.live
  const a = positions.get(pair.a)!
  const b = positions.get(pair.b)!
  const left = rootOf(bundles, a.group)
  const right = rootOf(bundles, b.group)
  const merges = left !== null && right !== null && left !== right
  if (merges && !mayMerge(context, pair, left, right)) return false
  if ((left === null || right === null) && !hasRoom(bundles)) return false
  pair.linked = true
  if (merges) merge(context, left, right)
  else if (left === null && right === null) found(context, pair, a, b)
  else if (left === null) join(context, right!, a)
  else if (right === null) join(context, left, b)
  return merges
}

/** True if a group can be founded, and two wallets can join one. */
function hasRoom({ groups }: BundleBook): boolean {
  let grouped = 0
  for (const { members } of groups) grouped += members.length
  return groups.length < BUNDLES.groupsMax && grouped + 2 <= BUNDLES.groupedMax
}

/** Stops chains of chance links between unrelated groups. */
function mayMerge(context: BundleContext, pair: Pair, left: Group, right: Group): boolean {
  const least = BUNDLES.largeGroup
  if (left.members.length < least || right.members.length < least) return true
  if (!reaches(pair.p, BUNDLES.largeGroupProbability)) return false
  let links = 0
  for (const other of context.live.bundles.pairs) if (isAcross(context, other, left, right)) links++
  return links >= BUNDLES.largeGroupLinks
}

function isAcross({ live: { bundles, positions } }: BundleContext, pair: Pair, left: Group, right: Group): boolean {
  if (!reaches(pair.p, BUNDLES.largeGroupProbability) || !isLink(pair)) return false
  const a = rootOf(bundles, positions.get(pair.a)!.group)
  const b = rootOf(bundles, positions.get(pair.b)!.group)
  return (a === left && b === right) || (a === right && b === left)
}

function found(context: BundleContext, pair: Pair, a: Position, b: Position): void {
  const { groups } = context.live.bundles
  const isSmaller = context.wallet(pair.a).address < context.wallet(pair.b).address
  const group: Group = {
    no: groups.length,
    mergedInto: -1,
    firstSlot: earliestSlot(pair),
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
