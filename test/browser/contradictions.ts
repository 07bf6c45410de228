import type { Said } from './figures-in-page.ts'

/** Compares the sentences of a page with its figures. Every rule knows the form of its sentence only. */

/** cases from which a share of them is said as a percentage */
const CASES_MIN = 20
/** points of percent by which two texts differ that round the same number */
const ROUNDED = 0.6

const numberOf = (text: string): number => {
  const [, sign = '', digits = '', step = ''] = /([−-]?)[$+]?([\d,]*\.?\d+)\s*([kMBT]?)/.exec(text) ?? []
  const value = Number(digits.replaceAll(',', '')) * ({ k: 1e3, M: 1e6, B: 1e9, T: 1e12 }[step] ?? 1)
  return digits === '' ? Number.NaN : sign === '' ? value : -value
}

const differ = (a: number, b: number, rounded = ROUNDED): boolean =>
  Math.abs(a - b) > Math.max(rounded, 0.06 * Math.max(Math.abs(a), Math.abs(b)))

/** percentages of something else than the cases beside them: supply, holders’ coins, market cap */
const OF_ITS_OWN = /[\d.]+\s?%\s+of\s+(?:the\s+)?(?:held\s+|total\s+)?(?:supply|its|the pool|holders|the curve)/g
const RATIO =
  /(\d[\d,]*)\s+(?:of|in)\s+(?:the\s+|all\s+|its\s+)?(?:latest\s+|last\s+|newest\s+)?(\d[\d,]*)(?![\d,.]*\s?%)/g

/** Shares of counted cases: of too few, and not what the count says. */
function shares(text: string): string[] {
  const percents = [...text.replaceAll(OF_ITS_OWN, '').matchAll(/([\d.]+)\s?%/g)].map(([, value]) => Number(value))
  if (percents.length !== 1) return []
  return [...text.matchAll(RATIO)].flatMap(([said, some, all]) => {
    const [k, n] = [numberOf(some ?? ''), numberOf(all ?? '')]
    if (k > n || n === 0) return []
    const [percent = 0] = percents
    return [
      ...(n < CASES_MIN ? [`a percentage of ${n} cases: ${text}`] : []),
      ...(Math.abs(percent - (100 * k) / n) > 1 ? [`${percent}% is not ${said}: ${text}`] : []),
    ]
  })
}

const PARTS = /(\d+) (?:\w+ )?(?:launch(?:es)?|others?|tokens?)\b[^:.]*: ([^.;]*)/g
const FIRST_BUYERS = /^Of the (?:first )?(\d[\d,]*) buyers(?: so far)? ([^.]*)/g
const PART = /(\d[\d,]*) (?!SOL|%|other|wallet|s\b|min)[\p{L}’]+/gu

/** Parts that are more than their whole. */
function parts(text: string): string[] {
  return [...text.matchAll(PARTS), ...text.matchAll(FIRST_BUYERS)].flatMap(([, whole = '', list = '']) => {
    const counts = [...list.replaceAll(/\([^)]*\)|\d+ of (?:them|these)/g, '').matchAll(PART)].map(([, count]) =>
      numberOf(count ?? ''),
    )
    const sum = counts.reduce((all, one) => all + one, 0)
    return counts.length > 1 && sum > numberOf(whole) ? [`${sum} of ${whole}: ${text}`] : []
  })
}

interface Cohort {
  readonly label: string
  readonly now: number
  readonly peak: number
}

/** Rows of "Who took what"; adds what is wrong within a row. */
function cohortsOf({ tables }: Said, wrong: string[]): Cohort[] {
  const table = tables.find(
    ({ heads }) => heads.some((head) => /^Result/.test(head)) && heads.some((head) => /^Peak/.test(head)),
  )
  if (table === undefined) return []
  const at = (row: readonly string[], head: RegExp): number =>
    numberOf(row[table.heads.findIndex((one) => head.test(one))] ?? '')
  return table.rows.map((row) => {
    const label = row[0] ?? ''
    const [paid, got, result] = [/^Paid/, /^Got/, /^Result/].map((head) => at(row, head)) as [number, number, number]
    const [now, peak] = [at(row, /^(Now|Then)/), at(row, /^Peak/)]
    if (now > peak + ROUNDED) wrong.push(`${label} holds more than it ever held: ${row.join(' | ')}`)
    if (Math.abs(got - paid - result) > 0.02 * (got + paid) + 0.02)
      wrong.push(`${label}: ${got} less ${paid} is not ${result}: ${row.join(' | ')}`)
    return { label, now, peak }
  })
}

