import { auroc, rank } from './auc.ts'
import { bootstrap, interval, quantile, RESAMPLES } from './bootstrap.ts'
import { fixed, percent, reading, whole, withInterval } from './numbers.ts'
import { ANSWER, ASKED, HORIZON } from './questions.ts'
import { createRandom } from './random.ts'

type Line = Readonly<Record<string, string>>

/** Rows of a plain CSV file, keyed by the names in its header. */
export function csv(text: string): Line[] {
  const [head = '', ...lines] = text.split('\n').filter(Boolean)
  const names = head.split(',')
  return lines.map((line) => {
    const cells = line.split(',')
    return Object.fromEntries(names.map((name, i) => [name, cells[i] ?? '']))
  })
}

const number = (line: Line, name: string): number => (line[name] === '' ? Number.NaN : Number(line[name]))

function quartiles(values: readonly number[]): string {
  const sorted = [...values].sort((a, b) => a - b)
  return [0.25, 0.5, 0.75].map((q) => reading(quantile(sorted, q))).join(' / ')
}

/** Figures known two seconds after the launch, to compare with the later market cap. */
const KNOWN: readonly (readonly [string, string])[] = [
  ['entry_mc_sol', 'market cap'],
  ['pre_traders', 'traders'],
  ['pre_buys', 'buys'],
  ['pre_sells', 'sells'],
]

/** `lines`: launches with their figures at entry and later. Both labels come from market caps, not from trades. */
export function mintNotes(lines: readonly Line[], seed: number): string[] {
  const seen = lines.filter((one) => KNOWN.every(([name]) => Number.isFinite(number(one, name))))
  const risky = seen.filter((one) => number(one, 'pre_traders') >= 20)
  if (seen.length === 0) return ['The file holds no launch with an entry.']
  return [
    `${whole(seen.length)} launches of which the entry is known; ${whole(risky.length)} of them had 20 traders or more by then, two seconds after a creator's sale made the recorder notice them.`,
    ...[
      [
        'gained 100 % at some moment within the 20 minutes watched',
        (one: Line) => number(one, 'peak_pct') >= 100,
      ] as const,
      ['fell to half or less within them', (one: Line) => number(one, 'trough_pct') <= -50] as const,
    ].flatMap(([words, label]) => [
      foretell('all', seen, words, label, seed),
      foretell('20 traders', risky, words, label, seed),
    ]),
    'What this can judge: what baselines known at entry are worth on a real market, for outcomes near to those of `buyer` and `halving`, and that they are worth another thing among launches with a crowd.',
    'What it cannot: the outlook or the score, which need the trades themselves; launches whose creator keeps what it has are not in it, and watching ends after 10 minutes without a trade, and after 20.',
  ]
}

function foretell(
  population: string,
  lines: readonly Line[],
  words: string,
  label: (one: Line) => boolean,
  seed: number,
): string {
  const positive = Uint8Array.from(lines, (one) => (label(one) ? 1 : 0))
  const yes = positive.reduce((sum, one) => sum + one, 0)
  const single = Uint32Array.from(lines, (_, i) => i)
  const each = KNOWN.map(([name, word]) => {
    const ranking = rank(
      lines.map((one) => number(one, name)),
      positive,
      single,
    )
    const random = createRandom(seed, `mints ${name} ${words} ${lines.length}`)
    const statistics = { area: (draws: Uint32Array | null) => auroc(ranking, draws) }
    const { area } = bootstrap(lines.length, statistics, RESAMPLES.real, random)
    return `${word} ${withInterval(interval(area))}`
  })
  return `${population}: ${percent(lines.length === 0 ? null : yes / lines.length)} ${words}. AUROC of what was known at entry: ${each.join(', ')}.`
}

/**
 * `lines`: creators that sold at least 80 % of their position. `launches`: when a recorder first saw their tokens, and
 * their age then.
 */
