import assert from 'node:assert/strict'
import type { Database } from '@ti/service/access/sql/database.ts'
import type { Alert } from '@ti/service/alerts/alert.ts'
import { createDestinationBook } from '@ti/service/alerts/delivery/destinations.ts'
import { signatures } from '@ti/service/alerts/delivery/secret.ts'
import { createAlertStore, createWatchBook } from '@ti/service/alerts/watches.ts'
import type { Received } from '../support/delivery-scene.ts'
import { eventually } from '../support/wait.ts'
import { expectedIds, type readMarket } from '../support/watchers.ts'
import type { AlertsWorld } from './alerts-world.ts'

/** A webhook of an account. */
interface Hook {
  readonly account: string
  readonly destination: string
  readonly path: string
  readonly secret: Uint8Array
}

/** A chat that hears of one watch. */
interface Chat {
  readonly watch: string
  readonly destination: string
  /** messages that were no alerts */
  readonly greetings: number
  /** newest alert of its account before it was linked, and when it was seen to be: what is made in between may have come before */
  readonly from: { readonly least: number; readonly most: number }
}

/** What was being sent when a node or the database died, and how often: `destination alert`. */
export type InDoubt = Map<string, number>

const CHAT = 4711
/** alerts that a chat is sent at most: it takes one a second */
const CHAT_ALERTS = 20

const destinationsOf = (database: Database) =>
  createDestinationBook(database, {
    ...{
      now: Date.now,
      outbound: { refusalOf: async () => null, loopback: false },
      reader: createAlertStore(database),
      telegram: true,
    },
  })

/** One for each account. */
export async function makeHooks(database: Database, accounts: readonly string[]): Promise<readonly Hook[]> {
  const book = destinationsOf(database)
  const hooks: Hook[] = []
  for (const [n, account] of accounts.entries()) {
    const path = `/hook-${n}`
    const asked = { kind: 'webhook', name: `hook ${n}`, url: `https://secure.example${path}` } as const
    const made = await book.add(account, 'free', asked)
    assert.ok(made.ok)
    hooks.push({ account, destination: made.destination.id, path, secret: made.destination.secret! })
  }
  return hooks
}

/** A chat is linked by its code, which goes through Telegram to a node. */
export async function linkChat(
  { telegram, database }: AlertsWorld,
  market: ReturnType<typeof readMarket>,
  account: string,
): Promise<Chat> {
  const watches = await createWatchBook(database, { now: Date.now }).list(account)
  const all = { from_trade: 0, from_event: 0, from_slot: 0 }
  const busiest = watches
    .filter(({ kind }) => kind !== 'condition')
    .map((watch) => ({ id: watch.id, count: expectedIds(market, { ...watch, ...all }).length }))
    .filter(({ count }) => count <= CHAT_ALERTS)
    .sort((a, b) => b.count - a.count)[0]!
  const book = destinationsOf(database)
  const made = await book.add(account, 'free', { kind: 'telegram', name: 'chat', watches: [busiest.id] })
  assert.ok(made.ok)
  const head = async (): Promise<number> => (await createAlertStore(database).heads([account])).get(account) ?? 0
  const least = await head()
  const message = { chat: { id: CHAT, type: 'private' }, from: { id: 7 }, text: `/start ${made.link!.code}` }
  telegram.update({ message })
  await eventually('the chat is linked, and has heard so', async () => {
    const rows = await book.list(account)
    return rows.some(({ address }) => address === String(CHAT)) && telegram.texts(CHAT).length > 0
  })
  return { watch: busiest.id, destination: made.destination.id, greetings: 1, from: { least, most: await head() } }
}

/**
 * Every alert arrived at the webhook of its account, signed, and more than once only where it was in doubt as often; how many were
 * repeated.
 */
export function checkHooks(
  hooks: readonly Hook[],
  received: readonly Received[],
  alerts: readonly Alert[],
  inDoubt: InDoubt,
): number {
  let repeated = 0
  for (const { account, destination, path, secret } of hooks) {
    const times = new Map<string, number>()
    for (const { headers, body } of received.filter((one) => one.path === path)) {
      const id = headers['webhook-id']!
      const signed = { id, timestamp: Number(headers['webhook-timestamp']), body }
      assert.equal(headers['webhook-signature'], signatures(signed, [secret]))
      times.set(id, (times.get(id) ?? 0) + 1)
    }
    const own = alerts.filter((alert) => alert.account === account).map(({ id }) => id)
    assert.deepEqual([...times.keys()].sort(), own.sort())
    for (const [id, count] of times) {
      const doubts = inDoubt.get(`${destination} ${id}`) ?? 0
      assert.ok(count <= 1 + doubts, `${id} arrived ${count} times, and was in doubt ${doubts} times`)
      repeated += count - 1
    }
  }
  return repeated
}

/** The chat has every alert of its watch since it was linked, and no more than were in doubt twice. */
export function checkChat(
  { telegram }: AlertsWorld,
  { watch, destination, greetings, from }: Chat,
  alerts: readonly Alert[],
  inDoubt: InDoubt,
): void {
  const own = alerts.filter((alert) => alert.watch.id === watch)
  const [must, may] = [from.most, from.least].map((last) => own.filter(({ place }) => place > last).length)
  const texts = telegram.texts(CHAT).length - greetings
  const doubts = [...inDoubt].reduce((sum, [key, count]) => sum + (key.startsWith(destination) ? count : 0), 0)
  const seen = `${texts} messages of ${must} to ${may} alerts, ${doubts} in doubt`
  assert.ok(must! > 0 && texts >= must! && texts <= may! + doubts, seen)
}
