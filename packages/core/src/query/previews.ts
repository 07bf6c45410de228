import { keyFromBase58, keyToBase58 } from '../base/base58.ts'
import { count, counted, pct, shortAddress, sol as solText } from '../base/format.ts'
import type { Key } from '../base/ids.ts'
import { plainLine, quoted } from '../base/plain-text.ts'
import { speaksOfVerdicts } from '../base/verdict-words.ts'
import type { ActorProfile } from '../contract/actors.ts'
import { ACTOR_ID } from '../contract/parameters.ts'
import type { RatingValue } from '../contract/token.ts'
import type { Who } from '../contract/who.ts'
import { allDeeds } from '../engine/deployers.ts'
import { ownedByLargest } from '../engine/holders.ts'
import { MILLION, probabilityOf } from '../engine/outlook/counts.ts'
import { latchedOf } from '../engine/outlook/outlook.ts'
import { whoOf } from '../engine/reading/who.ts'
import type { Token, Wallet } from '../model/state.ts'
import type { Query } from './query.ts'
import { ratingsOf } from './ratings.ts'
import { percent, share, sol } from './round.ts'
import { span } from './span.ts'
import type { HistoryReader, TokenView, Views } from './view.ts'

/** The data of a link preview: the page's head and its picture. */
export interface Preview {
  readonly kind: 'token' | 'deployer' | 'actor'
  /** Short name and its complement. A stranger’s words are in quotation marks, and absent where they speak of verdicts. */
  readonly name: string
  readonly more: string
  /** One sentence. */
  readonly verdict: string
  readonly rating: RatingValue
  /** Out of 10; null if it means nothing. */
  readonly score: string | null
  readonly figures: readonly Figure[]
  /** Base58, or an actor's id. */
  readonly id: string
  /** The text of a token's page before its first answer. */
  readonly words: { readonly symbol: string; readonly name: string; readonly sentence: string } | null
}

interface Figure {
  readonly label: string
  readonly value: string
  readonly rating: RatingValue
}

export type PreviewKind = Preview['kind']

/** Null if there is no such token, deployer or actor. */
export interface Previews {
  of(kind: PreviewKind, id: string): Preview | null | Promise<Preview | null>
}

/** characters of symbol, name and verdict that fit a picture */
const ROOM = { symbol: 14, name: 32, verdict: 120 } as const
/** the same for the page */
const PAGE_ROOM = { symbol: 64, name: 128, sentence: 400 } as const

/** Rates a number by its edges, percent. */
const rated = (value: number, yellow: number, red: number): RatingValue =>
  value >= red ? 'red' : value >= yellow ? 'yellow' : 'green'

type Verdict = Who['verdict']

function wordsOf(token: Token, { headline }: Verdict): Preview['words'] {
  const symbol = plainLine(token.symbol, PAGE_ROOM.symbol)
  const name = plainLine(token.name, PAGE_ROOM.name)
  return {
    symbol: symbol || name || 'Unnamed token',
    name: symbol === '' ? '' : name,
    sentence: plainLine(headline, PAGE_ROOM.sentence),
  }
}

const shortOf = (key: Key): string => shortAddress(keyToBase58(key))

/** Null: nothing, or words that would pass for our own. */
const shared = (text: string, most: number): string | null =>
  text === '' || speaksOfVerdicts(text) ? null : quoted(text, most)

function sharedNames({ symbol, name, mint }: Token): Pick<Preview, 'name' | 'more'> {
  const [short, long] = [shared(symbol, ROOM.symbol), shared(name, ROOM.name)]
  return { name: short ?? shortOf(mint), more: long ?? '' }
}

function tokenPreview(view: TokenView, verdict: Verdict): Preview {
  const { live, market } = view
  const { token } = live
  const reading = view.reading()
  const ratings = ratingsOf(reading, view.conditions())
  const { deployer } = whoOf(live, market.firstSlot).classes
  const drain = latchedOf(token, 'drain')
  const top = ownedByLargest(reading.holders)
  const p = drain && probabilityOf(drain)
  const risk = p === null ? null : (100 * p) / MILLION
  return {
    ...{
      kind: 'token',
      verdict: plainLine(`${verdict.colour.toUpperCase()}: ${verdict.headline}`, ROOM.verdict),
      rating: verdict.colour,
      id: keyToBase58(token.mint),
      words: wordsOf(token, verdict),
    },
    ...sharedNames(token),
    score: reading.score.hasReading ? reading.score.value.toFixed(1) : null,
    figures: [
      { label: 'Bundled', value: pct(percent(reading.shares.bundle)), rating: ratings.bundle },
      {
        label: 'Deployer',
        value: deployer === null ? '?' : pct(share(deployer.held, token.supply)),
        rating: 'neutral',
      },
      { label: 'Top 10', value: pct(share(top, token.supply)), rating: 'neutral' },
      { label: 'Holders', value: count(reading.holders.count), rating: 'neutral' },
      {
        label: 'Drained within an hour',
        value: risk === null ? '?' : `${pct(risk)} of ${count(drain!.n)}`,
        rating: risk === null ? 'neutral' : rated(risk, 25, 50),
      },
    ],
  }
}

