import { LIMITS } from '../../config/limits.ts'
import type { Pace } from './pace.ts'
import type { Message, TelegramApi } from './telegram.ts'

export interface ReplyOptions {
  readonly api: TelegramApi
  readonly pace: Pace
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>
  readonly troubles: { note(what: string, error: unknown): void }
}

/** Replies to commands. They are not kept: what a stop cuts off is asked for again by whoever wants it. */
interface Replies {
  /** makes a message and sends it; null: none. A chat that asks faster than it may be answered is not answered */
  begin(chat: string, make: () => Promise<Message | null>, signal: AbortSignal): void
  /** waits for those that are on their way */
  settled(): Promise<void>
}

export function createReplies({ api, pace, pause, troubles }: ReplyOptions): Replies {
  /** chat → how many wait, and the last of them: they go one after another */
  const chats = new Map<string, { readonly waiting: number; readonly last: Promise<void> }>()
  let inAll = 0

  /** Within the rates that alerts keep to as well. */
  async function say(chat: string, message: Message, signal: AbortSignal): Promise<void> {
    for (let attempt = 0; attempt < LIMITS.delivery.replyAttempts; attempt++) {
      for (let ms = pace.takeMs(chat); ms > 0; ms = pace.takeMs(chat)) await pause(ms, signal)
      const called = await api.call('sendMessage', { chat_id: chat, ...message }, { signal })
      if (called.ok || called.status !== 429 || called.retryAfterMs === null) return
      pace.pause(chat, called.retryAfterMs)
    }
  }

  return {
    begin(chat, make, signal) {
      const { waiting, last } = chats.get(chat) ?? { waiting: 0, last: Promise.resolve() }
      if (waiting >= LIMITS.delivery.replies || inAll >= LIMITS.delivery.repliesInAll) return
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
    async settled() {
      while (chats.size > 0) await Promise.all([...chats.values()].map(({ last }) => last))
    },
  }
}
