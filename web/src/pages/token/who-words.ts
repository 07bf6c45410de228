import type { Who } from '../../../../src/contract/who.ts'
import type { Look } from '../../charts/bubble-paint.ts'
import { duration, SLOT_S } from '../../ui/format.ts'
import type { RatingValue } from '../../ui/rating.tsx'

/** Words of the answer about who is behind a token. */

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
  fresh: { label: 'fresh', means: 'First seen within the hour before it bought.', rating: 'yellow' },
  bundled: { label: 'coordinated', means: 'Member of a confirmed coordinated group.', rating: 'red' },
  actor: { label: 'actor', means: 'Known from other tokens, together with other wallets.', rating: 'yellow' },
  kol: { label: 'KOL', means: 'An influencer whose wallet is known.' },
  smart: { label: 'smart', means: 'Its closed trades are among the best.', rating: 'green' },
  alpha_hands: { label: 'alpha hands', means: 'Has a record of picking winners.', rating: 'green' },
  agent: { label: 'agent', means: 'A trading agent that is followed.' },
  jeet: { label: 'quick seller', means: 'Usually sells within a minute.', rating: 'yellow' },
  dumper: { label: 'dumper', means: 'Its past sales pushed prices down.', rating: 'yellow' },
  wash: { label: 'wash trader', means: 'Trades in and out of the same token within moments.', rating: 'red' },
  serial_rugger: { label: 'serial rugger', means: 'Took part in several rugs.', rating: 'red' },
  exchange: { label: 'exchange', means: 'A wallet of an exchange.' },
}

export const tagWords = (tag: Tag): TagWords => TAG[tag] ?? { label: tag.replaceAll('_', ' '), means: '' }

/** The tags worth a place, the telling ones first; a group and an actor are named beside them. */
export function tagsOf({ tags }: Pick<Person, 'tags'>): Tag[] {
  const order = Object.keys(TAG)
  return tags
    .filter((tag) => tag !== 'bundled' && tag !== 'actor' && !(tag === 'sniper' && tags.includes('first_block')))
    .sort((a, b) => order.indexOf(a) - order.indexOf(b))
}

/** What a wallet is drawn as: the one thing that matters most of it. */
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
  plain: ['other holder', 'Nothing of the others is known of it.'],
}

const inTime = (slots: number): string => duration(slots * SLOT_S)

/** "2 min before the launch": when somebody first got SOL. */
export function ageWords(slots: number): string {
  if (Math.abs(slots * SLOT_S) < 1) return 'at the launch'
  return slots > 0 ? `${inTime(slots)} before the launch` : `${inTime(-slots)} after the launch`
}

/** Who has a share, in the order in which it is told. */
export const CLASS_WORDS: readonly (readonly [name: keyof Who['classes'], label: string, means: string])[] = [
  ['deployer', 'Deployer', 'The wallet that launched the token.'],
  ['insiders', 'Insiders', 'The deployer, wallets it funded, and wallets that were given more than they bought.'],
  ['bundled', 'Coordinated groups', 'Members of confirmed groups.'],
  ['first_block', 'First block', 'Bought in the slot of the launch.'],
  ['first_3s', 'Snipers', 'Bought within 3 seconds of the launch, first block included.'],
  ['fresh', 'Fresh wallets', 'First seen within the hour before they bought.'],
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

/** What the answer does not know and may matter; that some transactions are not kept is told where they are missing. */
export const unknownOf = ({ unknown }: Pick<Who['coverage'], 'unknown'>): string[] =>
  unknown.filter((what) => !what.endsWith('_transactions')).map((what) => UNKNOWN[what])
