/** `held` until it is given back; counted for `a minute`; `kept` as rows of the database of accounts */
type How = 'held' | 'a minute' | 'kept'

/** A resource that callers take from each other. */
export interface Resource {
  readonly how: How
  readonly cost: string
  /** the most that all callers on Pro may take together, and all others: a free account or a visitor never takes from the first */
  readonly pool: { readonly pro: number; readonly free: number }
  /** the most of one taker: a Pro key (for rows its account), a free account, an address (IPv6: its /64) and a /48. Who pays is not
   * counted by address. null: only accounts take it */
  readonly share: {
    readonly pro: number
    readonly free: number
    readonly address: number | null
    readonly network: number | null
  }
}

/**
 * Everything that strangers and paying callers share, except the processor. A pool of free callers is a part that the service can
 * lose without harm; a share is what an honest taker needs, several times.
 */
export const SHARED = {
  sockets: {
    how: 'held',
    cost: '20 kB and a descriptor',
    pool: { pro: 8_000, free: 2_000 },
    share: { pro: 50, free: 10, address: 20, network: 80 },
  },
  joins: {
    how: 'a minute',
    cost: '0.2 ms, and what a resume reads',
    pool: { pro: 60_000, free: 6_000 },
    share: { pro: 600, free: 60, address: 120, network: 480 },
  },
  filters: {
    how: 'held',
    cost: '0.2 µs a message; equal ones are one',
    pool: { pro: 400, free: 100 },
    share: { pro: 20, free: 4, address: 4, network: 16 },
  },
  readings: {
    how: 'held',
    cost: 'up to 1 s of the state’s thread',
    pool: { pro: 192, free: 64 },
    share: { pro: 64, free: 8, address: 16, network: 32 },
  },
  batches: {
    how: 'held',
    cost: 'up to 50 readings',
    pool: { pro: 32, free: 8 },
    share: { pro: 8, free: 2, address: 2, network: 4 },
  },
  documents: {
    how: 'a minute',
    cost: '0.1 ms; one for each 64 kB',
    pool: { pro: 0, free: 60_000 },
    share: { pro: 0, free: 600, address: 600, network: 2_400 },
  },
  previews: {
    how: 'a minute',
    cost: 'a reading, for the head or the picture of a link',
    pool: { pro: 0, free: 6_000 },
    share: { pro: 0, free: 120, address: 120, network: 480 },
  },
  pictures: {
    how: 'held',
    cost: '30 to 100 ms of another thread',
    pool: { pro: 0, free: 16 },
    share: { pro: 0, free: 4, address: 4, network: 8 },
  },
  watches: {
    how: 'kept',
    cost: '600 bytes of the alerts’ index',
    pool: { pro: 80_000, free: 20_000 },
    share: { pro: 1_000, free: 10, address: null, network: null },
  },
  conditions: {
    how: 'kept',
    cost: 'a kilobyte of memory; all of them share a hundredth of the time',
    pool: { pro: 80_000, free: 5_000 },
    share: { pro: 1_000, free: 10, address: null, network: null },
  },
  alerts: {
    how: 'kept',
    cost: '600 bytes on disk; the oldest of the account make room',
    pool: { pro: 1_600_000, free: 400_000 },
    share: { pro: 10_000, free: 1_000, address: null, network: null },
  },
  destinations: {
    how: 'kept',
    cost: '200 kB on disk with all that is kept',
    pool: { pro: 8_000, free: 2_000 },
    share: { pro: 10, free: 2, address: null, network: null },
  },
  webhooks: {
    how: 'held',
    cost: 'a connection for up to 15 s; one at a time for each destination',
    pool: { pro: 64, free: 64 },
    share: { pro: 10, free: 2, address: null, network: null },
  },
  webhooks_failing: {
    how: 'held',
    cost: 'the same, where the last attempt failed',
    pool: { pro: 16, free: 16 },
    share: { pro: 4, free: 2, address: null, network: null },
  },
  webhooks_new: {
    how: 'held',
    cost: 'the same, where nothing was delivered yet',
    pool: { pro: 16, free: 16 },
    share: { pro: 4, free: 2, address: null, network: null },
  },
  chats: {
    how: 'held',
    cost: 'a request to a chat service, for up to 15 s',
    pool: { pro: 64, free: 64 },
    share: { pro: 10, free: 2, address: null, network: null },
  },
  chats_failing: {
    how: 'held',
    cost: 'the same, where the last attempt failed',
    pool: { pro: 16, free: 16 },
    share: { pro: 4, free: 2, address: null, network: null },
  },
  chats_new: {
    how: 'held',
    cost: 'the same, where nothing was delivered yet',
    pool: { pro: 16, free: 16 },
    share: { pro: 4, free: 2, address: null, network: null },
  },
} satisfies Readonly<Record<string, Resource>>

/** The table where only so many sockets may be open: the pools keep their proportion. */
export function tableFor(sockets: number) {
  const { pro, free } = SHARED.sockets.pool
  const share = Math.min(1, sockets / (pro + free))
  const pool = { pro: Math.floor(pro * share), free: Math.floor(free * share) }
  return { ...SHARED, sockets: { ...SHARED.sockets, pool } }
}
