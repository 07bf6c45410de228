import type { PairTruth } from './sample.ts'

/** Found groups against planted ones, counted in groups and tokens: in pairs large groups would dominate. */

interface GroupsFound {
  readonly mint: string
  readonly groups: readonly (readonly string[])[]
}

type Planted = Pick<PairTruth, 'mint' | 'bundles'>

export interface GroupResult {
  readonly groups: number
  /** Groups with at least half of their pairs planted together. */
  readonly right: number
  /** Evaluated tokens without anything planted, and those of them with a group. */
  readonly clean: number
  readonly cleanFlagged: number
  /** Planted groups on evaluated tokens, and those with at least two wallets in a right group. */
  readonly planted: number
  readonly met: number
}

/** A group is right if at least this share of its pairs was planted together. */
const RIGHT = 0.5

export function judgeGroups(truth: readonly Planted[], found: readonly GroupsFound[]): GroupResult {
  const known = new Map(truth.map((token) => [token.mint, token.bundles.map(({ wallets }) => new Set(wallets))]))
  const result = { groups: 0, right: 0, clean: 0, cleanFlagged: 0, planted: 0, met: 0 }
  for (const { mint, groups } of found) {
    const planted = known.get(mint) ?? []
    const right = groups.filter((group) => isRight(group, planted))
    result.groups += groups.length
    result.right += right.length
    result.planted += planted.length
    result.met += planted.filter((one) => right.some((group) => overlap(group, one) >= 2)).length
    if (planted.length > 0) continue
    result.clean++
    if (groups.length > 0) result.cleanFlagged++
  }
  return result
}

const overlap = (group: readonly string[], planted: ReadonlySet<string>): number =>
  group.filter((wallet) => planted.has(wallet)).length

function isRight(group: readonly string[], planted: readonly ReadonlySet<string>[]): boolean {
  let pairs = 0
  let together = 0
  for (const [i, a] of group.entries()) {
    for (const b of group.slice(i + 1)) {
      pairs++
      if (planted.some((one) => one.has(a) && one.has(b))) together++
    }
  }
  return together >= RIGHT * pairs
}
