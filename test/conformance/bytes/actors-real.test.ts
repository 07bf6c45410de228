import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { key } from '@ti/core/base/base58.ts'
import type { Key, Sig } from '@ti/core/base/ids.ts'
import { createEngine } from '@ti/core/engine/engine.ts'
import type { LogEntry } from '@ti/core/model/entries.ts'
import { type CreateEvent, QUOTE, type TradeEvent, VENUE } from '@ti/core/model/events.ts'
import { createActorMarket } from '../../support/actors-market.ts'
import { createMemoryStore } from '../../support/memory-store.ts'

/** Real wallet fleets: four or five wallets that bought most of one launch after another in its creation slot. */
const CORPORA = resolve(import.meta.dirname, '../../../../shared/data/real2/corpora')
const SKIP = existsSync(CORPORA) ? false : `real wallet fleets are not at ${CORPORA}`

interface Fleet {
  readonly lead: string
  readonly wallets: readonly string[]
  readonly launches: readonly { readonly mint: string; readonly created: number; readonly n_membres: number }[]
}

/** On chain: SOL, and whole tokens. */
interface Launch {
  readonly fleet_lead: string
  readonly mint: string
  readonly created: number
  readonly creation_slot: number
  readonly buys: readonly { readonly wallet: string; readonly sol_net: number; readonly tokens: number }[]
}

const read = <T>(name: string): T => JSON.parse(gunzipSync(readFileSync(resolve(CORPORA, name))).toString()) as T
const fleets = (): Fleet[] => read<{ flottes: Fleet[] }>('v02_fleets.json.gz').flottes

test('where their groups are confirmed, each fleet is one actor and no two are joined', { skip: SKIP }, (t) => {
  const market = createActorMarket(1_000_000)
  const ids = new Map<string, number>()
  const idOf = (wallet: string): number => {
    const id = ids.get(wallet) ?? ids.size
    ids.set(wallet, id)
    return id
  }
  const all = fleets()
  const launches = all
    .flatMap((fleet) => fleet.launches.map((launch) => ({ ...launch, fleet })))
    .sort((a, b) => a.created - b.created)
  let slot = 0
  launches.forEach(({ fleet, n_membres }, token) => {
    // who was missing is not said: the first ones are taken
    for (const wallet of fleet.wallets.slice(0, n_membres))
      market.enrol({ token, group: 0, wallet: idOf(wallet), payerWith: -1 }, slot++)
  })
  const actors = market.actors().map(({ wallets }) => [...wallets].sort((a, b) => a - b))
  t.diagnostic(`${launches.length} launches of ${all.length} fleets`)
  assert.deepEqual(
    actors.sort((a, b) => a[0]! - b[0]!),
    all.map(({ wallets }) => wallets.map(idOf).sort((a, b) => a - b)).sort((a, b) => a[0]! - b[0]!),
  )
})

const START = { quoteReserve: 30e9, baseReserve: 1_073e12, supply: 1e15 }

const at = (txIndex: number) => ({ sig: '' as Sig, txIndex, outer: 0, inner: 0 })
const named = (what: string, of: string): Key => `${what}${of}`.slice(0, 32).padEnd(32) as Key

function creationOf(mint: Key, name: string): [create: CreateEvent, curve: Key, creator: Key] {
  const [curve, creator] = [named('curve ', name), named('maker ', name)]
  const create: CreateEvent = {
    ...{ kind: 'create', ...at(0), launchpad: 1, mint, pool: curve, creator, user: creator, name, symbol: name },
    ...{ payer: null, signed: true },
    ...{ uri: '', nameNorm: name, symbolNorm: name, quote: QUOTE.SOL, decimals: 6, mayhem: false, ...START },
  }
  return [create, curve, creator]
}

/** Launches of others between two of theirs: there were thousands, and what happens by chance depends on how many. */
const OTHERS = 200

const othersBefore = ({ mint, creation_slot: slot, created }: Launch): LogEntry => ({
  ...{ kind: 'block', slot: slot - 1, parent: slot - 2, time: created },
  events: Array.from({ length: OTHERS }, (_, n) => creationOf(named(`${n} `, mint), `${n} ${mint}`)[0]),
})

function blockOf({ mint: address, creation_slot: slot, created, buys }: Launch): LogEntry {
  const mint = key(address)
  const [create, curve, creator] = creationOf(mint, address)
  let [quoteReserve, baseReserve] = [START.quoteReserve, START.baseReserve]
  // in the order of the curve: who paid least for a token came first
  const inOrder = [...buys].sort((a, b) => a.sol_net / a.tokens - b.sol_net / b.tokens)
  const trades = inOrder.map(({ wallet, sol_net, tokens }, i): TradeEvent => {
    const [quoteAmount, tokenAmount] = [Math.round(sol_net * 1e9), Math.round(tokens * 1e6)]
    quoteReserve += quoteAmount
    baseReserve -= tokenAmount
    return {
      ...{ kind: 'trade', ...at(i + 1), venue: VENUE.pump, mint, pool: curve, user: key(wallet), isBuy: true },
      ...{ quote: QUOTE.SOL, quoteAmount, userQuote: quoteAmount, tokenAmount, quoteReserve, baseReserve },
      ...{ quoteBefore: -1, realToken: -1, supply: START.supply, decimals: 6, creator, mayhem: false },
      ...{ payer: key(wallet), tipper: null, solBefore: -1, solAfter: -1 },
      ...{ hop: false, account: -1, held: 0 },
    }
  })
  return { kind: 'block', slot, parent: slot - 1, time: created, events: [create, ...trades] }
}

test('from their purchases alone, fleets that come back often become actors', { skip: SKIP }, (t) => {
  const store = createMemoryStore()
  const engine = createEngine({ reader: store, walletsCached: 1_000 })
  const launches = read<{ lancements: Launch[] }>('v03_onchain.json.gz').lancements
  const inOrder = [...launches].sort((a, b) => a.creation_slot - b.creation_slot)
  const fleetOf = new Map(
    fleets().flatMap(({ lead, wallets }) => wallets.map((wallet) => [key(wallet), lead] as const)),
  )
  const commit = (entry: LogEntry): void => {
    engine.apply(engine.globals.seq + 1, entry)
    store.write(engine.changes())
    engine.committed()
  }
  for (const launch of inOrder) {
    commit(othersBefore(launch))
    commit(blockOf(launch))
  }
  const roots = Array.from({ length: engine.globals.nextActor }, (_, id) => engine.actors.byId(id)).filter(
    ({ mergedInto }) => mergedInto < 0,
  )
  const found = roots.map(({ wallets }) => new Set(wallets.map((id) => fleetOf.get(engine.wallet(id).address))))
  for (const { wallets, tokens } of roots) t.diagnostic(`${wallets.length} wallets, ${tokens.length} tokens`)
  assert.ok(
    found.every((leads) => leads.size === 1 && !leads.has(undefined)),
    'no wallets of two fleets are joined',
  )
  const often = new Set(
    inOrder.map(({ fleet_lead }) => fleet_lead).filter((lead, _, all) => all.filter((one) => one === lead).length >= 6),
  )
  assert.ok(often.size > 0)
  const known = new Set(found.flatMap((leads) => [...leads]))
  for (const lead of often) assert.ok(known.has(lead), 'a fleet that came back six times or more is an actor')
})
