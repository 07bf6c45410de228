import type { Who } from '@ti/core/contract/who.ts'
import type { Look } from '../../charts/bubble-paint.ts'
import { count, duration, pct, SLOT_S, sol } from '../../ui/format.ts'
import type { RatingValue } from '../../ui/rating.tsx'

/** Words for the answer about the people behind a token. */

export type Holder = Who['holders']['top'][number]
export type Group = Who['groups'][number]
export type Member = Group['members'][number]
export type Person = Member | Holder
type Tag = Person['tags'][number]

interface TagWords {
  readonly label: string
  readonly means: string
  readonly rating?: RatingValue
}

const TAG: Record<Tag, TagWords> = {
  deployer: { label: 'deployer', means: 'Launched this token.', rating: 'red' },
  insider: {
    label: 'insider',
    means: 'Funded by the deployer, or was given more of this token than it bought.',
    rating: 'red',
  },
  first_block: { label: 'first block', means: 'Bought in the slot of the launch.', rating: 'yellow' },
  sniper: { label: 'sniper', means: 'Bought within 3 seconds of the launch.', rating: 'yellow' },
  fresh: { label: 'fresh', means: 'First seen within an hour before it bought.', rating: 'yellow' },
  bundled: { label: 'coordinated', means: 'Member of a confirmed coordinated group.', rating: 'red' },
  actor: { label: 'actor', means: 'Known from other tokens, together with other wallets.', rating: 'yellow' },
  kol: { label: 'KOL', means: 'An influencer whose wallet is known.' },
  smart: { label: 'smart', means: 'Its closed trades are among the best.', rating: 'green' },
  alpha_hands: { label: 'alpha hands', means: 'Has a record of picking winners.', rating: 'green' },
  agent: { label: 'agent', means: 'A tracked trading agent.' },
  jeet: { label: 'quick seller', means: 'Usually sells within a minute.', rating: 'yellow' },
  dumper: { label: 'dumper', means: 'Its past sales pushed prices down.', rating: 'yellow' },
  wash: { label: 'wash trader', means: 'Trades in and out of the same token within moments.', rating: 'red' },
  serial_rugger: { label: 'serial rugger', means: 'Took part in several rugs.', rating: 'red' },
  exchange: { label: 'exchange', means: 'A wallet of an exchange.' },
}

export const tagWords = (tag: Tag): TagWords => TAG[tag] ?? { label: tag.replaceAll('_', ' '), means: '' }

/** Tags to show, the most informative first; group and actor are shown separately. */
export function tagsOf({ tags }: Pick<Person, 'tags'>): Tag[] {
  const order = Object.keys(TAG)
  return tags
    .filter((tag) => tag !== 'bundled' && tag !== 'actor' && !(tag === 'sniper' && tags.includes('first_block')))
    .sort((a, b) => order.indexOf(a) - order.indexOf(b))
}

/** The most important class of a wallet, as its look. */
export function lookOf(tags: readonly Tag[], inGroup: boolean): Look {
  const is = (...some: readonly Tag[]): boolean => some.some((tag) => tags.includes(tag))
  if (is('deployer')) return 'deployer'
  if (is('insider')) return 'insider'
  if (is('first_block', 'sniper')) return 'sniper'
  if (is('kol')) return 'kol'
  if (inGroup) return 'group'
  return is('fresh') ? 'fresh' : 'plain'
}

export const LOOK_WORDS: Readonly<Record<Look, readonly [label: string, means: string]>> = {
  deployer: ['deployer', TAG.deployer.means],
  insider: ['insider', TAG.insider.means],
  sniper: ['sniper', 'Bought in the first block or within 3 seconds of the launch.'],
  kol: ['KOL', TAG.kol.means],
  group: ['coordinated', TAG.bundled.means],
  fresh: ['fresh', TAG.fresh.means],
  plain: ['other holder', 'None of the other classes applies to it.'],
}

const inTime = (slots: number): string => duration(slots * SLOT_S)

/** "2 min before the launch", for a wallet's first SOL */
export function ageWords(slots: number): string {
  if (Math.abs(slots * SLOT_S) < 1) return 'at the launch'
  return slots > 0 ? `${inTime(slots)} before the launch` : `${inTime(-slots)} after the launch`
}

/** Classes in display order. */
export const CLASS_WORDS: readonly (readonly [name: keyof Who['classes'], label: string, means: string])[] = [
  ['deployer', 'Deployer', 'The wallet that launched the token.'],
  [
    'insiders',
    'Insiders',
    'The deployer, wallets it funded or paid for, and wallets that passed on what they were given.',
  ],
  ['bundled', 'Coordinated groups', 'Members of confirmed groups.'],
  ['first_block', 'First block', 'Bought in the slot of the launch.'],
  ['first_3s', 'Snipers', 'Bought within 3 seconds of the launch, first block included.'],
  ['fresh', 'Fresh wallets', 'First seen within an hour before they bought.'],
  ['kols', 'KOLs', 'Influencers whose wallets are known.'],
]

const UNKNOWN: Record<Who['coverage']['unknown'][number], string> = {
  launch: 'the launch was not seen',
  funders: 'most funders were not traced',
  history: 'most holders have no track record',
  price: 'the quote has no known price',
  missing_blocks: 'blocks are missing',
  transfer_transactions: 'transactions of transfers are not kept',
  funding_transactions: 'transactions of funding are not kept',
}

/** Gaps of the answer that may matter; missing transactions are mentioned where they would be. */
export const unknownOf = ({ unknown }: Pick<Who['coverage'], 'unknown'>): string[] =>
  unknown.filter((what) => !what.endsWith('_transactions')).map((what) => UNKNOWN[what])

interface Family {
  readonly label: string
  /** one sentence about two wallets */
  readonly means: string
}

