import type { Topic } from '@ti/core/contract/streams.ts'
import type { Stream, StreamMessage } from '@ti/core/query/streams.ts'
import type { Peer } from '../base/peer.ts'
import type { Entry, StateCalls } from './state-calls.ts'

/** A topic of the state in the faces' thread: the messages that came with commits, until they are read. Others are asked for. */
export function createTopicCopy(topic: Topic) {
  /** in order, without gaps; the state sends no more than it may have ahead of `taken` */
  let fresh: readonly StreamMessage[] = []
  let isFollowed = false
  /** the newest message that was read while it was followed */
  let taken = 0
  return {
    take(messages: readonly StreamMessage[]): void {
      if (messages.length === 0 || !isFollowed) return
      const isNext = fresh.length > 0 && fresh.at(-1)!.seq + 1 === messages[0]!.seq
      fresh = isNext ? [...fresh, ...messages] : messages
    },
    stream: (state: Pick<Peer<StateCalls>, 'call' | 'tell'>, place: () => Entry['topics'][Topic]): Stream => ({
      newest: () => place().newest,
      oldest: () => place().oldest,
      read(after, limit) {
        const at = fresh.length === 0 ? -1 : after + 1 - fresh[0]!.seq
        if (at < 0 || at >= fresh.length) return state.call('read', topic, after, limit)
        const messages = fresh.slice(at, at + limit)
        if (after > taken) {
          taken = after
          fresh = fresh.slice(at)
          state.tell('follow', topic, taken)
        }
        return messages
      },
      follow(after) {
        isFollowed = after !== null
        taken = after ?? 0
        fresh = []
        state.tell('follow', topic, after)
      },
    }),
  }
}