/** What sentences say of the people in the money table. */
function people(text: string, cohorts: readonly Cohort[]): string[] {
  const found: string[] = []
  const launcher = cohorts.find(({ label }) => /^(Launcher|Deployer)/.test(label))
  const alone = launcher !== undefined && !/insider/.test(launcher.label)
  const say = (what: string): void => void found.push(`${what}: ${text}`)
  if (launcher !== undefined) {
    const [, hold] = /^(?:The )?(?:deployer|launcher) and (?:its )?insiders hold ([\d.]+)\s?%/i.exec(text) ?? []
    if (hold !== undefined && differ(Number(hold), launcher.now)) say(`${launcher.label} holds ${launcher.now}%`)
    const holdsNothing = /^The (?:deployer|launcher) sold .*holds nothing/i.test(text)
    if (holdsNothing && alone && launcher.now > ROUNDED) say(`${launcher.label} holds ${launcher.now}%`)
  }
  for (const { label, now, peak } of cohorts) {
    const [, name, wallets] = /^Crew (\S+) \((\d+)\)/.exec(label) ?? []
    if (name === undefined || !text.startsWith(`Crew ${name}:`)) continue
    const [, count] = /: (\d+) wallets?[, ]/.exec(text) ?? []
    const [, got] = / gets? ([\d.]+)\s?% of supply/.exec(text) ?? []
    if (got !== undefined && count !== wallets) say(`${label}`)
    if (got !== undefined && differ(Number(got), peak)) say(`${label} held ${peak}%`)
    if (/holds? nothing/.test(text) && now > ROUNDED) say(`${label} holds ${now}%`)
  }
  return found
}

/** The figures in the head of a token against each other and against what is said of them. */
function market({ pairs, blocks }: Said): string[] {
  const cap = numberOf(pairs.find(([label]) => label === 'Market cap')?.[1] ?? '')
  const [label = '', below = ''] = pairs.find(([label]) => label.startsWith('From peak')) ?? []
  const peak = numberOf(label)
  const found: string[] = []
  if (below.includes('%') && Math.abs(100 * (1 - cap / peak) + numberOf(below)) > 2.5)
    found.push(`${cap} is not ${below} from ${peak}`)
  const holders = numberOf(pairs.find(([label]) => label === 'Holders')?.[1] ?? '')
  for (const text of blocks) {
    const [, said] = /\b(?:its|the last|all|from) (\d[\d,]*) holders/.exec(text) ?? []
    if (said !== undefined && holders >= 0 && numberOf(said) !== holders) found.push(`${holders} holders: ${text}`)
  }
  return found
}

/** Pairs of texts that cannot both be true of one token or wallet. */
const EXCLUDING: readonly (readonly [RegExp, RegExp])[] = [
  [/\bfirst launch\b/i, /^\d+ (?:earlier|other) launch|deployer launched \d+ others?/],
  [/No coordinated wallets were found/, /^Crew \S+:/],
  [/^on its curve$/, /^graduated /],
  [/^Not smart money/, /^Smart money:/],
]

function excluded(blocks: readonly string[]): string[] {
  return EXCLUDING.flatMap((both) => {
    const [one, other] = both.map((pattern) => blocks.find((text) => pattern.test(text)))
    return one !== undefined && other !== undefined ? [`both “${one}” and “${other}”`] : []
  })
}

/** What a wallet made, in its sentence and among its figures. */
function wallet({ pairs, blocks }: Said): string[] {
  const profit = pairs.find(([label]) => label === 'Lifetime profit')?.[1]
  const said = blocks.map((text) => /^(Made|Lost) ([\d.,]+k?) SOL/.exec(text)).find((found) => found !== null)
  if (profit === undefined || said == null) return []
  const value = numberOf(said[2] ?? '') * (said[1] === 'Lost' ? -1 : 1)
  return differ(value, numberOf(profit), 0.01) ? [`${said[0]} beside a profit of ${profit}`] : []
}

/** The sentence of a card against its own facts. */
function card(text: string): string[] {
  const found: string[] = []
  const [, dev] = /\b(?:dev|launcher) ([\d.]+)%/.exec(text) ?? []
  if (dev !== undefined && Number(dev) > ROUNDED && /(?:deployer|launcher) sold .*holds nothing/i.test(text))
    found.push(`its launcher holds ${dev}%: ${text}`)
  const [, crew] = /\bcrew ([\d.]+)%/.exec(text) ?? []
  const [, hold] = /coordinated groups? holds? ([\d.]+)\s?%/.exec(text) ?? []
  if (crew !== undefined && hold !== undefined && differ(Number(crew), Number(hold), 1))
    found.push(`its crew holds ${crew}%: ${text}`)
  return found
}

/** Every contradiction of a page, and every percentage of fewer than 20 cases. */
export function contradictions(said: Said): string[] {
  const wrong: string[] = []
  const cohorts = cohortsOf(said, wrong)
  const texts = [...said.blocks, ...said.cards]
  wrong.push(...texts.flatMap((text) => [...shares(text), ...parts(text), ...people(text, cohorts)]))
  wrong.push(...market(said), ...excluded(said.blocks), ...wallet(said), ...said.cards.flatMap(card))
  return [...new Set(wrong)]
}
