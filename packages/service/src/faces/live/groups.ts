import type { Filter } from '@ti/core/contract/filter.ts'
import type { PublicTopic } from '@ti/core/contract/streams.ts'
import type { Shared } from '../../access/shared/shared.ts'
import type { Version } from './codec.ts'
import type { Reader } from './hub.ts'

/** The encoding of messages: a socket's serializer version, or server-sent events. */
export type Wire = Version | 'events'
export const WIRES = [2, 1, 'events'] as const

export type Followers = Record<Wire, Set<Reader>>

/** Readers of a topic of this name with the same filter. */
interface Group {
  readonly topic: PublicTopic
  readonly filter: Filter
  readonly live: Followers
  /** live and resuming readers */
  readers: number
  /** counts for the taker who brought the filter, until its last reader has left */
  readonly release: () => void
}

/** Who follows a source of messages. */
export interface Following {
  /** readers without a filter */
  readonly live: Followers
  /** by `groupName` */
  readonly groups: Map<string, Group>
}

export const nobody = (): Followers => ({ 1: new Set(), 2: new Set(), events: new Set() })

export const groupName = ({ topic, filter }: Pick<Group, 'topic' | 'filter'>): string => `${topic} ${filter.text}`

const groupOf = ({ groups }: Following, { topic, filter }: Reader): Group | undefined =>
  filter && groups.get(groupName({ topic, filter }))

export function joinGroup(following: Following, reader: Reader, shared: Shared): void {
  const { topic, filter, taker } = reader
  if (filter === undefined) return
  const group = groupOf(following, reader)
  if (group !== undefined) group.readers++
  else {
    const place = taker && shared.take('filters', taker)
    const made = { topic, filter, live: nobody(), readers: 1, release: place?.ok ? place.release : () => {} }
    following.groups.set(groupName(made), made)
  }
}

export function forgetGroup(following: Following, reader: Reader): void {
  const group = groupOf(following, reader)
  if (group === undefined || --group.readers > 0) return
  following.groups.delete(groupName(group))
  group.release()
}

/** The set of live readers to which a reader belongs. */
export const liveOf = (following: Following, reader: Reader): Followers =>
  reader.filter === undefined ? following.live : (groupOf(following, reader)?.live ?? nobody())

const followers = (live: Followers): number => live[1].size + live[2].size + live.events.size

export function followersOf({ live, groups }: Following): number {
  let sum = followers(live)
  for (const group of groups.values()) sum += followers(group.live)
  return sum
}
