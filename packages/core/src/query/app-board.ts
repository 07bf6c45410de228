import { keyFromBase58, keyToBase58 } from '../base/base58.ts'
import { isoMicrosOrNull } from '../base/time.ts'
import type { AppBoard, BoardCard, BoardView } from '../contract/app.ts'
import { BUCKET, SLOTS } from '../engine/constants.ts'
import type { Engine } from '../engine/engine.ts'
import type { LiveToken } from '../engine/resident.ts'
import { isDead } from '../engine/tokens.ts'
import { sumWindow } from '../engine/windows.ts'
import type { ActorReader } from './actors.ts'
import type { QueryBounds } from './bounds.ts'
import type { BoardListName, Listed, Listings } from './query.ts'
import { tokenFacts, tokenLinks } from './token-facts.ts'
import { tokenValues } from './token-values.ts'
import { unusualFacts } from './unusual.ts'
import type { TokenView } from './view.ts'

/** The board: its lists with their cards, the tokens that they hide, and the cards of watched tokens. */

/** The columns of a view. A token of several is in the last of them: it has come furthest. */
const COLUMNS: Readonly<Record<BoardView, readonly BoardListName[]>> = {
  launches: ['new', 'near', 'graduated'],
  pumps: ['pumps'],
  survivors: ['survivors'],
  agents: ['agents'],
}

/** Lists that show what the filter leaves out, too. */
const FEW: ReadonlySet<BoardListName> = new Set(['near', 'graduated'])

interface BoardOptions {
  readonly engine: Pick<Engine, 'globals' | 'tokens'>
  readonly lists: Listings
  readonly reader: ActorReader
  /** Unix milliseconds. */
  readonly now: () => number
  readonly bounds: QueryBounds
}

type Shown = Listed['shown'][number]

/** Answers are kept briefly, because each reads up to a hundred and fifty tokens. */
export function createBoard({ engine, lists, reader, now, bounds }: BoardOptions) {
  const { globals, tokens } = engine
  const kept = new Map<string, { readonly text: string; readonly atMs: number }>()

  function again(name: string, make: () => unknown): string {
    const before = kept.get(name)
    const atMs = now()
    if (before !== undefined && atMs - before.atMs < bounds.boardKeptMs) return before.text
    const text = JSON.stringify(make())
    kept.set(name, { text, atMs })
    return text
  }

  const cardOf = ({ view, buy }: Shown): BoardCard => ({
    ...renderBoardCard(view, lists, reader),
    agent_buyer: buy?.agent ?? null,
    agent_bought_at: buy && isoMicrosOrNull(buy.time),
  })
  const plain = (live: LiveToken): Shown => ({ view: lists.views.of(live), buy: null })

  /** A list as the board has it: tokens that come this far are few, so those that the filter leaves out follow the others unless they are dead. */
  function listOf(name: BoardListName): Listed {
    const list = lists.listed(name)
    if (!FEW.has(name)) return list
    const hidden = list.hidden.filter(({ token }) => isDead(token, globals.slot))
    const warned = list.hidden.filter((live) => !hidden.includes(live)).map(plain)
    return { shown: [...list.shown, ...warned].slice(0, bounds.listItems), hidden, dropped: hidden.length }
  }

  function launchesIn5m(): number {
    let count = 0
    for (const { token } of tokens.live())
      if (token.createdKnown && globals.slot - token.createdSlot <= SLOTS.fiveMinutes) count++
    return count
  }

  function columnsOf(view: BoardView): AppBoard['columns'] {
    const taken = new Set<number>()
    return [...COLUMNS[view]]
      .reverse()
      .map((id) => {
        const { shown, hidden, dropped } = listOf(id)
        const mine = shown.filter(({ view: { live } }) => !taken.has(live.token.id) && taken.add(live.token.id))
        return { id, cards: mine.map(cardOf), hidden: hidden.length, dropped }
      })
      .reverse()
  }

  return {
    board: (view: string): string | null =>
      isView(view) ? again(view, () => ({ columns: columnsOf(view), launches_5m: launchesIn5m() })) : null,
    /** The tokens that a list leaves out, at most as many as it shows. */
    hidden: (name: string): string | null =>
      isList(name)
        ? again(`hidden ${name}`, () =>
            listOf(name)
              .hidden.slice(0, bounds.listItems)
              .map((live) => cardOf(plain(live))),
          )
        : null,
    /** The cards of these mints; those that are not tracked are left out. */
    cards(mints: string): string {
      const keys = mints.split(',').slice(0, bounds.listItems).map(keyFromBase58)
      const views = keys.flatMap((key) => lists.views.find(key) ?? [])
      return JSON.stringify(views.map((view) => cardOf({ view, buy: null })))
    },
  }
}

const isView = (name: string): name is BoardView => Object.hasOwn(COLUMNS, name)
const isList = (name: string): name is BoardListName =>
  Object.values(COLUMNS).some((names) => names.includes(name as BoardListName))

function renderBoardCard(
  view: TokenView,
  lists: Listings,
  reader: ActorReader,
): Omit<BoardCard, 'agent_buyer' | 'agent_bought_at'> {
  const { live, slot } = view
  const { token } = live
  const { verdict, classes, actors, holders } = lists.brief(view)
  const { mint, name, symbol, launchpad, deployer, colour, ...values } = tokenValues(view, reader)
  const flow = sumWindow(token, slot, BUCKET.minute)
  const { telegram, twitter, website } = tokenLinks(token)
  return {
    ...{ mint: keyToBase58(token.mint), symbol: token.symbol, name: token.name },
    ...{ deployed_at: tokenFacts(token).deployed_at, telegram, twitter, website },
    colour: verdict.colour,
    why: verdict.headline,
    facts: unusualFacts({
      crew: actors.length === 0 ? null : actors.reduce((sum, { holds_pct }) => sum + holds_pct, 0),
      group: classes.bundled?.held_pct ?? null,
      group_sold: classes.bundled?.sold_pct ?? null,
      dev: classes.deployer?.held_pct ?? null,
      dev_sold: classes.deployer?.sold_pct ?? null,
      insiders: classes.insiders?.held_pct ?? null,
      snipers: classes.first_3s?.held_pct ?? null,
      fresh: classes.fresh?.held_pct ?? null,
      top_10: holders.top_10_pct,
      kols: values.kols,
    }),
    buys_1m: flow.buys,
    sells_1m: flow.sells,
    values,
  }
}
