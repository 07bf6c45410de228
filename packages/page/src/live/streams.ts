import type { Frame, TokenEvent } from '@ti/core/contract/streams.ts'
import { useEffect, useEffectEvent, useSyncExternalStore } from 'react'
import { createFeed, type Feed, type Link } from './feed.ts'

export type { Link } from './feed.ts'

/** The page has one socket; a topic is joined while it has a listener. */
const feed: Feed = createFeed()

/** Calls `onFrame` with every trade of every token, in order, each once. */
export function useFrames(onFrame: (frame: Frame) => void): Link {
  const heard = useEffectEvent(onFrame)
  useEffect(() => feed.listen('frames:live', (payload) => heard(payload as Frame)), [])
  return useLink()
}

/** Calls `onEvent` with every token event, in order, each once. */
export function useTokenEvents(onEvent: (event: TokenEvent) => void): Link {
  const heard = useEffectEvent(onEvent)
  useEffect(() => feed.listen('tokens:live', (payload) => heard(payload as TokenEvent)), [])
  return useLink()
}

interface OwnHearers {
  onAlert(payload: unknown): void
  /** called when alerts begin to arrive */
  onJoin(): void
}

/** Calls `onAlert` with every alert of the account, while `on`. Returns true while the topic is joined. */
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

/** State of the socket without a subscription; null while nothing is subscribed. */
export const useStanding = (): Link | null => useSyncExternalStore(feed.onLink, standing, standing)

const standing = (): Link | null => (feed.listening() ? feed.link() : null)
