import type { Metrics } from '../../base/metrics.ts'
import type { KeyCheck, Plan } from '../keys.ts'
import { networkOf } from '../rate-limits/client-address.ts'
import { type Resource, SHARED } from './table.ts'

export type ResourceName = keyof typeof SHARED
/** rows of the database of accounts */
export type KeptName = 'watches' | 'conditions' | 'alerts' | 'destinations'
export type SharedTable = Readonly<Record<ResourceName, Resource>>

type KeyFound = Extract<KeyCheck, { ok: true }>

/** Whom a share belongs to. `id` is the key on Pro, the account on the free plan, and empty for a visitor without an account. */
export interface Taker {
  readonly plan: Plan
  readonly id: string
  /** the address in the form of rate limits; empty: not counted by address */
  readonly address: string
}

/** A Pro key has shares of its own, because it is what the specification's limits are for; free keys share those of their account. */
export const takerOfKey = ({ plan, id, account }: KeyFound, address: string): Taker => ({
  plan,
  id: plan === 'pro' ? id : account,
  address,
})

export const visitorAt = (address: string): Taker => ({ plan: 'free', id: '', address })

/** a class of callers, all that metrics say of a taker */
const CLASSES = ['pro', 'free', 'visitor'] as const
type Class = (typeof CLASSES)[number]

/** the part of a resource that has no room left */
type Full = 'pool' | 'account' | 'address' | 'network'

export interface Refused {
  readonly ok: false
  readonly full: Full
  readonly retryAfterS: number
}

export type Taken = { readonly ok: true; release(): void } | Refused

/** The one place that admits to what callers share, by the table in `table.ts`. */
export interface Shared {
  /** Takes units of a resource, until they are given back or for the rest of the minute; all of them or none. */
  take(name: ResourceName, taker: Taker, units?: number): Taken
  /** true if `take` would succeed; otherwise this counts as a refusal */
  fits(name: ResourceName, taker: Taker, units?: number): boolean
  /** Admits one more row of an account that has `own` of them; returns the message of a refusal. */
  keep(name: KeptName, account: { readonly plan: Plan; readonly own: number }): string | null
  /** all rows, as they were last counted */
  counted(name: KeptName, used: Resource['pool']): void
  usage(): Readonly<Record<ResourceName, Usage>>
}

interface Usage {
  readonly used: Readonly<Record<Class, number>>
  readonly most: Resource['pool']
}

const MINUTE_MS = 60_000
/** seconds until what is held may be free again: half a heartbeat of a socket, and readings take less */
const HELD_RETRY_S = { sockets: 60, filters: 60 } as const satisfies Partial<Record<ResourceName, number>>

/** What is taken now, or in this minute. A share has an entry only while something of it is taken, so the pools bound their number. */
interface Tally {
  readonly used: Record<Class, number>
  readonly refused: Record<Class, number>
  readonly shares: Map<string, number>
  sinceMs: number
}

const none = (): Record<Class, number> => ({ pro: 0, free: 0, visitor: 0 })
const classOf = ({ plan, id }: Taker): Class => (plan === 'pro' ? 'pro' : id === '' ? 'visitor' : 'free')
const NOTHING = (): void => {}

interface SharedOptions {
  readonly table?: SharedTable
  /** monotonic milliseconds */
  readonly now?: () => number
  readonly metrics?: Metrics
}

