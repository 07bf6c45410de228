import type { Bar, Colour, Section } from '../evaluate/looks.ts'
import { table } from '../evaluate/markdown-table.ts'
import { fixed, NOTHING, percent } from '../evaluate/numbers.ts'
import { type Attempt, BUDGETS, type Flattery, type Trial } from './flatter.ts'

/** Prices of making a rival look worse, and oneself green. */

/** Lamports lost, or share of supply held, below which a colour must not move. */
const PRICE = { lost: 1_000_000_000, held: 0.05 }
const ORDER: readonly Colour[] = ['green', 'grey', 'yellow', 'red', 'over']

interface Move {
  readonly attempt: Attempt
  readonly from: Colour
  readonly to: Colour
  readonly lost: number
  readonly held: number
}

/**
 * The first reading at which the trick moved the colour the way its player wants. What a stranger's dust does to a rival
 * is no trick's doing.
 */
export function moveOf({ usual, control }: Trial, attempt: Attempt, isRival: boolean): Move | null {
  for (const [i, to] of attempt.colours.entries()) {
    const from = usual.colours[i]!
    const least = Math.max(ORDER.indexOf(from), ORDER.indexOf(control.colours[i]!))
    const moved = isRival ? ORDER.indexOf(to) > least : to === 'green' && from !== 'green'
    if (!moved) continue
    // the rug's own bags without the trick are no price of it
    const held = Math.max(0, attempt.held[i]! - usual.held[i]!)
    return { attempt, from, to, lost: usual.net - attempt.net, held }
  }
  return null
}

const isCheap = ({ lost, held }: Move): boolean => lost < PRICE.lost && held < PRICE.held

export function tricksSection({ market, rugs, rivals, red }: Flattery): Section {
  const sides = [
    { name: 'rival', trials: rivals, isRival: true },
    { name: 'own rug', trials: rugs, isRival: false },
  ]
  const rows = sides.flatMap(({ name, trials, isRival }) =>
    [...new Set(trials.flatMap(({ attempts }) => attempts.map(({ trick }) => trick)))].map((trick) => {
      const moves = trials.flatMap((trial) => {
        const tried = trial.attempts.filter((one) => one.trick === trick)
        return tried.flatMap((attempt) => moveOf(trial, attempt, isRival) ?? [])
      })
      return { name, trick, isRival, of: trials.length, moves }
    }),
  )
  const cheap = (isRival: boolean) => rows.filter((row) => row.isRival === isRival && row.moves.some(isCheap))
  return {
    title: 'What it costs to move a colour',
    lines: [
      `Launches of \`${market}\` are played again with a trick put between, with 0.1, 1 and 10 SOL that may be out at a time: on ${rivals.length} honest launches, whose colour was ${colours(rivals)} when the trick began (${red} others were red all the time), and on ${rugs.length} planted rugs, ${colours(rugs)} before their exit. Moved: a rival looks worse than without the trick and than with the dust of a stranger, or a rug is green, at one of four readings until 15 minutes later. Lost: SOL that it costs, bags at the value of selling them; held: share of supply. The cheapest move is shown.`,
      table(
        ['whose', 'trick', ...BUDGETS.map((budget) => `moved, ${budget / 1e9} SOL`), 'lost', 'held', 'from, to'],
        rows.map(rowOf),
      ),
    ],
    bars: [
      barOf('a rival’s colour costs 1 SOL lost or 5% of supply held to move', rivals, cheap(true)),
      barOf('a green costs 1 SOL lost or 5% of supply held', rugs, cheap(false)),
    ],
    figures: {},
  }
}

const colours = (trials: readonly Trial[]): string =>
  ORDER.map((colour) => `${colour} ${trials.filter(({ usual }) => usual.colours[0] === colour).length}`).join(', ')

interface Row {
  readonly name: string
  readonly trick: string
  readonly of: number
  readonly moves: readonly Move[]
}

function rowOf({ name, trick, of, moves }: Row): string[] {
  const [cheapest] = [...moves].sort((a, b) => a.lost - b.lost)
  const counts = BUDGETS.map((budget) => `${moves.filter(({ attempt }) => attempt.budget === budget).length} of ${of}`)
  if (cheapest === undefined) return [name, `\`${trick}\``, ...counts, NOTHING, NOTHING, NOTHING]
  const { lost, held, from, to } = cheapest
  return [name, `\`${trick}\``, ...counts, fixed(lost / 1e9, 3), percent(held), `${from}, ${to}`]
}

const barOf = (bar: string, trials: readonly Trial[], cheap: readonly Row[]): Bar => ({
  bar,
  passed: trials.length === 0 ? null : cheap.length === 0,
  detail: cheap.length === 0 ? `${trials.length} launches` : `not for ${cheap.map(({ trick }) => trick).join(', ')}`,
})
