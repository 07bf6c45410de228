import { keyFromBase58, keyToBase58 } from '../base/base58.ts'
import { count, counted, pct, shortAddress, sol as solText } from '../base/format.ts'
import type { Key } from '../base/ids.ts'
import { plainLine, quoted } from '../base/plain-text.ts'
import { deployerRecord } from '../base/record.ts'
import { speaksOfVerdicts } from '../base/verdict-words.ts'
import type { ActorProfile } from '../contract/actors.ts'
import { ACTOR_ID } from '../contract/parameters.ts'
import type { RatingValue } from '../contract/token.ts'
import type { Who } from '../contract/who.ts'
import { allDeeds } from '../engine/deployers.ts'
import { ownedByLargest } from '../engine/holders.ts'
import { whoOf } from '../engine/reading/who.ts'
import type { Token, Wallet } from '../model/state.ts'
import type { Query } from './query.ts'
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
  /** The verdict's colour; neutral where there is none. */
  readonly rating: RatingValue
  readonly figures: readonly Figure[]
  /** Base58, or an actor's id. */
  readonly id: string
  /** The text of a token's page before its first answer. */
  readonly words: { readonly symbol: string; readonly name: string; readonly sentence: string } | null
}

interface Figure {
  readonly label: string
  readonly value: string
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
  const { deployer } = whoOf(live, market.firstSlot).classes
  return {
    ...{
      kind: 'token',
      verdict: plainLine(`${verdict.colour.toUpperCase()}: ${verdict.headline}`, ROOM.verdict),
      rating: verdict.colour,
      id: keyToBase58(token.mint),
      words: wordsOf(token, verdict),
    },
    ...sharedNames(token),
    figures: [
      { label: 'Bundled', value: pct(percent(reading.shares.bundle)) },
      { label: 'Deployer has', value: deployer === null ? '?' : pct(share(deployer.held, token.supply)) },
      { label: 'Top 10 have', value: pct(share(ownedByLargest(reading.holders), token.supply)) },
      { label: 'Holders', value: count(reading.holders.count) },
    ],
  }
}

function deployerPreview(wallet: Wallet): Preview {
  const { launches: all, launchesBonded: graduated } = wallet
  const deeds = allDeeds(wallet)
  const drained = deeds?.drained ?? 0
  const taken = deeds === null ? null : sol(deeds.taken)
  return {
    kind: 'deployer',
    rating: 'neutral',
    words: null,
    id: keyToBase58(wallet.address),
    name: shortOf(wallet.address),
    more: shared(wallet.name ?? '', ROOM.name) ?? 'Deployer',
    verdict: `${deployerRecord({ launched: all, graduated, all: deeds && { ...deeds, taken_sol: sol(deeds.taken) } })}.`,
    figures: [
      { label: 'Launched', value: count(all) },
      { label: 'Drained', value: count(drained) },
      { label: 'Graduated', value: count(graduated) },
      { label: 'Took out', value: taken === null ? '?' : `${solText(taken)} SOL` },
      { label: 'First sale after', value: deeds?.firstSale == null ? '?' : span(deeds.firstSale) },
    ],
  }
}

function actorPreview({ id, name, ...record }: ActorProfile): Preview {
  const { wallets, tokens, launched, drained, rugged, taken_sol: taken, usual_exit_slots: exit } = record
  return {
    kind: 'actor',
    id,
    name,
    more: 'Crew',
    words: null,
    rating: 'neutral',
    verdict: `${counted(wallets, 'wallet')} on ${counted(tokens, 'token')}, launched ${count(launched)}: ${drained === 0 ? 'none' : count(drained)} drained while it gained.`,
    figures: [
      { label: 'Launched', value: count(launched) },
      { label: 'Drained', value: count(drained) },
      { label: 'Rugged', value: count(rugged) },
      { label: 'Took out', value: `${solText(taken)} SOL` },
      { label: 'Out after', value: exit === null ? '?' : span(exit) },
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
