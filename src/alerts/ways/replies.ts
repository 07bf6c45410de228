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
export interface Replies {
  /** makes a message and sends it; null: none. A chat that asks faster than it may be answered is not answered */
  begin(chat: string, make: () => Promise<Message | null>, signal: AbortSignal): void
  /** waits for those that are on their way */
  settled(): Promise<void>
}

export function createReplies({ api, pace, pause, troubles }: ReplyOptions): Replies {
  /** chat → replies that wait */
  const waiting = new Map<string, number>()
  const running = new Set<Promise<void>>()

  /** Within the rates that alerts keep to as well. */
  async function say(chat: string, message: Message, signal: AbortSignal): Promise<void> {
    for (let attempt = 0; attempt < LIMITS.ways.replyAttempts; attempt++) {
      for (let ms = pace.takeMs(chat); ms > 0; ms = pace.takeMs(chat)) await pause(ms, signal)
      const called = await api.call('sendMessage', { chat_id: chat, ...message }, { signal })
      if (called.ok || called.status !== 429 || called.retryAfterMs === null) return
      pace.pause(chat, called.retryAfterMs)
    }
  }

  return {
    begin(chat, make, signal) {
      const before = waiting.get(chat) ?? 0
      if (before >= LIMITS.ways.replies || running.size >= LIMITS.ways.repliesInAll) return
      waiting.set(chat, before + 1)
      const work = make()
        .then((message) => (message === null ? undefined : say(chat, message, signal)))
        .catch((error: unknown) => {
          if (!signal.aborted) troubles.note('telegram', error)
        })
        .finally(() => {
          running.delete(work)
          const left = waiting.get(chat)! - 1
          if (left === 0) waiting.delete(chat)
          else waiting.set(chat, left)
        })
      running.add(work)
    },
    async settled() {
      while (running.size > 0) await Promise.all(running)
    },
  }
}
