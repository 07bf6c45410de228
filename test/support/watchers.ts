import assert from 'node:assert/strict'
import { base58Encode, keyFromBase58, keyToBase58 } from '@ti/core/base/base58.ts'
import type { Token } from '@ti/core/model/state.ts'
import { createSimulator } from '@ti/lab/simulator/simulator.ts'
import { createAccounts } from '@ti/service/access/accounts/accounts.ts'
import type { Database } from '@ti/service/access/sql/database.ts'
import type { WatchRow } from '@ti/service/access/sql/schema.ts'
import type { Alert } from '@ti/service/alerts/alert.ts'
import { type AlertEvent, alertId } from '@ti/service/alerts/events.ts'
import { createWatchIndex, type Ids, type WatchIndex, watchedOf } from '@ti/service/alerts/watch-index.ts'
import { ALERTS_PAGE, createAlertStore, createWatchBook } from '@ti/service/alerts/watches.ts'
import type { WorkerStore } from '@ti/service/alerts/worker-store.ts'
import { createEntryStream } from '@ti/service/ingest/entries.ts'
import type { Source } from '@ti/service/source/source.ts'
import type { KyselyPlugin } from 'kysely'
import type { Folder } from '../properties/prefix.ts'

/** A market to watch, who watches it, and the slow second implementation of what they are to hear. */

export const watchNow = (): number => 1_790_000_000_000

export const marketEntries = (seed: number, trades: number, tps = 60): Promise<Buffer[]> =>
  entriesOf(createSimulator({ seed, speed: 0, trades, tps, market: 2 }))

export async function entriesOf(source: Source): Promise<Buffer[]> {
  const stream = createEntryStream(source, 1 << 20)
  const entries: Buffer[] = []
  for await (const batch of stream.batches({ slot: -1, time: 0, facts: 0 }, new AbortController().signal))
    entries.push(...batch)
  return entries
}

/** Conditions, and the same of a token's record by hand. */
export const CONDITIONS: readonly { readonly text: string; readonly holds: (token: Token) => boolean }[] = [
  { text: 'trades >= 5', holds: ({ trades }) => trades >= 5 },
  { text: 'launchpad == "pumpfun" and trades > 2', holds: ({ trades, launchpad }) => launchpad === 1 && trades > 2 },
  { text: 'mcap > 6000 and not drained', holds: ({ mcap, drainedSlot }) => mcap > 6_000 && drainedSlot < 0 },
  { text: 'mcap < 5000 or rugged', holds: ({ mcap, ruggedSlot }) => mcap < 5_000 || ruggedSlot >= 0 },
]

export async function makeAccounts(database: Database, count: number): Promise<string[]> {
  const accounts = createAccounts(database, { now: watchNow })
  const ids: string[] = []
  for (let n = 0; n < count; n++) ids.push((await accounts.ofWallet(base58Encode(`watcher-${n}`.padEnd(32, '.')))).id)
  // more alerts than the free plan keeps are compared
  await database.sql.updateTable('accounts').set({ granted_pro: true }).where('id', 'in', ids).execute()
  return ids
}

