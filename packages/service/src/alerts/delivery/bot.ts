import { z } from 'zod'
import { type AnswerOptions, createAnswers } from './bot-answers.ts'
import { createReplies, type ReplyOptions } from './replies.ts'

/** characters of a command */
const COMMAND_LENGTH = 200

/** updates of one call and bytes of them, seconds for which Telegram holds it, and milliseconds of the whole call */
export const UPDATES_MAX = 20
const UPDATE_BYTES = 1 << 20
const POLL_S = 25
const POLL_MS = 40_000

interface BotOptions extends AnswerOptions, ReplyOptions {}

export type Bot = ReturnType<typeof createBot>

const Id = z.int().transform(String)
const ChatOf = z.object({ id: Id, type: z.string() })
/** Members who write as their group or a channel share the id of one bot, which therefore stands for nobody. */
const From = z.object({ id: Id, is_bot: z.boolean().default(false) })
const Updates = z.array(z.looseObject({ update_id: z.int() }))
const MessageUpdate = z.object({
  message: z.object({ chat: ChatOf, from: From, sender_chat: z.unknown().optional(), text: z.string() }),
})
const ButtonUpdate = z.object({
  callback_query: z.object({ id: z.string(), from: From, data: z.string(), message: z.object({ chat: ChatOf }) }),
})

const COMMAND = /^\/([a-z]{1,20})(?:@(\w{1,64}))?(?:\s+(\S.*))?$/is
export function createBot(options: BotOptions) {
  const { api, troubles } = options
  const answer = createAnswers(options)
  const replies = createReplies(options)
  let name: string | null = null
  let offset = 0

  function take(update: unknown, signal: AbortSignal): void {
    const written = MessageUpdate.safeParse(update)
    if (written.success) {
      const { chat, from, sender_chat: as, text } = written.data.message
      const [, command, to, argument = ''] = COMMAND.exec(text.slice(0, COMMAND_LENGTH).trim()) ?? []
      if (command === undefined || (to !== undefined && to.toLowerCase() !== name?.toLowerCase())) return
      const asked = {
        ...placeOf(chat),
        user: as === undefined && !from.is_bot ? from.id : null,
        command: command.toLowerCase(),
        argument,
      }
      replies.begin(chat.id, () => answer(asked), signal)
      return
    }
    const pressed = ButtonUpdate.safeParse(update)
    if (!pressed.success) return
    const { id, from, data, message } = pressed.data.callback_query
    const [command = '', argument = ''] = data.slice(0, COMMAND_LENGTH).split(':')
    replies.begin(message.chat.id, () => answer({ ...placeOf(message.chat), user: from.id, command, argument }), signal)
    // Without this call the button keeps showing that it is working.
    void api.call('answerCallbackQuery', { callback_query_id: id }, { signal })
  }

  return {
    /** Asks Telegram for the bot's name. Null means Telegram did not tell it. */
    async name(): Promise<string | null> {
      const called = await api.call('getMe', {})
      const read = z.object({ username: z.string().regex(/^\w{1,64}$/) }).safeParse(called.ok ? called.result : null)
      name = read.success ? read.data.username : null
      return name
    },
    /**
     * Makes one long poll and handles its updates. They are confirmed by the next call. Returns false if Telegram gave no answer.
     */
    async poll(signal: AbortSignal): Promise<boolean> {
      const called = await api.call(
        'getUpdates',
        { offset, limit: UPDATES_MAX, timeout: POLL_S, allowed_updates: ['message', 'callback_query'] },
        { timeoutMs: POLL_MS, bytesMax: UPDATE_BYTES, signal },
      )
      const read = Updates.safeParse(called.ok ? called.result : null)
      if (!read.success) {
        if (!called.ok && called.status !== null) {
          troubles.note('telegram', new Error(`Telegram answered ${called.status}: ${called.description}`))
        }
        return false
      }
      for (const update of read.data) {
        take(update, signal)
        offset = Math.max(offset, update.update_id + 1)
      }
      return true
    },
    /** Waits for the replies in flight. */
    settled: replies.settled,
  }
}

const placeOf = ({ id, type }: z.output<typeof ChatOf>) => ({ chat: id, isPrivate: type === 'private' })
