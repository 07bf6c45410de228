import type { Pace } from './pace.ts'
import type { Message, TelegramApi } from './telegram.ts'

/** replies that wait for a chat, beyond which its commands are not answered, and for all chats */
export const REPLIES = 5
const REPLIES_IN_ALL = 200
/** attempts at a reply */
const REPLY_ATTEMPTS = 3

export interface ReplyOptions {
  readonly api: TelegramApi
  readonly pace: Pace
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>
  readonly troubles: { note(what: string, error: unknown): void }
}

/** Replies to commands. They are kept in memory only: a user whose reply is cut off by a restart asks again. */
export function createReplies({ api, pace, pause, troubles }: ReplyOptions) {
  /** The number of waiting replies of each chat, and the last of them: the replies of a chat go one after the other. */
  const chats = new Map<string, { readonly waiting: number; readonly last: Promise<void> }>()
  let inAll = 0

  /** Replies share the rate limits of alerts. */
  async function say(chat: string, message: Message, signal: AbortSignal): Promise<void> {
    for (let attempt = 0; attempt < REPLY_ATTEMPTS; attempt++) {
      for (let ms = pace.takeMs(chat); ms > 0; ms = pace.takeMs(chat)) await pause(ms, signal)
      const called = await api.call('sendMessage', { chat_id: chat, ...message }, { signal })
      if (called.ok || called.status !== 429 || called.retryAfterMs === null) return
      pace.pause(chat, called.retryAfterMs)
    }
  }

  return {
    /** Makes a message and sends it, unless it is null. A chat over its rate limit gets no answer. */
    begin(chat: string, make: () => Promise<Message | null>, signal: AbortSignal): void {
      const { waiting, last } = chats.get(chat) ?? { waiting: 0, last: Promise.resolve() }
      if (waiting >= REPLIES || inAll >= REPLIES_IN_ALL) return
      inAll++
      const work = last
        .then(make)
        .then((message) => (message === null ? undefined : say(chat, message, signal)))
        .catch((error: unknown) => {
          if (!signal.aborted) troubles.note('telegram', error)
        })
        .finally(() => {
          inAll--
          const own = chats.get(chat)!
          if (own.waiting === 1) chats.delete(chat)
          else chats.set(chat, { ...own, waiting: own.waiting - 1 })
        })
      chats.set(chat, { waiting: waiting + 1, last: work })
    },
    /** Waits for the replies in flight. */
    async settled(): Promise<void> {
      while (chats.size > 0) await Promise.all([...chats.values()].map(({ last }) => last))
    },
  }
}
