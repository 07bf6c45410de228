import { keyFromBase58, keyToBase58 } from '../base/base58.ts'
import { ZERO_KEY } from '../base/ids.ts'
import { normaliseText } from '../base/normalise.ts'
import { isoMicrosOrNull } from '../base/time.ts'
import type { AppSearch, FoundToken } from '../contract/app.ts'
import type { Engine } from '../engine/engine.ts'
import { isMigrated } from '../engine/tokens.ts'
import { verdictOf } from '../engine/verdict/said.ts'
import { DUP } from '../model/metadata.ts'
import type { Token } from '../model/state.ts'
import { type ActorReader, nameOf, rootOf } from './actors.ts'
import type { QueryBounds } from './bounds.ts'
import { type Pasted, readPasted, whyNothing } from './pasted.ts'
import type { HistoryReader, TokenView, Views } from './view.ts'

interface SearchOptions {
  readonly engine: Pick<Engine, 'globals' | 'tokens'>
  readonly store: Pick<HistoryReader, 'tokenIdByPool'>
  readonly reader: ActorReader
  readonly views: Views
  readonly now: () => number
  readonly bounds: QueryBounds
}

/**
 * Searches exact addresses of tokens, their pools and wallets in the whole store; beginnings of symbols, names and addresses, and
 * names of crews and KOLs, among tokens in memory.
 */
