import type { Launch, Section } from './looks.ts'
import { table } from './markdown-table.ts'
import { part } from './numbers.ts'

/** Confirmed groups against planted ones, counted in groups and tokens: in pairs large groups would dominate. */

interface Counts {
  groups: number
  /** Groups with at least half of their pairs planted together. */
  right: number
  /** Tokens without anything planted, and those of them with a group. */
  clean: number
  cleanFlagged: number
  /** By type: planted groups, and those with at least two wallets in a right group. */
  readonly types: Map<string, { planted: number; met: number }>
}

const BARS = { right: 0.9, cleanFlagged: 0.03 }

export function judgeGroups(launches: readonly Pick<Launch, 'groups' | 'truth'>[]): Counts {
  const counts: Counts = { groups: 0, right: 0, clean: 0, cleanFlagged: 0, types: new Map() }
  for (const { groups, truth } of launches) {
    if (truth === null) continue
    const planted = truth.bundles.map(({ type, wallets }) => ({ type, wallets: new Set(wallets) }))
    const right = groups.filter((group) => isRight(group, planted))
    counts.groups += groups.length
    counts.right += right.length
    if (planted.length === 0) counts.clean++
    if (planted.length === 0 && groups.length > 0) counts.cleanFlagged++
    for (const { type, wallets } of planted) {
      const of = counts.types.get(type) ?? { planted: 0, met: 0 }
      of.planted++
      if (right.some((group) => group.filter((wallet) => wallets.has(wallet)).length >= 2)) of.met++
      counts.types.set(type, of)
    }
  }
  return counts
}

function isRight(group: readonly string[], planted: readonly { readonly wallets: ReadonlySet<string> }[]): boolean {
  let pairs = 0
  let together = 0
  for (const [i, a] of group.entries()) {
    for (const b of group.slice(i + 1)) {
      pairs++
      if (planted.some(({ wallets }) => wallets.has(a) && wallets.has(b))) together++
    }
  }
  return together * 2 >= pairs
}

export function groupsSection(launches: readonly Launch[]): Section {
  const { groups, right, clean, cleanFlagged, types } = judgeGroups(launches)
  const rows = [...types].sort(([, a], [, b]) => b.planted - a.planted)
  const [planted, met] = rows.reduce(([p, m], [, of]) => [p + of.planted, m + of.met], [0, 0])
  return {
    title: 'Groups',
    lines: [
      `Right means that half of a confirmed group's pairs were planted together; found, that two members of a planted group are in a right one. Right ${part(right, groups)}, found ${part(met, planted)}; of tokens with nothing planted, ${part(cleanFlagged, clean)} have a group.`,
      table(
        ['planted as', 'groups', 'found'],
        rows.map(([type, of]) => [type, `${of.planted}`, part(of.met, of.planted)]),
      ),
    ],
    bars: [
      {
        bar: `${100 * BARS.right}% of the confirmed groups are right`,
        passed: groups === 0 ? null : right >= BARS.right * groups,
        detail: part(right, groups),
      },
      {
        bar: `at most ${100 * BARS.cleanFlagged}% of the tokens with nothing planted have a group`,
        passed: clean === 0 ? null : cleanFlagged <= BARS.cleanFlagged * clean,
        detail: part(cleanFlagged, clean),
      },
    ],
    figures: { 'groups right': part(right, groups), 'groups found': part(met, planted) },
  }
}
