import { type Channel, Socket } from 'phoenix'
import { establish, established, sessionState } from '../api/establish.ts'

export type Link = 'connecting' | 'live' | 'lost' | 'refused'
type Topic = 'frames:live' | 'tokens:live' | 'alerts:mine'
type Hear = (payload: unknown) => void

export interface Feed {
  /** returns the function that unsubscribes */
  listen(topic: Topic, hear: Hear): () => void
  joined(topic: Topic): boolean
  link(): Link
  onLink(listener: () => void): () => void
  /** a public topic has a listener */
  listening(): boolean
}

const EVENT = { 'frames:live': 'frame', 'tokens:live': 'token_event', 'alerts:mine': 'alert' } as const
/** after a longer gap nothing is replayed, because the lists are newer */
const RESUME_MS = 60_000
/** milliseconds for which topics stay joined after the last listener left, for a switch of pages */
const LINGER_MS = 5_000
/** after this many failed connections, the session says whether streams are allowed at all */
const ASK_AFTER = 3
const WAITS_MS = [500, 1_000, 2_000, 5_000, 10_000, 20_000]
const HEARTBEAT_MS = 25_000

interface TopicState {
  readonly hearers: Set<Hear>
  channel: Channel | null
  seq: number | null
  heardAt: number
  leaving: ReturnType<typeof setTimeout> | undefined
  joined: boolean
}

const newTopic = (): TopicState => ({
  hearers: new Set(),
  channel: null,
  seq: null,
  heardAt: 0,
  leaving: undefined,
  joined: false,
})

export function createFeed(): Feed {
  let socket: Socket | null = null
  /** wallet at the time the socket opened; undefined if it may have reconnected since */
  let openedFor: string | null | undefined = null
  let link: Link = 'connecting'
  let failures = 0
  const linkListeners = new Set<() => void>()
  const topics: Record<Topic, TopicState> = {
    'frames:live': newTopic(),
    'tokens:live': newTopic(),
    'alerts:mine': newTopic(),
  }

  const notifyAll = (): void => {
    for (const listener of linkListeners) listener()
  }

  const say = (now: Link): void => {
    if (link === now) return
    link = now
    notifyAll()
  }

  /** The browser hides the status of a refused connection, so the session is asked. */
  const onError = async (): Promise<void> => {
    failures += 1
    if (link !== 'refused' && (link !== 'connecting' || failures > 1)) say('lost')
    if (failures % ASK_AFTER !== 0) return
    await establish()
    const { session } = sessionState()
    const used = session?.trial != null && session.trial.left_s <= 0
    if (session !== null && (!session.may_read || used)) say('refused')
  }

  const walletNow = (): string | null => sessionState().session?.wallet ?? null

  const open = (closed: Socket): void => {
    openedFor = walletNow()
    closed.connect()
  }

  const connected = (): Socket => {
    if (socket !== null) return socket
    socket = new Socket('/socket', {
      heartbeatIntervalMs: HEARTBEAT_MS,
      reconnectAfterMs: (tries) => WAITS_MS[Math.min(tries, WAITS_MS.length) - 1] ?? 20_000,
      rejoinAfterMs: (tries) => WAITS_MS[Math.min(tries, WAITS_MS.length) - 1] ?? 20_000,
    })
    socket.onOpen(() => {
      failures = 0
    })
    socket.onError(() => void onError())
    socket.onClose(() => {
      openedFor = undefined
      say(link === 'refused' ? link : 'lost')
    })
    const made = socket
    void established().then(() => open(made))
    return socket
  }

  const join = (topic: Topic, state: TopicState): void => {
    const resume = (): object =>
      state.seq !== null && Date.now() - state.heardAt < RESUME_MS ? { after_seq: state.seq } : {}
    const channel = connected().channel(topic, resume)
    state.channel = channel
    channel.on(EVENT[topic], (payload: { data: { seq: number } }) => {
      if (state.seq !== null && payload.data.seq <= state.seq) return
      state.seq = payload.data.seq
      state.heardAt = Date.now()
      for (const hear of state.hearers) hear(payload)
    })
    const put = (joined: boolean): void => {
      if (state.joined === joined || state.channel !== channel) return
      state.joined = joined
      notifyAll()
    }
    channel.onError(() => put(false))
    const joining = channel.join().receive('ok', (reply: { seq: number; resumed: boolean }) => {
      if (!reply.resumed) state.seq = reply.seq
      state.heardAt = Date.now()
      say('live')
      put(true)
    })
    if (topic === 'alerts:mine') joining.receive('error', () => refused(state))
  }

  /** Reopens a socket from before the sign-in and joins its topics again; otherwise accepts the refusal. */
  const refused = (state: TopicState): void => {
    const old = connected()
    if (openedFor === walletNow()) leave(state)
    else old.disconnect(() => open(old))
  }

  const leave = (state: TopicState): void => {
    state.channel?.leave()
    state.channel = null
    state.joined = false
  }

  return {
    listen(topic, hear) {
      const state = topics[topic]
      state.hearers.add(hear)
      clearTimeout(state.leaving)
      notifyAll()
      if (state.channel === null) {
        join(topic, state)
      }
      return () => {
        state.hearers.delete(hear)
        notifyAll()
        if (state.hearers.size === 0) state.leaving = setTimeout(() => leave(state), LINGER_MS)
      }
    },
    joined: (topic) => topics[topic].joined,
    link: () => link,
    listening: () => topics['frames:live'].hearers.size + topics['tokens:live'].hearers.size > 0,
    onLink(listener) {
      linkListeners.add(listener)
      return () => linkListeners.delete(listener)
    },
  }
}