export function createShared({ table = SHARED, now = () => performance.now(), metrics }: SharedOptions = {}): Shared {
  const names = Object.keys(table) as ResourceName[]
  const tallies = Object.fromEntries(
    names.map((name) => [name, { used: none(), refused: none(), shares: new Map(), sinceMs: now() }]),
  ) as Record<ResourceName, Tally>

  function tallyOf(name: ResourceName): Tally {
    const tally = tallies[name]
    if (table[name].how !== 'a minute' || now() - tally.sinceMs < MINUTE_MS) return tally
    tally.sinceMs = now()
    tally.shares.clear()
    Object.assign(tally.used, none())
    return tally
  }

  /** A share is looked at before the pool, so that a taker is told what concerns only it. */
  function fullPart(name: ResourceName, { plan, id, address }: Taker, units: number): Full | null {
    const { share, pool } = table[name]
    const { shares, used } = tallyOf(name)
    if (id !== '' && (shares.get(id) ?? 0) + units > share[plan]) return 'account'
    if (plan === 'pro') return used.pro + units > pool.pro ? 'pool' : null
    if (address !== '' && share.address !== null && (shares.get(address) ?? 0) + units > share.address) return 'address'
    const network = networkOf(address)
    if (network !== null && share.network !== null && (shares.get(network) ?? 0) + units > share.network) {
      return 'network'
    }
    return used.free + used.visitor + units > pool.free ? 'pool' : null
  }

  function refusal(name: ResourceName, taker: Taker, units: number): Full | null {
    const full = fullPart(name, taker, units)
    if (full !== null) tallies[name].refused[classOf(taker)]++
    return full
  }

  function add(name: ResourceName, taker: Taker, units: number): void {
    const { shares, used } = tallies[name]
    used[classOf(taker)] += units
    const { plan, id, address } = taker
    for (const subject of plan === 'pro' ? [id] : [id, address, networkOf(address) ?? '']) {
      if (subject === '') continue
      const left = (shares.get(subject) ?? 0) + units
      if (left === 0) shares.delete(subject)
      else shares.set(subject, left)
    }
  }

  function retryAfterS(name: ResourceName): number {
    if (table[name].how !== 'a minute') return (HELD_RETRY_S as Partial<Record<ResourceName, number>>)[name] ?? 1
    return Math.max(1, Math.ceil((tallies[name].sinceMs + MINUTE_MS - now()) / 1_000))
  }

  const shared: Shared = {
    take(name, taker, units = 1) {
      const full = refusal(name, taker, units)
      if (full !== null) return { ok: false, full, retryAfterS: retryAfterS(name) }
      add(name, taker, units)
      if (table[name].how === 'a minute') return { ok: true, release: NOTHING }
      let isReleased = false
      return {
        ok: true,
        release() {
          if (isReleased) return
          isReleased = true
          add(name, taker, -units)
        },
      }
    },
    fits: (name, taker, units = 1) => refusal(name, taker, units) === null,
    keep(name, { plan, own }) {
      const { share, pool } = table[name]
      const { used, refused } = tallies[name]
      const isOver = own >= share[plan]
      if (!isOver && used[plan] < pool[plan]) {
        used[plan]++
        return null
      }
      refused[plan]++
      if (!isOver) return `no more ${name} are available on the ${plan} plan right now`
      return `an account may have ${share[plan]} ${name} on the ${plan} plan: delete one first`
    },
    counted: (name, used) => void Object.assign(tallies[name].used, used),
    usage: () =>
      Object.fromEntries(
        names.map((name) => [name, { used: { ...tallyOf(name).used }, most: table[name].pool }]),
      ) as unknown as Record<ResourceName, Usage>,
  }
  if (metrics !== undefined) showShared(metrics, shared, tallies)
  return shared
}

function showShared(metrics: Metrics, { usage }: Shared, tallies: Readonly<Record<ResourceName, Tally>>): void {
  metrics.gauge('ti_shared_used', 'taken of a resource, by class of caller', ['resource', 'class'], function* () {
    for (const [resource, { used }] of Object.entries(usage())) {
      for (const of of CLASSES) yield { labels: { resource, class: of }, value: used[of] }
    }
  })
  metrics.gauge('ti_shared_most', 'size of the pools of a resource', ['resource', 'pool'], function* () {
    for (const [resource, { most }] of Object.entries(usage())) {
      for (const [pool, value] of Object.entries(most)) yield { labels: { resource, pool }, value }
    }
  })
  metrics.counter('ti_shared_refused_total', 'refusals, by class of caller', ['resource', 'class'], function* () {
    for (const [resource, { refused }] of Object.entries(tallies)) {
      for (const of of CLASSES) yield { labels: { resource, class: of }, value: refused[of] }
    }
  })
}