/** Watches from number `from` to `to`, on whom there is something to say about: as a fold of the whole market shows. */
export async function makeWatches(
  database: Database,
  accounts: readonly string[],
  { store }: Pick<Folder, 'store'>,
  random: () => number,
  [from, to]: readonly [number, number],
): Promise<void> {
  const rows = [...store.trades(0)]
  const worker = await database.sql.selectFrom('alert_worker').select('version').executeTakeFirst()
  const changed = (worker?.version ?? 0) + 1
  const made = Array.from({ length: to - from }, (_, i) => {
    const n = from + i
    const row = rows[Math.floor(random() * rows.length)]!
    const token = store.token(row.token)!
    const kind = (['token', 'wallet', 'deployer'] as const)[n % 3]!
    const wallet = kind === 'wallet' || token.deployer < 0 ? row.wallet : token.deployer
    const key = kind === 'token' ? token.mint : store.wallet(wallet)!.address
    const condition = CONDITIONS[Math.floor(n / 25) % CONDITIONS.length]!.text
    const asked =
      n % 25 === 24
        ? { kind: 'condition' as const, target: condition }
        : n % 25 === 12
          ? { kind: 'actor' as const, target: `${Math.floor(random() * store.entries().actors!)}` }
          : { kind, target: keyToBase58(key) }
    return {
      ...{ id: `watch_${n}`, account_id: accounts[n % accounts.length]!, name: `watch ${n}`, ...asked },
      ...{ min_lamports: n % 5 === 0 ? 1e9 : 0, paused: false, created_at: new Date(watchNow()) },
      ...{ from_trade: null, from_event: null, from_slot: null, changed },
    }
  })
  const last = made.pop()!
  for (let at = 0; at < made.length; at += 250)
    await database.sql
      .insertInto('watches')
      .values(made.slice(at, at + 250))
      .execute()
  // one by one a thousand take half a minute; the last as everybody makes one
  const { kind, target, name } = last
  const asked = { kind, target, name, minLamports: last.min_lamports }
  assert.ok((await createWatchBook(database, { now: watchNow }).add(last.account_id, 'pro', asked)).ok)
}

/** An index of these watches, as of now. */
export function indexWatches(rows: readonly WatchRow[], ids: Ids): WatchIndex {
  const index = createWatchIndex(ids)
  for (const row of rows) {
    const watched = watchedOf(row)
    if (watched !== null) index.add(watched)
  }
  return index
}

/** All alerts of an account, read page by page as a client does. */
export async function alertsOf(database: Database, account: string): Promise<Alert[]> {
  const alertStore = createAlertStore(database)
  const alerts: Alert[] = []
  for (;;) {
    const page = await alertStore.after(account, alerts.at(-1)?.place ?? 0, ALERTS_PAGE)
    if (page.length === 0) return alerts
    alerts.push(...page)
  }
}

const TOKEN_EVENTS: Readonly<Record<string, AlertEvent>> = {
  created: 'launched',
  graduated: 'graduated',
  dex_paid: 'dex_paid',
  verdict: 'colour_changed',
}

/** The whole committed log, with addresses in place of numbers. */
export function readMarket({ store }: Pick<Folder, 'store'>) {
  const addressOf = (wallet: number): string => (wallet < 0 ? '' : keyToBase58(store.wallet(wallet)!.address))
  const tokens = new Map<number, { token: Token; mint: string; deployer: string }>()
  const tokenOf = (id: number) => {
    const known = tokens.get(id)
    if (known !== undefined) return known
    const token = store.token(id)!
    const made = { token, mint: keyToBase58(token.mint), deployer: addressOf(token.deployer) }
    tokens.set(id, made)
    return made
  }
  return {
    /** The slot at which others took over a token, -1 if none did. */
    takenOver: (mint: string) => store.token(store.tokenIdByMint(keyFromBase58(mint)!)!)!.takenOverSlot,
    events: [...store.tokenEvents(0)].map((row) => ({ row, ...tokenOf(row.token) })),
    trades: [...store.trades(0)].map((row) => ({ row, trader: addressOf(row.wallet), ...tokenOf(row.token) })),
  }
}