export function creatorNotes(lines: readonly Line[], launches: readonly Line[]): string[] {
  const born = new Map(launches.map((one) => [one.mint!, number(one, 'first_s') - number(one, 'age_at_trigger_s')]))
  const ages = lines
    .map((one) => number(one, 'sold_at_s') - (born.get(one.mint!) ?? Number.NaN))
    .filter((age) => Number.isFinite(age) && age >= 0)
  const within = (seconds: number): string =>
    percent(ages.length === 0 ? null : ages.filter((age) => age <= seconds).length / ages.length)
  const one = lines.filter((line) => number(line, 'creator_sells') === 1).length
  return [
    `${whole(lines.length)} creators sold at least 80 % of what a recorder saw them have; ${percent(lines.length === 0 ? null : one / lines.length)} in one sale.`,
    ...(ages.length === 0
      ? ['None of their launches is among the launches here: how soon they sold is unknown.']
      : [
          `Of ${whole(ages.length)} the launch was recorded too: seconds from it to the sale ${quartiles(ages)}; within the 5 minutes in which a deployer counts as having dumped: ${within(300)}; within 20 minutes: ${within(1_200)}.`,
        ]),
    'What this can judge: whether the window of a dumping deployer fits when real ones sell. What it cannot: how many creators do not sell (only alerts are kept), sales through other wallets, and what became of the buyers.',
  ]
}

/** `lines`: every trade of a market within one minute. */
export function sliceNotes(lines: readonly Line[]): string[] {
  const by = new Map<string, Line[]>()
  for (const one of lines) by.set(one.mint!, [...(by.get(one.mint!) ?? []), one])
  const tokens = [...by.values()]
  const busiest = tokens
    .filter((trades) => trades.length >= 10)
    .map((trades) => {
      const users = new Map<string, number>()
      for (const { user } of trades) users.set(user!, (users.get(user!) ?? 0) + 1)
      return Math.max(...users.values()) / trades.length
    })
  const users = new Set(lines.map(({ user }) => user)).size
  if (lines.length === 0) return ['The file holds no trade.']
  return [
    `${whole(lines.length)} trades of ${whole(tokens.length)} tokens by ${whole(users)} wallets in 76 s: trades of a token ${quartiles(tokens.map(({ length }) => length))} (quartiles).`,
    `Of the ${busiest.length} tokens with ten trades or more the busiest wallet makes ${quartiles(busiest.map((share) => 100 * share))} % of the trades; in ${busiest.filter((share) => share >= 0.4).length} of them two fifths or more.`,
    'What this can judge: how concentrated real trading is, and which groups are found in it (the tests of bundles list them). What it cannot: any outcome, or smart money: nobody closes twenty positions in 76 s, so that the class is empty here and says neutral.',
  ]
}

/** `lines`: the trades of a few tokens with reserves. Asks, at the given ages, what trades alone can answer. */
export function tokenNotes(lines: readonly Line[], ages: readonly number[]): string[] {
  const by = new Map<string, Line[]>()
  for (const one of lines) by.set(one.token_address!, [...(by.get(one.token_address!) ?? []), one])
  const each = [...by.values()].map((trades, i) => `Token ${i + 1}: ${tokenLine(trades, ages)}`)
  return [
    ...each,
    'What this can judge: that the questions are asked of a real rug before it happens and answered right after it; tests fold the same trades and check drain, groups and score. What it cannot: rates. Three tokens are three tokens, and no launch had a predecessor here. Inside a slot the order of the file is not that of the chain.',
  ]
}

function tokenLine(trades: readonly Line[], ages: readonly number[]): string {
  const sorted = trades
    .map((one) => ({ slot: number(one, 'block_num'), real: number(one, 'real_sol_reserves') }))
    .sort((a, b) => a.slot - b.slot)
  const first = sorted[0]!.slot
  const high = sorted.reduce((a, b) => (b.real > a.real ? b : a))
  const left = Math.min(...sorted.filter(({ slot }) => slot >= high.slot).map(({ real }) => real))
  const asked = ages.flatMap((age) => {
    const now = sorted.findLast(({ slot }) => slot <= first + age)
    const isSeen = sorted.at(-1)!.slot >= first + age
    if (now === undefined || !isSeen || now.real < ASKED.reserveLamports) return []
    const later = sorted.filter(({ slot }) => slot > first + age && slot <= first + age + HORIZON.drain)
    return [`${age}: ${later.some(({ real }) => real <= now.real * ANSWER.drained) ? 'yes' : 'no'}`]
  })
  const sol = (lamports: number): string => fixed(lamports / 1e9, 2)
  return `${whole(trades.length)} trades; most in the market ${sol(high.real)} SOL, ${high.slot - first} slots after the first, least after that ${sol(left)}. Drain, by the age at which it is asked: ${asked.join(', ') || 'never at risk'}.`
}