export function createSearch({ engine, store, reader, views, now, bounds }: SearchOptions): (q: string) => string {
  const names = createNames(engine, reader, now, bounds)

  function walletOf(address: string): AppSearch['wallet'] {
    const wallet = views.walletAt(keyFromBase58(address))
    if (wallet === null) return null
    const { name, launches, trades } = wallet
    return { address, user_name: name, is_deployer: launches > 0, trades }
  }

  function tokenAt(address: string): TokenView | null {
    const key = keyFromBase58(address)
    if (key === null) return null
    const pool = store.tokenIdByPool(key)
    return views.find(key) ?? (pool === undefined ? null : views.byId(pool))
  }

  function tokensOf({ addresses, text, isSymbol }: Pasted): AppSearch['tokens'] {
    const exact = addresses.flatMap((address) => tokenAt(address) ?? [])
    const ids = [...new Set(addresses.flatMap(names.at))]
    const found =
      exact.length > 0
        ? exact
        : addresses.length > 0
          ? ids.map(views.byId)
          : names.find(text, isSymbol).map((id) => views.byId(id))
    return [...new Map(found.map((view) => [view.live.token.id, view])).values()]
      .slice(0, bounds.searchItems)
      .map(renderFound)
  }

  return (text) => {
    const pasted = readPasted(text.slice(0, bounds.searchLength))
    const tokens = tokensOf(pasted)
    const wallet = pasted.addresses.map(walletOf).find((one) => one !== null) ?? null
    const people = pasted.isSymbol ? [] : names.people(pasted.text, pasted.actor)
    const isNothing = tokens.length === 0 && wallet === null && people.length === 0 && text.trim() !== ''
    const nothing = isNothing ? whyNothing(pasted) : null
    return JSON.stringify({ tokens, wallet, people, nothing } satisfies AppSearch)
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

/** crews and KOLs of one answer */
const PEOPLE_MAX = 5

interface Entry {
  readonly text: string
  readonly id: number
}

type Person = AppSearch['people'][number]

/** The texts that find a token, normalised; `keys`: its mint, curve and pool in lower case. */
interface Known {
  readonly text: string
  readonly symbol: string
  readonly name: string
  readonly keys: readonly string[]
}

interface Names {
  /** Ids of tokens whose symbol, name or address begins with a text. */
  find(q: string, isSymbol: boolean): number[]
  /** Ids of tokens with this address, whatever its case. */
  at(address: string): number[]
  /** Crews and KOLs whose names begin with a text, and the crew of this id. */
  people(q: string, actor: string | null): Person[]
}

const inOrder = (a: Entry, b: Entry): number => (a.text < b.text ? -1 : a.text > b.text ? 1 : a.id - b.id)

const knownOf = ({ mint, curve, pool, symbol, name }: Token): Known => {
  const keys = [mint, curve, pool].flatMap((key) => (key === null || key === ZERO_KEY ? [] : [keyToBase58(key)]))
  return {
    text: `${symbol}\n${name}\n${pool}`,
    symbol: normaliseText(symbol),
    name: normaliseText(name),
    keys: [...new Set(keys)].map((key) => key.toLowerCase()),
  }
}

/** The least characters of an address to find tokens by: fewer are in every second one. */
const KEY_LEAST = 4

/**
 * Sorted lists of the tokens in memory, refreshed on request at most once a second. New tokens are sorted and
 * merged in, so a search never sorts all of them.
 */
function createNames(
  { globals, tokens }: SearchOptions['engine'],
  reader: ActorReader,
  now: () => number,
  bounds: QueryBounds,
): Names {
  const known = new Map<number, Known>()
  const met = new Map<string, Person>()
  const lists: Record<'symbols' | 'names' | 'keys', Entry[]> = { symbols: [], names: [], keys: [] }
  let lookedMs = Number.NEGATIVE_INFINITY
  let lookedSeq = -1

  function meet({ actors, watched }: Token): void {
    for (const { actor } of actors) {
      if (met.has(`actor ${actor}`) || met.size >= bounds.searchPeople) continue
      met.set(`actor ${actor}`, { kind: 'actor', ...nameOf(reader, rootOf(reader, actor)) })
    }
    for (const { wallet, kol } of watched) {
      if (!kol || met.has(`kol ${wallet}`) || met.size >= bounds.searchPeople) continue
      const { name, address } = reader.wallet(wallet)!
      if (name !== null) met.set(`kol ${wallet}`, { kind: 'kol', id: keyToBase58(address), name })
    }
  }

  /** Tokens that were added, removed or renamed, or got a pool. */
  function changes(): { fresh: Set<number>; gone: Set<number> } {
    const fresh = new Set<number>()
    const gone = new Set(known.keys())
    for (const { token } of tokens.live()) {
      meet(token)
      const before = known.get(token.id)
      if (before?.text === `${token.symbol}\n${token.name}\n${token.pool}`) {
        gone.delete(token.id)
        continue
      }
      if (before === undefined && known.size >= bounds.searchTokens) continue
      known.set(token.id, knownOf(token))
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
    const texts = { symbols: (of: Known) => [of.symbol], names: (of: Known) => [of.name], keys: (of: Known) => of.keys }
    for (const name of ['symbols', 'names', 'keys'] as const) {
      const entries = [...fresh].flatMap((id) => texts[name](known.get(id)!).map((text) => ({ text, id })))
      lists[name] = merged(
        lists[name],
        gone,
        entries.filter(({ text }) => text !== ''),
      )
    }
  }

  const beginning = (list: readonly Entry[], text: string) => beginningWith(list, text, bounds.searchScanned)

  return {
    find(q, isSymbol) {
      const text = normaliseText(q)
      if (text === '') return []
      refresh()
      /** 0: equal to the symbol, 1: prefix of the symbol, 2: prefix of the name, 3: prefix of an address */
      const rank = new Map<number, number>()
      const key = q.toLowerCase()
      if (!isSymbol && key.length >= KEY_LEAST) for (const { id } of beginning(lists.keys, key)) rank.set(id, 3)
      if (!isSymbol) for (const { id } of beginning(lists.names, text)) rank.set(id, 2)
      for (const entry of beginning(lists.symbols, text)) rank.set(entry.id, entry.text === text ? 0 : 1)
      const mcap = (id: number): number => tokens.peekId(id)?.token.mcap ?? 0
      const found = [...rank].filter(([id]) => tokens.peekId(id) !== undefined)
      return found
        .sort(([a, rankA], [b, rankB]) => rankA - rankB || mcap(b) - mcap(a) || b - a)
        .slice(0, bounds.searchItems)
        .map(([id]) => id)
    },
    at(address) {
      refresh()
      return [...beginning(lists.keys, address.toLowerCase())].map(({ id }) => id)
    },
    people(q, actor) {
      refresh()
      const text = q.toLowerCase()
      const found: Person[] = []
      for (const one of met.values()) {
        if (found.length === PEOPLE_MAX) break
        if (one.id === actor || (text !== '' && one.name.toLowerCase().startsWith(text))) found.push(one)
      }
      return found.length === 0 && actor !== null ? [{ kind: 'actor', id: actor, name: actor }] : found
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
