import { useEffect, useEffectEvent, useSyncExternalStore } from 'react'
import type { Frame, TokenEvent } from '../../../src/contract/streams.ts'
import { createFeed, type Feed, type Link } from './feed.ts'

export type { Link } from './feed.ts'

/** One socket for the page; a topic is joined while somebody listens to it. */
const feed: Feed = createFeed()

/** Calls with every trade of every token, in order, each once. */
export function useFrames(onFrame: (frame: Frame) => void): Link {
  const heard = useEffectEvent(onFrame)
  useEffect(() => feed.listen('frames:live', (payload) => heard(payload as Frame)), [])
  return useLink()
}

/** Calls with every event of every token, in order, each once. */
export function useTokenEvents(onEvent: (event: TokenEvent) => void): Link {
  const heard = useEffectEvent(onEvent)
  useEffect(() => feed.listen('tokens:live', (payload) => heard(payload as TokenEvent)), [])
  return useLink()
}

const useLink = (): Link => useSyncExternalStore(feed.onLink, feed.link)

/** How the socket is, without listening to anything; null while nobody listens. */
export const useStanding = (): Link | null =>
  useSyncExternalStore(feed.onLink, () => (feed.listening() ? feed.link() : null))
