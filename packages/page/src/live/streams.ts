import type { Frame, TokenEvent } from '@ti/core/contract/streams.ts'
import { useEffect, useEffectEvent, useSyncExternalStore } from 'react'
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

interface OwnHearers {
  onAlert(payload: unknown): void
  /** from now on alerts are heard */
  onJoin(): void
}

/** Calls with every alert of the account, while `on`; true while the service sends them. */
export function useOwnAlerts(on: boolean, { onAlert, onJoin }: OwnHearers): boolean {
  const heard = useEffectEvent(onAlert)
  const began = useEffectEvent(onJoin)
  const joined = useSyncExternalStore(feed.onLink, () => feed.joined('alerts:mine'))
  useEffect(() => (on ? feed.listen('alerts:mine', (payload) => heard(payload)) : undefined), [on])
  useEffect(() => {
    if (joined) began()
  }, [joined])
  return joined
}

const useLink = (): Link => useSyncExternalStore(feed.onLink, feed.link, feed.link)

/** How the socket is, without listening to anything; null while nobody listens. */
export const useStanding = (): Link | null => useSyncExternalStore(feed.onLink, standing, standing)

const standing = (): Link | null => (feed.listening() ? feed.link() : null)
