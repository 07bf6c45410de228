import { FAMILIES, type Family } from '@ti/core/model/bundles.ts'
import { type ActorResult, actorSection } from './actors.ts'
import { actorBars, groupBars, pairBars } from './bars-who.ts'
import { judgeBundles, type PairResult } from './bundles.ts'
import { judgeGroups } from './groups.ts'
import { bundleSection } from './markdown-bundles.ts'
import { table } from './markdown-table.ts'
import { fixed, percent, whole } from './numbers.ts'
import type { PairEvidence, PairTruth } from './sample.ts'
import { wilson } from './wilson.ts'

/** The value of each family of evidence: measured against the truth, and by the loss without it. */
export interface FamilyLook {
  readonly hidden: Family | null
  readonly found: readonly FoundGroups[]
  /** `early`: a minute after the launch; `found`: after an hour. */
  readonly early: readonly FoundGroups[]
  readonly evidence: readonly PairEvidence[]
}

interface FoundGroups {
  readonly mint: string
  readonly groups: readonly (readonly string[])[]
}

export interface NamedActors {
  readonly log: string
  readonly result: ActorResult
}

/** `looks`: the first one has nothing hidden, and may be the only one. `actors`: one per log. */
export function familiesReport(
  command: string,
  truth: readonly PairTruth[],
  looks: readonly FamilyLook[],
  actors: readonly NamedActors[],
): string {
  const plain = judgeBundles({ truth, found: looks[0]!.found.map(withHidden) }, 1)
  return [
    '# What each family of evidence carries',
    `Written by \`${command}\`, an hour after each launch of simulated markets where nothing else is said.`,
    '## Bars',
    table(
      ['area', 'bar', '', 'measured'],
      [
        ...pairBars(plain.all!),
        ...groupBars(judgeGroups(truth, looks[0]!.found)),
        ...actors.flatMap(({ log, result }) => actorBars(log, result)),
      ].map(({ area, bar, passed, detail }) => [area, bar, passedInWords(passed), detail]),
    ),
    bundleSection(plain),
    ...actors.map(({ result }) => actorSection(result)),
    '## Alone',
    `Of the pairs of wallets on which a family speaks, the share that was planted together. A weight says how probable that is when nothing
else is known. LR: how much more often the family speaks on planted pairs than on all others whose wallets held the token.`,
    aloneTable(truth, looks[0]!.evidence),
    ...(looks.length === 1 ? [] : ['## Hidden in turn', hiddenTable(truth, looks)]),
  ].join('\n\n')
}

interface Alone {
  right: number
  wrong: number
  /** Pairs with evidence of this family only. */
  onlyRight: number
  onlyWrong: number
}

function aloneTable(truth: readonly PairTruth[], evidence: readonly PairEvidence[]): string {
  const counts = new Map<Family, Alone>(
    FAMILIES.map((name) => [name, { right: 0, wrong: 0, onlyRight: 0, onlyWrong: 0 }]),
  )
  const planted = new Map(truth.map(({ mint, bundles }) => [mint, bundles.map(({ wallets }) => new Set(wallets))]))
  let together = 0
  let apart = 0
  for (const { mint, wallets, pairs } of evidence) {
    const bundles = planted.get(mint) ?? []
    const here = bundles.reduce((sum, { size }) => sum + (size * (size - 1)) / 2, 0)
    together += here
    apart += Math.max(0, (wallets * (wallets - 1)) / 2 - here)
    for (const { a, b, families } of pairs) {
      const right = bundles.some((one) => one.has(a) && one.has(b))
      for (const family of families) {
        const count = counts.get(family)!
        count[right ? 'right' : 'wrong']++
        if (families.length === 1) count[right ? 'onlyRight' : 'onlyWrong']++
      }
    }
  }
  return table(
    ['family', 'planted', 'others', 'share planted', 'LR', 'alone: planted', 'others', 'share planted'],
    [...counts].map(([family, { right, wrong, onlyRight, onlyWrong }]) => [
      family,
      whole(right),
      whole(wrong),
      shareOf(right, wrong),
      wrong === 0 || together === 0 ? '–' : fixed(right / together / (wrong / apart), 0),
      whole(onlyRight),
      whole(onlyWrong),
      shareOf(onlyRight, onlyWrong),
    ]),
  )
}

function shareOf(right: number, wrong: number): string {
  const { rate, low, high } = wilson(right, right + wrong)
  return rate === null ? '–' : `${percent(rate)} [${percent(low)}, ${percent(high)}]`
}

const withHidden = (one: FoundGroups) => ({ ...one, hidden: null })

const passedInWords = (passed: boolean | null): string =>
  passed === null ? 'cannot be judged' : passed ? 'passed' : '**missed**'

const KINDS = ['same_tx', 'same_slot', 'spread', 'farm', 'funder_chain', 'copied_amounts', 'adversary']

function hiddenTable(truth: readonly PairTruth[], looks: readonly FamilyLook[]): string {
  const rows = looks.map(({ hidden, found, early }) => {
    const pairs = judgeBundles({ truth, found: found.map(withHidden) }, 1).all!
    const soon = judgeBundles({ truth, found: early.map(withHidden) }, 1).all!
    const groups = judgeGroups(truth, found)
    return [
      hidden ?? 'none',
      percent(pairs.found === 0 ? null : pairs.correct / pairs.found),
      whole(soon.recalled),
      whole(pairs.recalled),
      ...KINDS.map((kind) => recallOf(pairs, kind)),
      `${percent(groups.groups === 0 ? null : groups.right / groups.groups)} of ${whole(groups.groups)}`,
      percent(groups.clean === 0 ? null : groups.cleanFlagged / groups.clean),
    ]
  })
  return table(
    [
      'hidden',
      'pairs right',
      'planted pairs found in a minute',
      'in an hour',
      ...KINDS,
      'groups right',
      'clean tokens flagged',
    ],
    rows,
  )
}

function recallOf({ byType }: PairResult, kind: string): string {
  const one = byType.find(({ type }) => type === kind)
  return percent(one === undefined || one.planted === 0 ? null : one.recalled / one.planted)
}
