import type { Ratings } from '@ti/core/contract/resources.ts'
import { table } from '../evaluate/markdown-table.ts'
import { fixed, NOTHING } from '../evaluate/numbers.ts'
import { type Attempt, BUDGETS, type Flattery, type Rug, type Verdict } from './flatter.ts'
import { TRICK_NAMES } from './tricks.ts'

/** A page on the costs and effects of each trick. `command`: the command line that wrote it. */
export function flatteryPage(flattery: Flattery, command: string): string {
  const { market, launches, planted, rugs } = flattery
  const red = rugs.filter(({ usual }) => usual.before.ratings.score === 'red').length
  const neutral = rugs.filter(({ usual }) => usual.before.ratings.score === 'neutral').length
  return `${[
    '# The price of a green',
    `Written by \`${command}\` over \`${market}\`: ${launches} launches, ${planted} planted rugs, of which ${rugs.length} were tried: on ` +
      'pump’s curve in SOL, not graduated, launched when wallets had a history, and with 40 slots or more from the launch to the exit. ' +
      `Their score right before the exit: ${red} red, ${neutral} neutral (the holders have little history), ${rugs.length - red - neutral} yellow or green.`,
    WORDS,
    '## The score and its colour, right before the exit',
    scoreTable(rugs),
    '## Other colours right before the exit: from red to green, and from yellow to green',
    colourTable(rugs),
    '## After the exit',
    AFTER_WORDS,
    afterTable(rugs),
    `## With 1 SOL or less\n${verdictLine(rugs)}`,
  ].join('\n\n')}\n`
}

const WORDS = `The life of each rug is played again from its launch on a curve of its own, with the state of the whole market up to then: who bought
buys for the same lamports, who sold sells the same tokens, with fees. An adversary puts a trick between. **Budget**: SOL that may be out at any
moment because of the trick, rent of token accounts and network fees included. **Lost**: what the adversary ends with less than without the trick, bags that
are left valued at a sale of all of them; fees and the worse price of the adversary's own bags are in it, so that it can be more than the budget. What
the budget does not pay for is left out, and 400 new wallets are the most. \`whole_curve\` needs 86 SOL and gets them. \`best_two\` does
the two tricks that raised the score most at once.`

const AFTER_WORDS = `Rugs that show a green or yellow score, or a green of any rating, at 23 s, 5 or 15 minutes after the exit. Row \`none\` is the untouched rug. A
rug whose exit is not seen as one (its wallets are not known to be a group, or sold less than 5 % of supply) can show both.`

type Cells = (attempts: readonly { readonly rug: Rug; readonly attempt: Attempt }[]) => string[]

/** A row per trick and budget. */
function rowsOf(rugs: readonly Rug[], cells: Cells): string[][] {
  const rows: string[][] = []
  for (const trick of [...TRICK_NAMES, 'best_two'] as const) {
    for (const budget of trick === 'whole_curve' ? BUDGETS.slice(-1) : BUDGETS) {
      const tried = rugs.flatMap((rug) =>
        rug.attempts.filter((one) => one.trick === trick && one.budget === budget).map((attempt) => ({ rug, attempt })),
      )
      rows.push([`\`${trick}\``, trick === 'whole_curve' ? '86' : `${budget / 1e9}`, ...cells(tried)])
    }
  }
  return rows
}

function scoreTable(rugs: readonly Rug[]): string {
  const head = ['trick', 'budget', 'lost, median', 'lost, most', 'score, mean', 'score, most']
  const turns = ['red to green', 'red to yellow', 'red to neutral', 'neutral to green']
  return table(
    [...head, ...turns],
    rowsOf(rugs, (tried) => {
      const lost = tried.map(({ rug, attempt }) => (rug.usual.net - attempt.net) / 1e9).sort((a, b) => a - b)
      const gains = tried.map(({ rug, attempt }) => attempt.before.score - rug.usual.before.score)
      const turned = (from: string, to: string): string => count(tried, 'score', from, to)
      return [
        ...[fixed(lost[lost.length >> 1] ?? null), fixed(lost.at(-1) ?? null)],
        ...[change(gains.reduce((sum, gain) => sum + gain, 0) / gains.length), change(Math.max(...gains))],
        ...[turned('red', 'green'), turned('red', 'yellow'), turned('red', 'neutral'), turned('neutral', 'green')],
      ]
    }),
  )
}

const change = (points: number): string => `${points >= 0 ? '+' : '−'}${Math.abs(points).toFixed(2)}`

const count = (
  tried: readonly { readonly rug: Rug; readonly attempt: Attempt }[],
  name: keyof Ratings,
  from: string,
  to: string,
): string => {
  const turned = tried.filter(
    ({ rug, attempt }) => rug.usual.before.ratings[name] === from && attempt.before.ratings[name] === to,
  ).length
  return turned === 0 ? NOTHING : `${turned}`
}

const OTHERS = ['bundle', 'dirty', 'pump_dump', 'dumpers', 'in_profit'] as const

const colourTable = (rugs: readonly Rug[]): string =>
  table(
    ['trick', 'budget', ...OTHERS.map((name) => `\`${name}\``)],
    rowsOf(rugs, (tried) =>
      OTHERS.map((name) => {
        const [red, yellow] = [count(tried, name, 'red', 'green'), count(tried, name, 'yellow', 'green')]
        return red === NOTHING && yellow === NOTHING ? NOTHING : `${red}, ${yellow}`
      }),
    ),
  )

function afterTable(rugs: readonly Rug[]): string {
  const shows = (after: readonly Verdict[]): [boolean, boolean, boolean] => {
    const scores = after.map(({ ratings }) => ratings.score)
    const any = after.some(({ ratings }) => Object.values(ratings).includes('green'))
    return [scores.includes('green'), scores.includes('yellow'), any]
  }
  const sums = (list: readonly (readonly Verdict[])[]): string[] =>
    [0, 1, 2].map((i) => {
      const showing = list.filter((after) => shows(after)[i]).length
      return showing === 0 ? NOTHING : `${showing}`
    })
  return table(
    ['trick', 'budget', 'green score', 'yellow score', 'any green'],
    [
      ['none', '0', ...sums(rugs.map(({ usual }) => usual.after))],
      ...rowsOf(rugs, (tried) => sums(tried.map(({ attempt }) => attempt.after))),
    ],
  )
}

/** The requirement, and whether it is met. */
function verdictLine(rugs: readonly Rug[]): string {
  const turned = cheapGreens(rugs)
  if (turned.length === 0) return 'No trick turns the score of a planted rug from red to green.'
  const names = turned.map(({ trick, budget, mint }) => `- \`${trick}\` with ${budget / 1e9} SOL: ${mint}`)
  return ['Turned from red to green:', ...names].join('\n')
}

/** Rugs whose score a budget of at most 1 SOL turned from red to green. */
export const cheapGreens = (rugs: readonly Rug[]): { trick: string; budget: number; mint: string }[] =>
  rugs.flatMap(({ mint, usual, attempts }) =>
    attempts
      .filter(({ trick, budget }) => trick !== 'whole_curve' && budget <= 1e9)
      .filter(({ before }) => usual.before.ratings.score === 'red' && before.ratings.score === 'green')
      .map(({ trick, budget }) => ({ trick, budget, mint })),
  )