/** Ids of all alerts of a watch on an address but arrivals of actors: every event and trade of the log is held against it, nothing is indexed or kept. */
export function expectedIds({ events, trades }: ReturnType<typeof readMarket>, watch: WatchRow): string[] {
  const { kind, target } = watch
  const found = new Set<string>()
  const add = (event: AlertEvent, key: string): void => void found.add(alertId(watch.id, event, key))
  const isOn = ({ mint, deployer }: { mint: string; deployer: string }): boolean =>
    (kind === 'token' && mint === target) || (kind === 'deployer' && deployer === target)
  for (const { row, ...token } of events) {
    const event = TOKEN_EVENTS[row.kind]
    if (
      row.seq >= watch.from_event! &&
      event !== undefined &&
      isOn(token) &&
      !(kind === 'deployer' && event === 'colour_changed')
    )
      add(event, `event ${row.slot} ${row.seq}`)
  }
  for (const { row, trader, ...about } of trades) {
    if (row.no < watch.from_trade!) continue
    const key = `trade ${row.slot} ${row.no}`
    const isLarge = row.lamports >= watch.min_lamports
    if (isLarge && kind === 'wallet' && trader === target) add(row.isBuy ? 'bought' : 'sold', key)
    if (!isOn(about)) continue
    if (isLarge && !row.isBuy) {
      if (trader === about.deployer) add('deployer_sold', key)
      else if (row.group >= 0 && kind === 'token') add('group_sold', key)
    }
    const { id, drainedSlot, ruggedSlot } = about.token
    for (const [event, slot] of [
      ['drained', drainedSlot],
      ['rugged', ruggedSlot],
    ] as const) {
      if (slot >= watch.from_slot! && slot <= row.slot) add(event, `${event} ${id} ${slot}`)
    }
  }
  return [...found]
}

/** Names of actors in a token, and all the numbers that lead to the same actor. */
type Named = readonly { readonly key: string; readonly slot: number; readonly same: ReadonlySet<number> }[]

/**
 * The slow second implementation of arrivals. Who an actor is becomes known with time, so a worker that lags may report more
 * than one that is asked after each commit: what both have to report, and what either may.
 */
export function createArrivals() {
  const must = new Map<number, Named>()
  const may = new Map<number, Named>()

  const namesIn = ({ store }: Folder, id: number, until: number, same: (actor: number) => Set<number>): Named =>
    store
      .token(id)!
      .actors.flatMap(({ actor, slot }) =>
        slot > until ? [] : [{ key: `actor ${actor} ${id}`, slot, same: same(actor) }],
      )

  /** By the last slot of each token since these rows. */
  function look(of: Map<number, Named>, folder: Folder, trade: number, event: number): void {
    const { store } = folder
    const last = new Map<number, number>()
    for (const { token, slot } of [...store.trades(trade), ...store.tokenEvents(event)])
      last.set(token, Math.max(slot, last.get(token) ?? 0))
    const roots = Array.from({ length: store.entries().actors! }, (_, id) => {
      let at = id
      for (let next = id; next >= 0; next = store.actor(at)!.mergedInto) at = next
      return at
    })
    const same = (actor: number): Set<number> =>
      new Set(roots.flatMap((root, id) => (root === roots[actor] ? [id] : [])))
    for (const [id, until] of last) of.set(id, namesIn(folder, id, until, same))
  }

  function idsOf(from: ReadonlyMap<number, Named>, { store }: Folder, watch: WatchRow): Set<string> {
    const keys: string[] = []
    for (const [id, names] of from) {
      for (const { key, slot, same } of names) {
        if (slot < watch.from_slot!) continue
        if (watch.kind === 'token' && keyToBase58(store.token(id)!.mint) === watch.target) keys.push(key)
        if (watch.kind === 'actor' && same.has(Number(watch.target))) keys.push(`actor in ${id}`)
      }
    }
    return new Set(keys.map((key) => alertId(watch.id, 'actor_arrived', key)))
  }

  return {
    /** after a commit: rows before it */
    committed: (folder: Folder, trade: number, event: number) => look(must, folder, trade, event),
    /** `alerts` of a watch: each arrival that had to come, none that may not */
    check(folder: Folder, watch: WatchRow, alerts: readonly Alert[]): void {
      if (may.size === 0) look(may, folder, 0, 0)
      const got = new Set(alerts.flatMap(({ event, id }) => (event === 'actor_arrived' ? [id] : [])))
      const allowed = idsOf(may, folder, watch)
      for (const id of idsOf(must, folder, watch)) assert.ok(got.has(id), `an arrival of ${watch.target} is missing`)
      for (const id of got) assert.ok(allowed.has(id), `an arrival of ${watch.target} was none`)
    },
  }
}

