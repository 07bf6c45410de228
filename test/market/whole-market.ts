import { resolve } from 'node:path'
import type { FoundGroup, foldSlice } from './slice.ts'

/** The page of what is found in 76 s of a whole real market; `npm run slice` writes it anew. */
export const SLICE_PAGE = resolve(import.meta.dirname, '../../reports/evaluation/whole-market.md')

type Slice = ReturnType<typeof foldSlice>

/** By mint and number of wallets: what somebody who looked at the trades says of it. */
const JUDGED: Readonly<Record<string, string>> = {
  '4bzSZYG6gma1xkwZMAEY3rYy7K5NcoWrBDVyQK5kpump 3':
    'right: the same three also buy GRyifMbp… within one slot and leave it within one, and leave Fqa7bfbr… within one',
  'DDkqJ7wYQn4pzWnm8hxReUracFcZEnng5WWurndWpump 4':
    'right: four purchases of 0.978 SOL in one slot, four sales of everything in one slot 120 later',
  'TyMvaJqZY4aPvDdnvz9TT2ipv3e6hzq5XUev2T2pump 3':
    'probably right: 0.90 to 1.08 SOL each in two slots side by side, everything sold in one slot 27 later; three bots on one trigger would look alike',
}

const sol = (lamports: number): string => (lamports / 1e9).toFixed(2)
const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0)

/** "buys 4 × 0.98 SOL in slots 38 to 38": of one side of the group's trades. */
function sideOf({ trades, firstSlot }: FoundGroup, isBuy: boolean): string {
  const some = trades.filter((one) => one.isBuy === isBuy)
  if (some.length === 0) return '–'
  const slots = some.map(({ slot }) => slot - firstSlot)
  const wallets = new Set(some.map(({ user }) => user)).size
  const [from, to] = [Math.min(...slots), Math.max(...slots)]
  return `${some.length} by ${wallets} wallets, ${sol(sum(some.map(({ lamports }) => lamports)))} SOL, slots ${from} to ${to}`
}

export const nameOf = ({ mint, wallets }: FoundGroup): string => `${mint} ${wallets.length}`

function rowOf(group: FoundGroup): string {
  const families = [...group.families].map(([name, count]) => `${name} ${count}`).join(', ')
  const judged = JUDGED[nameOf(group)] ?? 'not judged yet'
  const cells = [`\`${group.mint}\``, group.wallets.length, `${group.pairs}: ${families}`]
  return `| ${[...cells, sideOf(group, true), sideOf(group, false), judged].join(' | ')} |`
}

export const pageOf = ({ trades, mints, groups }: Slice): string => `# Every group in 76 seconds of a whole market

All ${trades.toLocaleString('en')} trades on pump's curves in slots 374,655,686 to 374,655,878 (20 October 2025), ${mints} mints, folded as a node
that starts at the first of them would. The material has no places within a slot, no tips, no budgets, no funders and no reserves, and
its window cuts lives at both ends, so most evidence cannot exist here: what is found is found by size, by earlier tokens and by
leaving. Nobody knows the truth of it; each group was judged by reading its trades. \`npm run slice\` writes this page, and a test
compares it with what is found. Slots are counted from the first.

| mint | wallets | linked pairs: families | bought | sold | judged |
|---|---|---|---|---|---|
${groups.map(rowOf).join('\n')}

## What is not found
- GRyifMbp…: the three wallets of 4bzSZYG6… bought in slot 88 and sold in 104; who holds for less than 25 slots leaves by what all see.
- EfdhmuxjA…: three wallets bought in slot 103 and sold everything in 107; the same.
- 7RF7w7rG…: five small wallets bought in slots 42 to 45, and each sold a third in slots 56 to 60, in 70 and in 81 to 85. Sales in parts are
  no leaving, and without funders, tips or budgets nothing else is evidence.
- Fqa7bfbr…: ten wallets sold everything in slot 18, about 22 more in slots 38 to 44 when the price fell. When they bought is before the
  window, so that nothing is said of either. An earlier rule, that whoever leaves within two slots belongs together, made one group of 36
  of them; it also put strangers with the pair on 6ADebh5X… and with the three on 4bzSZYG6….
`