const FAMILY: Record<string, Family> = {
  atomic: { label: 'one transaction', means: 'They bought in the same transaction.' },
  payer: { label: 'fees paid', means: 'One paid the other’s network fees or tips, or a third wallet paid for both.' },
  transfer: { label: 'tokens used', means: 'One sent the other tokens of this mint, which it sold or passed on.' },
  funder: {
    label: 'same funder',
    means: 'They trade with SOL that the same wallet sent them within a day, or that one sent the other.',
  },
  consolidation: {
    label: 'tokens sold on',
    means: 'One sold, to the last unit, what several others had bought and still seem to hold.',
  },
}

export const familyOf = (name: string): Family => FAMILY[name] ?? { label: name.replaceAll('_', ' '), means: '' }

type Deployer = NonNullable<Who['deployer']>
export type Launched = Deployer['launches'][number]

/** The shares of the pool, as of now or planned. */
export function sharesInWords({ planned, locked_share, pullable_share }: NonNullable<Who['liquidity']>): string {
  const when = planned ? 'After graduation' : 'Now'
  if (locked_share === null || pullable_share === null) return 'How much of the pool is locked is unknown.'
  return `${when} ${pct(100 * locked_share)} of the pool ${planned ? 'will be' : 'is'} locked for ever, and ${pct(100 * pullable_share)} can be withdrawn.`
}

export const becameOf = ({ drained, rugged, graduated }: Launched): 'drained' | 'graduated' | 'neither' =>
  drained || rugged ? 'drained' : graduated ? 'graduated' : 'neither'

/** "DOGE: rugged, 3.2 SOL taken out, first sale after 40 s". */
export function launchWords({
  said_by_deployer: { symbol, name },
  drained,
  rugged,
  graduated,
  taken_sol,
  first_sale_slots,
}: Launched): string {
  const words = [
    ...(rugged ? ['rugged'] : drained ? ['drained'] : []),
    ...(graduated ? ['graduated'] : []),
    ...(taken_sol > 0 ? [`${sol(taken_sol)} SOL taken out`] : []),
    ...(first_sale_slots === null ? [] : [`first sale after ${duration(first_sale_slots * SLOT_S)}`]),
  ]
  return `${symbol || name || 'unnamed'}: ${words.length === 0 ? 'neither drained nor graduated' : words.join(', ')}`
}

type Fate = 'holding' | 'gain' | 'loss' | 'moved' | 'unpriced'
export type FirstBuyers = NonNullable<Who['first_buyers']>

/** after a plural and a singular count */
const FATE: Readonly<Record<Fate, readonly [many: string, one: string]>> = {
  holding: ['hold', 'holds'],
  gain: ['sold at a gain', 'sold at a gain'],
  loss: ['at a loss', 'at a loss'],
  moved: ['moved their coins', 'moved its coins'],
  unpriced: ['sold for something of unknown price', 'sold for something of unknown price'],
}
export const FATES = Object.keys(FATE) as readonly Fate[]
export const FATE_WORDS: Readonly<Record<Fate, string>> = {
  holding: 'hold',
  gain: 'sold at a gain',
  loss: 'sold at a loss',
  moved: 'moved their coins',
  unpriced: 'sold for something of unknown price',
}
/** buyers that are counted; with fewer, more may follow */
const FIRST_BUYERS = 70

/** "Of the first 70 buyers 22 hold, 31 sold at a gain, 12 at a loss, 5 moved their coins."; null without data. */
export function firstBuyersInWords(of: Pick<FirstBuyers, Fate | 'count'> | null): string | null {
  if (of === null || of.count === 0) return null
  const parts = FATES.filter((fate) => of[fate] > 0).map((fate) => {
    const words = FATE[fate][of[fate] === 1 ? 1 : 0]
    const sold = fate === 'loss' && of.gain === 0 ? `sold ${words}` : words
    return of.count === 1 ? sold : `${count(of[fate])} ${sold}`
  })
  if (of.count === 1) return `The only buyer so far ${parts.join('')}.`
  const which = of.count < FIRST_BUYERS ? `the ${count(of.count)} buyers so far` : `the first ${count(of.count)} buyers`
  return `Of ${which} ${parts.join(', ')}.`
}

export type Question = keyof Who['outlook']

export const OUTLOOK: Readonly<Record<Question, { readonly label: string; readonly means: string }>> = {
  drain: {
    label: 'Drained within an hour',
    means: 'At least 80% of the SOL in its market left within an hour. Counted among the latest tokens like it.',
  },
  halving: {
    label: 'Halved within an hour',
    means: 'The price was half or less within an hour.',
  },
  buyer: {
    label: 'A buyer gained',
    means: '0.5 SOL, sold at twice the price, at 40% less or after 15 minutes, ended with a gain after fees.',
  },
}

/** Why a question is not asked. */
const NOT_ASKED: Readonly<Record<Question, string>> = {
  drain: 'not asked at this age',
  halving: 'asked once the price has doubled',
  buyer: 'not asked at this age',
}

/** tokens that a count needs before it is said */
const COUNTED_LEAST = 20

/** "2 of 90, 1 in 45", or why there is no count. */
export function chanceOf(question: Question, { outlook: all, memory }: Pick<Who, 'outlook' | 'memory'>): string {
  const outlook = all[question]
  if (outlook === null) return memory.drained === null ? NOT_ASKED[question] : 'not asked: it is drained'
  const { n, hits } = outlook
  if (n < COUNTED_LEAST) return `${count(n)} like it so far, too few to say`
  if (hits === 0) return `none of ${count(n)}`
  return `${count(hits)} of ${count(n)}${3 * hits <= n ? `, 1 in ${count(Math.round(n / hits))}` : ''}`
}
