import { OWN_TOPIC } from '@ti/core/contract/streams.ts'
import { type AlertReader, alertJson } from '../../alerts/alert.ts'
import { createPoller } from '../../base/poller.ts'
import type { LiveBounds } from './bounds.ts'
import { bytesOf, type Reader } from './hub.ts'

/** A subscription to the alerts of its account. */
export type OwnReader = Omit<Reader, 'topic' | 'filter'>

interface OwnTopicOptions {
  readonly alerts: AlertReader
  readonly bounds: Pick<LiveBounds, 'replayUnreadBytes' | 'replayChunk' | 'ownLookMs'>
  /** alerts could not be read; the read is retried */
  readonly onTrouble: (error: unknown) => void
}

/**
 * Hands each account's alerts to the readers of that account. Each reader has its own position, and its backlog is read from
 * the database, for live and resuming readers alike. Accounts without a reader cost nothing.
 */
export type OwnTopic = ReturnType<typeof createOwnTopic>

interface Followed {
  /** readers, with the place of the last alert each has received */
  readonly places: Map<OwnReader, number>
  /** readers that have just come, with the seq after which they continue */
  readonly comers: Map<OwnReader, number>
  /** place of the newest known alert */
  newest: number
}

export function createOwnTopic({ alerts, bounds, onTrouble }: OwnTopicOptions) {
  const accounts = new Map<string, Followed>()
  const accountOf = new Map<OwnReader, string>()
  const heard = new Set<string>()

  /** Sends one page to each reader that has room and needs it; false: no reader with room is behind. */
  async function page(account: string, followed: Followed): Promise<boolean> {
    const { places } = followed
    const able = [...places].filter(([reader]) => reader.unread() <= bounds.replayUnreadBytes)
    const from = Math.min(...able.map(([, has]) => has))
    if (able.length === 0 || from >= followed.newest) return false
    const found = await alerts.after(account, from, bounds.replayChunk)
    if (found.length === 0) return false
    const messages = found.map((alert) => {
      const payload = JSON.stringify({ data: alertJson(alert) })
      return { seq: alert.seq, place: alert.place, payload, time: alert.at / 1_000 }
    })
    for (const [reader] of able) {
      const has = places.get(reader)
      const own = has === undefined ? [] : messages.filter(({ place }) => place > has)
      if (has === undefined || own.length === 0) continue
      if (own[0]!.place !== has + 1) {
        // the alerts between are no longer retained
        remove(reader)
        reader.lost()
        continue
      }
      places.set(reader, own.at(-1)!.place)
      reader.write(bytesOf(OWN_TOPIC, reader.wire, reader.pushRef, own), own.length)
    }
    return true
  }

  async function settle(account: string, { places, comers }: Followed): Promise<void> {
    for (const [reader, after] of comers) {
      const place = await alerts.placeOf(account, after)
      if (comers.delete(reader)) places.set(reader, place)
    }
  }

  /** Reads the newest place of each account in one query, then the new alerts, account by account. */
  async function look(): Promise<void> {
    if (accounts.size === 0) return
    const names = heard.size > 0 ? [...heard].filter((account) => accounts.has(account)) : [...accounts.keys()]
    heard.clear()
    for (const [account, newest] of await alerts.heads(names)) {
      const followed = accounts.get(account)
      if (followed === undefined) continue
      await settle(account, followed)
      followed.newest = newest
      while (await page(account, followed));
    }
  }
  const poller = createPoller({ what: 'alerts:mine', everyMs: bounds.ownLookMs, run: look, onError: onTrouble })

  function remove(reader: OwnReader): void {
    const account = accountOf.get(reader)
    if (account === undefined) return
    accountOf.delete(reader)
    const { places, comers } = accounts.get(account)!
    places.delete(reader)
    comers.delete(reader)
    if (places.size + comers.size === 0) accounts.delete(account)
  }

  const stop = alerts.listen((account) => {
    if (!accounts.has(account)) return
    heard.add(account)
    poller.wake()
  })

  return {
    /** reads an account's position from the database and rejects if that fails */
    position: alerts.range,
    /** adds a reader, which gets everything after `after` */
    add(account: string, reader: OwnReader, after: number): void {
      const followed = accounts.get(account) ?? { places: new Map(), comers: new Map(), newest: 0 }
      followed.comers.set(reader, after)
      accounts.set(account, followed)
      accountOf.set(reader, account)
      heard.add(account)
      poller.wake()
    },
    remove,
    /** called when a socket has room again; alerts from other nodes are also polled after some time */
    wake: poller.wake,
    get readers(): number {
      return accountOf.size
    },
    close(): void {
      stop()
      void poller.stop()
    },
  }
}