/**
 * What is asked as of the newest block, so that a worker that lags may come to something else: actors, and the end of a token that others
 * have taken over since.
 */
export function isAsOfNewest({ event, mint, slot }: Alert, { takenOver }: ReturnType<typeof readMarket>): boolean {
  if (event === 'drained' || event === 'rugged') return slot <= takenOver(mint!)
  return event === 'actor_arrived'
}

/**
 * Of the tokens that could meet a condition, those that had to, and those that may have: what a watch has to report, and all that it
 * may report. `replayed` is empty and folds the entries in commits of `group`; `onCommit` gets
 * the first trade and token event of each.
 */
export function conditionIds(
  whole: Folder,
  entries: readonly Buffer[],
  replayed: Folder,
  group: number,
  onCommit: (trade: number, event: number) => void = () => {},
) {
  const may = new Map<string, Set<number>>()
  const lastHeld = new Map<string, Set<number>>()
  const last = new Map<number, number>()
  for (const row of whole.store.trades(0)) last.set(row.token, row.no)
  for (const { text } of CONDITIONS) {
    may.set(text, new Set())
    lastHeld.set(text, new Set())
  }
  for (let at = 0; at < entries.length; at += group) {
    const { nextTrade: first, tokenEvents } = replayed.engine.globals
    replayed.fold(entries.slice(at, at + group), group)
    onCommit(first, tokenEvents + 1)
    const end = replayed.engine.globals.nextTrade
    for (let id = 0; id < replayed.engine.globals.nextToken; id++) {
      const token = replayed.engine.tokens.peekId(id)?.token ?? replayed.store.token(id)!
      if (!token.createdKnown) continue
      for (const { text, holds } of CONDITIONS) {
        if (!holds(token)) continue
        may.get(text)!.add(id)
        const no = last.get(id) ?? -1
        if (no >= first && no < end) lastHeld.get(text)!.add(id)
      }
    }
  }
  const must = (text: string, watch: WatchRow): string[] =>
    [...lastHeld.get(text)!]
      .filter((id) => last.get(id)! >= watch.from_trade!)
      .filter((id) => CONDITIONS.find((one) => one.text === text)!.holds(whole.store.token(id)!))
      .map((id) => alertId(watch.id, 'condition_met', `token ${id}`))
  const allowed = (text: string, watch: WatchRow): Set<string> =>
    new Set([...may.get(text)!].map((id) => alertId(watch.id, 'condition_met', `token ${id}`)))
  return { must, allowed }
}

export type Failure = 'before' | 'after'

/** Statements that fail where chance says: before the database sees them, or after it has carried them out. */
export function failingDatabase(database: Database, fails: () => Failure | null): Database {
  const plugin: KyselyPlugin = {
    transformQuery({ node }) {
      if (fails() === 'before') throw new Error('killed: the connection broke')
      return node
    },
    async transformResult({ result }) {
      if (fails() === 'after') throw new Error('killed: the connection broke, the answer is lost')
      return result
    },
  }
  return { ...database, sql: database.sql.withPlugin(plugin) }
}

/** The same for whole calls: the transaction was never begun, or it was committed and nobody heard of it. */
export function failingLedger(ledger: WorkerStore, fails: () => Failure | null): WorkerStore {
  const guard =
    <Args extends unknown[], Result>(work: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      const how = fails()
      if (how === 'before') throw new Error('killed before')
      const result = await work(...args)
      if (how === 'after') throw new Error('killed after')
      return result
    }
  const { version, take, load, known, write, leave } = ledger
  return {
    ...{ version: guard(version), take: guard(take), load: guard(load) },
    ...{ known: guard(known), write: guard(write), leave },
  }
}