function deployerPreview(wallet: Wallet): Preview {
  const { launches: all, launchesBonded: graduated } = wallet
  const deeds = allDeeds(wallet)
  const drained = deeds?.drained ?? 0
  const taken = deeds === null ? null : sol(deeds.taken)
  const rating: RatingValue =
    drained * 2 >= all && drained > 0
      ? 'red'
      : graduated * 5 >= all
        ? 'green'
        : all >= 10 && graduated === 0
          ? 'red'
          : 'yellow'
  const of = all === 1 ? 'its only launch' : `its ${count(all)} launches`
  return {
    kind: 'deployer',
    rating,
    score: null,
    words: null,
    id: keyToBase58(wallet.address),
    name: shortOf(wallet.address),
    more: shared(wallet.name ?? '', ROOM.name) ?? 'Deployer',
    verdict: `${count(graduated)} of ${of} graduated, ${count(drained)} ${drained === 1 ? 'was' : 'were'} drained.`,
    figures: [
      { label: 'Launched', value: count(all), rating: 'neutral' },
      { label: 'Graduated', value: count(graduated), rating: graduated > 0 ? 'green' : 'neutral' },
      { label: 'Drained', value: count(drained), rating: drained > 0 ? 'red' : 'neutral' },
      { label: 'Taken out', value: taken === null ? '?' : `${solText(taken)} SOL`, rating: 'neutral' },
      { label: 'First sale after', value: deeds?.firstSale == null ? '?' : span(deeds.firstSale), rating: 'neutral' },
    ],
  }
}

function actorPreview({ id, name, ...record }: ActorProfile): Preview {
  const { wallets, tokens, launched, drained, rugged, taken_sol: taken, usual_exit_slots: exit } = record
  const bad = Math.max(drained, rugged)
  return {
    kind: 'actor',
    id,
    name,
    more: 'Actor',
    score: null,
    words: null,
    rating: bad === 0 ? 'neutral' : bad * 3 >= tokens ? 'red' : 'yellow',
    verdict: `${counted(wallets, 'wallet')}, seen on ${counted(tokens, 'token')}, ${bad === 0 ? 'none' : count(bad)} of them drained.`,
    figures: [
      { label: 'Tokens', value: count(tokens), rating: 'neutral' },
      { label: 'Launched', value: count(launched), rating: 'neutral' },
      { label: 'Rugged', value: count(rugged), rating: rugged > 0 ? 'red' : 'neutral' },
      { label: 'Taken out', value: `${solText(taken)} SOL`, rating: 'neutral' },
      { label: 'Out after', value: exit === null ? '?' : span(exit), rating: 'neutral' },
    ],
  }
}

interface PreviewsOptions {
  readonly store: Pick<HistoryReader, 'walletIdByAddress'>
  readonly views: Views
  readonly query: Pick<Query, 'verdict' | 'actor' | 'named' | 'settled'>
}

export function createPreviews({ store, views, query }: PreviewsOptions): Previews {
  const { verdict, settled } = query

  async function ofActor(id: string): Promise<Preview | null> {
    // a path of the page, not validated before
    if (!ACTOR_ID.test(id)) return null
    await query.named(id)
    const answer = await settled(() => query.actor(id))
    return answer === null ? null : actorPreview(JSON.parse(answer.bytes.toString()) as ActorProfile)
  }

  function now(kind: Exclude<PreviewKind, 'actor'>, id: string): Preview | null {
    const key = keyFromBase58(id)
    if (key === null) return null
    if (kind === 'token') {
      const [view, said] = [views.find(key), verdict(id)]
      return view === null || said === null ? null : tokenPreview(view, JSON.parse(said.bytes.toString()) as Verdict)
    }
    const wallet = store.walletIdByAddress(key)
    const found = wallet === undefined ? null : views.wallet(wallet)
    if (found === null || found.launches === 0) return null
    return deployerPreview(found)
  }
  return { of: (kind, id) => (kind === 'actor' ? ofActor(id) : settled(() => now(kind, id))) }
}
