import { keyToBase58 } from '@ti/core/base/base58.ts'
import { ACTORS } from '@ti/core/engine/constants.ts'
import type { StateReader } from '@ti/core/engine/state.ts'
import type { TruthToken } from '../simulator/truth.ts'
import { table } from './markdown-table.ts'
import { percent } from './numbers.ts'

/** Evaluates whether actors are the people behind the wallets, and whether they are recognised on later tokens. */

/** Actors at the end of a log, and the tokens they were named on. Wallets and mints in base58. */
export interface ActorsFound {
  readonly actors: readonly { readonly id: number; readonly wallets: readonly string[] }[]
  readonly largest: { readonly wallets: number; readonly edges: number; readonly tokens: number }
  /** `actor`: resolved as of the end of the log. */
  readonly named: readonly { readonly mint: string; readonly actor: number; readonly slot: number }[]
}

type Reader = Pick<StateReader, 'globals' | 'token' | 'wallet' | 'actor' | 'actorEdges'>

/** Collects the actors of a store, once everything is committed. */
export function collectActors(store: Reader): ActorsFound {
  const { nextActor = 0, nextToken = 0 } = store.globals() ?? {}
  const all = Array.from({ length: nextActor }, (_, id) => store.actor(id)!)
  const rootOf = (id: number): number => (all[id]!.mergedInto < 0 ? id : rootOf(all[id]!.mergedInto))
  const edges = all.flatMap(({ id }) => {
    const counts = new Map<number, number>()
    for (const { a, b } of store.actorEdges(id)!.edges)
      for (const end of [a, b]) counts.set(end, (counts.get(end) ?? 0) + 1)
    return [...counts.values()]
  })
  return {
    actors: all
      .filter(({ mergedInto }) => mergedInto < 0)
      .map(({ id, wallets }) => ({ id, wallets: wallets.map((wallet) => keyToBase58(store.wallet(wallet)!.address)) })),
    largest: {
      wallets: Math.max(0, ...all.map(({ wallets }) => wallets.length)),
      edges: edges.reduce((most, one) => Math.max(most, one), 0),
      tokens: Math.max(0, ...all.map(({ tokens }) => tokens.length)),
    },
    named: Array.from({ length: nextToken }, (_, id) => store.token(id)!).flatMap(({ mint, actors }) =>
      actors.map(({ actor, slot }) => ({ mint: keyToBase58(mint), actor: rootOf(actor), slot })),
    ),
  }
}

/** A farm's launches from the fourth on, or only the fourth. */
interface Returns {
  readonly launches: number
  readonly recognised: number
}

export interface ActorResult {
  readonly actors: number
  readonly wallets: number
  /** Share of wallets that belong to the same person as most wallets of their actor. */
  readonly precision: number | null
  /** Actors with wallets of several people, or of people who act alone. */
  readonly mixed: number
  readonly largest: ActorsFound['largest']
  readonly withinBounds: boolean
  /** A farm is one deployer's, or one person's, launches. `next`: the one after three; `later`: all from it on. */
  readonly farms: Readonly<Record<'deployers' | 'persons', { readonly next: Returns; readonly later: Returns }>>
}

/** Launches before the one at which an actor has to be known. */
const LAUNCHES_BEFORE = 3

interface Launch {
  readonly slot: number
  readonly recognised: boolean
}

export function judgeActors(found: ActorsFound, truth: readonly TruthToken[]): ActorResult {
  const personOf = new Map<string, string>()
  for (const { groups = [] } of truth) {
    for (const { person, wallets } of groups) for (const wallet of wallets) personOf.set(wallet, person)
  }
  const behind = found.actors.map(({ id, wallets }) => ({ id, wallets: wallets.length, ...mostly(wallets, personOf) }))
  const wallets = behind.reduce((sum, one) => sum + one.wallets, 0)
  const right = behind.reduce((sum, one) => sum + one.right, 0)
  const people = new Map(behind.map(({ id, person }) => [id, person]))
  const { largest } = found
  return {
    actors: found.actors.length,
    wallets,
    precision: wallets === 0 ? null : right / wallets,
    mixed: behind.filter((one) => one.right < one.wallets).length,
    largest,
    withinBounds:
      largest.wallets <= ACTORS.wallets && largest.edges <= ACTORS.walletEdges && largest.tokens <= ACTORS.tokens,
    farms: farmsOf(found, truth, people),
  }
}

