import { MessageChannel } from 'node:worker_threads'
import { perTopic, TOPICS, type Topic } from '@ti/core/contract/streams.ts'
import type { Streams } from '@ti/core/query/streams.ts'
import { createPeer } from '@ti/service/base/peer.ts'
import { BROADCAST, createBroadcast } from '@ti/service/service/broadcast.ts'
import type { Entry, FaceCalls, StateCalls } from '@ti/service/service/state-calls.ts'
import { createTopicCopy } from '@ti/service/service/topic-copy.ts'
import { turn } from './live-paper.ts'
import type { FakeStreams } from './live-service.ts'

const HEAD = {
  globals: { chain: '', firstSlot: 1, time: 1, seq: 1, slot: 1 },
  progress: { ended: false, blockMs: 0, failed: false },
}

/** Topics as another thread has them: all that is said goes through the messages of two ports. */
export async function remoteStreams({ streams }: FakeStreams, ahead: number = BROADCAST.ahead) {
  const { port1, port2 } = new MessageChannel()
  const copies = perTopic(createTopicCopy)
  let entry: Entry | null = null
  let then = (): void => {}
  const state = createPeer<StateCalls>(port1, {
    committed(news: Entry) {
      entry = news
      for (const topic of TOPICS) copies[topic].take(news.messages[topic] ?? [])
      then()
    },
  } satisfies Partial<FaceCalls>)
  const own: Partial<StateCalls> = {}
  const faces = createPeer<FaceCalls>(port2, own as StateCalls)
  const broadcast = createBroadcast({ streams, entry: () => HEAD, faces, bounds: { ...BROADCAST, ahead } })
  Object.assign(own, { read: broadcast.read, follow: broadcast.follow } satisfies Record<string, unknown>)
  const copyOf = (topic: Topic) => copies[topic].stream(state, () => entry!.topics[topic])
  broadcast.commit()
  while (entry === null) await turn()
  return {
    streams: perTopic(copyOf) satisfies Streams,
    commit: broadcast.commit,
    onCommit(call: () => void) {
      then = call
    },
    close: () => port1.close(),
  }
}
