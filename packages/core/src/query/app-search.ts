import { keyFromBase58, keyToBase58 } from '../base/base58.ts'
import { normaliseText } from '../base/normalise.ts'
import { isoMicrosOrNull } from '../base/time.ts'
import type { AppSearch, FoundToken } from '../contract/app.ts'
import type { Engine } from '../engine/engine.ts'
import { isMigrated } from '../engine/tokens.ts'
import { verdictOf } from '../engine/verdict/said.ts'
import { DUP } from '../model/metadata.ts'
import type { QueryBounds } from './bounds.ts'
import type { HistoryReader, TokenView, Views } from './view.ts'

interface SearchOptions {
  readonly engine: Pick<Engine, 'globals' | 'tokens'>
  readonly store: Pick<HistoryReader, 'walletIdByAddress'>
  readonly views: Views
  readonly now: () => number
  readonly bounds: QueryBounds
}

/** Searches exact addresses in the whole store, and prefixes of symbols and names among tokens in memory. */
export function createSearch({ engine, store, views, now, bounds }: SearchOptions): (q: string) => string {
  const names = createNames(engine, now, bounds)

  function walletOf(q: string): AppSearch['wallet'] {
    const key = keyFromBase58(q)
    const id = key === null ? undefined : store.walletIdByAddress(key)
    if (id === undefined) return null
    const { name, launches, trades } = views.wallet(id)
    return { address: q, user_name: name, is_deployer: launches > 0, trades }
  }

  function tokensOf(q: string): AppSearch['tokens'] {
    const key = keyFromBase58(q)
    const exact = key === null ? null : views.find(key)
    return exact !== null ? [renderFound(exact)] : names.find(q).map((id) => renderFound(views.byId(id)))
  }

  return (text) => {
    const q = text.slice(0, bounds.searchLength).trim()
    return JSON.stringify({ tokens: tokensOf(q), wallet: walletOf(q) } satisfies AppSearch)
  }
}

/** A search result. */
export function renderFound(view: TokenView): FoundToken {
  const { token } = view.live
  return {
    mint: keyToBase58(token.mint),
    symbol: token.symbol,
    name: token.name,
    mcap: token.mcap,
    score: view.reading().score.value,
    colour: verdictOf(token).name,
    has_migrated: isMigrated(token),
    deployed_at: isoMicrosOrNull(token.createdTime),
    first: token.dup.symbol === DUP.unknown ? null : token.dup.symbol === DUP.no && token.symbol !== '',
  }
}

interface Entry {
  readonly text: string
  readonly id: number
}

interface Known {
  readonly symbol: string
  readonly name: string
}

/** Finds ids of tokens whose symbol or name starts with a text. */
interface Names {
  find(q: string): number[]
}

const inOrder = (a: Entry, b: Entry): number => (a.text < b.text ? -1 : a.text > b.text ? 1 : a.id - b.id)

/**
 * Two sorted lists of the tokens in memory, refreshed on request at most once a second. New tokens are sorted and
 * merged in, so a search never sorts all of them.
 */
function createNames({ globals, tokens }: SearchOptions['engine'], now: () => number, bounds: QueryBounds): Names {
  const known = new Map<number, Known>()
  let symbols: Entry[] = []
  let names: Entry[] = []
  let lookedMs = Number.NEGATIVE_INFINITY
  let lookedSeq = -1

  /** Tokens that were added, removed or renamed. */
  function changes(): { fresh: Set<number>; gone: Set<number> } {
    const fresh = new Set<number>()
    const gone = new Set(known.keys())
    for (const { token } of tokens.live()) {
      const before = known.get(token.id)
      if (before?.symbol === token.symbol && before.name === token.name) {
        gone.delete(token.id)
        continue
      }
      if (before === undefined && known.size >= bounds.searchTokens) continue
      known.set(token.id, { symbol: token.symbol, name: token.name })
      fresh.add(token.id)
    }
    for (const id of gone) if (!fresh.has(id)) known.delete(id)
    return { fresh, gone }
  }

  function refresh(): void {
    if (lookedSeq === globals.seq || now() - lookedMs < bounds.searchRefreshMs) return
    lookedMs = now()
    lookedSeq = globals.seq
    const { fresh, gone } = changes()
    if (fresh.size === 0 && gone.size === 0) return
    const entries = (text: (of: Known) => string): Entry[] =>
      [...fresh].map((id) => ({ text: normaliseText(text(known.get(id)!)), id })).filter((entry) => entry.text !== '')
    symbols = merged(
      symbols,
      gone,
      entries((of) => of.symbol),
    )
    names = merged(
      names,
      gone,
      entries((of) => of.name),
    )
  }

  return {
    find(q) {
      const text = normaliseText(q)
      if (text === '') return []
      refresh()
      /** 0: equal to the symbol, 1: prefix of the symbol, 2: prefix of the name */
      const rank = new Map<number, number>()
      for (const entry of beginningWith(names, text, bounds.searchScanned)) rank.set(entry.id, 2)
      for (const entry of beginningWith(symbols, text, bounds.searchScanned)) {
        rank.set(entry.id, entry.text === text ? 0 : 1)
      }
      const mcap = (id: number): number => tokens.peekId(id)?.token.mcap ?? 0
      const found = [...rank].filter(([id]) => tokens.peekId(id) !== undefined)
      return found
        .sort(([a, rankA], [b, rankB]) => rankA - rankB || mcap(b) - mcap(a) || b - a)
        .slice(0, bounds.searchItems)
        .map(([id]) => id)
    },
  }
}

/** `old` without `gone`, with `added` merged in. */
function merged(old: readonly Entry[], gone: ReadonlySet<number>, added: Entry[]): Entry[] {
  added.sort(inOrder)
  const all: Entry[] = []
  let next = 0
  for (const entry of old) {
    if (gone.has(entry.id)) continue
    while (next < added.length && inOrder(added[next]!, entry) < 0) all.push(added[next++]!)
    all.push(entry)
  }
  while (next < added.length) all.push(added[next++]!)
  return all
}

function* beginningWith(entries: readonly Entry[], text: string, most: number): Generator<Entry> {
  let low = 0
  let high = entries.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (entries[middle]!.text < text) low = middle + 1
    else high = middle
  }
  for (let i = low; i < entries.length && i < low + most && entries[i]!.text.startsWith(text); i++) yield entries[i]!
}