function mostly(wallets: readonly string[], personOf: ReadonlyMap<string, string>) {
  const counts = new Map<string, number>()
  for (const wallet of wallets) {
    const person = personOf.get(wallet)
    if (person !== undefined) counts.set(person, (counts.get(person) ?? 0) + 1)
  }
  const [first] = [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
  return { person: first?.[0] ?? null, right: first?.[1] ?? 0 }
}

function farmsOf(
  { named }: ActorsFound,
  truth: readonly TruthToken[],
  people: ReadonlyMap<number, string | null>,
): ActorResult['farms'] {
  const namedOn = new Map<string, { readonly slot: number; readonly person: string | null }[]>()
  for (const { mint, actor, slot } of named) {
    namedOn.set(mint, [...(namedOn.get(mint) ?? []), { slot, person: people.get(actor) ?? null }])
  }
  const farms = { deployers: new Map<string, Launch[]>(), persons: new Map<string, Launch[]>() }
  for (const { mint, slot, deployer, groups = [] } of truth) {
    for (const { type, person, exits } of groups) {
      if (type !== 'farm') continue
      const firstSale = exits.reduce((first, exit) => Math.min(first, exit.slot), Number.POSITIVE_INFINITY)
      const recognised = (namedOn.get(mint) ?? []).some((one) => one.person === person && one.slot < firstSale)
      for (const [of, farm] of [
        [farms.deployers, deployer],
        [farms.persons, person],
      ] as const) {
        of.set(farm, [...(of.get(farm) ?? []), { slot, recognised }])
      }
    }
  }
  return { deployers: returnsOf(farms.deployers), persons: returnsOf(farms.persons) }
}

function returnsOf(farms: ReadonlyMap<string, readonly Launch[]>) {
  const back = [...farms.values()]
    .map((launches) => [...launches].sort((a, b) => a.slot - b.slot).slice(LAUNCHES_BEFORE))
    .filter((launches) => launches.length > 0)
  const count = (launches: readonly Launch[]): Returns => ({
    launches: launches.length,
    recognised: launches.filter(({ recognised }) => recognised).length,
  })
  return { next: count(back.map(([first]) => first!)), later: count(back.flat()) }
}

/** The section of the report; empty without truth about people. */
export function actorSection(result: ActorResult | null): string {
  if (result === null) return ''
  const { actors, wallets, precision, mixed, largest, withinBounds, farms } = result
  const part = ({ recognised, launches }: Returns): string =>
    launches === 0 ? 'none' : `${recognised} of ${launches}, ${percent(recognised / launches)}`
  return [
    '## Actors',
    `${actors} actors have ${wallets} wallets. ${
      precision === null
        ? ''
        : `${percent(precision)} of them belong to the person ` +
          `most of their actor's wallets belong to (bar: 95 %); ${mixed} actors are mixed. `
    }The largest has ` +
      `${largest.wallets} wallets; no wallet has more than ${largest.edges} edges: ${withinBounds ? 'within' : '**beyond**'} the bounds.`,
    table(
      ['recognised before the first sale', 'the launch after three (bar: 80 %)', 'all launches after three'],
      [
        ['farms, by deployer', part(farms.deployers.next), part(farms.deployers.later)],
        ['farms, by the person behind them', part(farms.persons.next), part(farms.persons.later)],
      ],
    ),
  ].join('\n\n')
}
