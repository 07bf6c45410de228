import { keyFromBase58 } from '@ti/core/base/base58.ts'
import type { Chat, ChatBook } from './chats.ts'
import { type Button, codeLine, htmlMessage, linkLine, type Message } from './telegram.ts'

/** watches that a list shows with buttons, and characters of each */
const LISTED = 20
const LISTED_LENGTH = 120

/** A watch in the bot's list. */
export interface ShownWatch {
  readonly id: string
  readonly name: string
  /** Either an address in base58 or a filter. */
  readonly target: string
  readonly paused: boolean
}

/** The part of the accounts' watches that the bot's commands can reach. */
export interface WatchBook {
  list(account: string): Promise<readonly ShownWatch[]>
  /** Adds a watch of a token. Returns null on success, else the reason for the refusal. */
  add(account: string, mint: string): Promise<string | null>
  /** Returns false if the account has no such watch. */
  remove(account: string, id: string): Promise<boolean>
  pause(account: string, id: string, paused: boolean): Promise<boolean>
}

/** Describes in a few sentences the actors behind a token. Null means the token is unknown. */
export type AskWho = (mint: string) => Promise<{ readonly text: string; readonly url: string } | null>

/** A request in a chat: a command or a button. */
interface Asked {
  readonly chat: string
  /** Null for a member who writes anonymously. */
  readonly user: string | null
  /** True if the chat has a single writer. */
  readonly isPrivate: boolean
  readonly command: string
  readonly argument: string
}

const HELP = [
  ...[
    '/watch MINT: alerts of a token',
    '/who MINT: who is behind it',
    '/list: your watches',
    '/unwatch MINT: ends one',
  ],
  '/stop: no more messages here',
]
const NOT_LINKED =
  'This chat is not linked. Add a Telegram destination on your account’s page and send its code: /start CODE'
const NOT_YOURS = 'Only the person who linked this chat may change what it gets.'
const NOT_ANONYMOUS = 'A chat is linked to a person: write as yourself, with another code.'
const NO_MINT = 'That is not the mint of a token.'

export interface AnswerOptions {
  readonly chats: ChatBook
  readonly watches: WatchBook
  readonly who: AskWho
}

type Answers = Readonly<Record<string, (chat: Chat, argument: string) => Promise<Message>>>

/** Builds the reply to a command or a button. Null means there is none. */
export function createAnswers({ chats, watches, who }: AnswerOptions): (asked: Asked) => Promise<Message | null> {
  /** A group reads the list too, so it has only watches whose alerts the chat gets. */
  async function list({ account, watches: own }: Chat): Promise<Message> {
    const all = await watches.list(account)
    return listed(own === null ? all : all.filter(({ id }) => own.includes(id)))
  }

  /** Commands of the person who linked the chat. */
  const personal: Answers = {
    list,
    async watch({ account }, mint) {
      if (keyFromBase58(mint) === null) return htmlMessage(NO_MINT)
      const refused = await watches.add(account, mint)
      return htmlMessage(`${refused === null ? 'Watching' : `Not watched: ${codeLine(refused)}`}\n${codeLine(mint)}`, [
        [{ text: 'Who', callback_data: `who:${mint}` }],
      ])
    },
    async unwatch(chat, mint) {
      if (mint === '') return list(chat)
      const own = (await watches.list(chat.account)).filter(({ target }) => target === mint)
      for (const { id } of own) await watches.remove(chat.account, id)
      return htmlMessage(own.length === 0 ? 'There is no such watch.' : `Not watched any more:\n${codeLine(mint)}`)
    },
    drop: async ({ account }, id) =>
      htmlMessage((await watches.remove(account, id)) ? 'The watch has ended.' : 'There is no such watch.'),
    mute: async ({ account }, id) =>
      htmlMessage((await watches.pause(account, id, true)) ? 'Muted.' : 'There is no such watch.', [
        [{ text: 'Unmute', callback_data: `unmute:${id}` }],
      ]),
    unmute: async ({ account }, id) =>
      htmlMessage((await watches.pause(account, id, false)) ? 'On again.' : 'There is no such watch.'),
  }
  const open: Answers = {
    async who(_, mint) {
      const found = keyFromBase58(mint) === null ? null : await who(mint)
      if (found === null)
        return htmlMessage(keyFromBase58(mint) === null ? NO_MINT : 'Nothing is known about this mint.')
      return htmlMessage(`${codeLine(found.text)}\n${linkLine([{ label: 'all of it', url: found.url }])}`, [
        [{ text: 'Watch', callback_data: `watch:${mint}` }],
      ])
    },
    help: async () => htmlMessage(HELP.join('\n')),
  }

  async function start({ chat, user, argument, isPrivate }: Asked): Promise<Message> {
    if (argument === '') return htmlMessage((await chats.find(chat)) === null ? NOT_LINKED : HELP.join('\n'))
    const linked = await chats.link(argument, chat, user)
    if (linked === 'nobody') return htmlMessage(NOT_ANONYMOUS)
    if (linked === 'unknown')
      return htmlMessage('This code is not valid any more: ask for another on your account’s page.')
    if (linked === 'taken') return htmlMessage('This chat is linked already: /stop ends that.')
    const who = isPrivate ? '' : `\n${NOT_YOURS}`
    return htmlMessage(`Linked: alerts of your watches arrive here.${who}\n\n${HELP.join('\n')}`)
  }

  return async (asked) => {
    const { chat: id, user, command, argument, isPrivate } = asked
    if (command === 'start') return start(asked)
    const change = Object.hasOwn(personal, command) ? personal[command]! : null
    const read = Object.hasOwn(open, command) ? open[command]! : null
    if (change === null && read === null && command !== 'stop') return isPrivate ? htmlMessage(HELP.join('\n')) : null
    const chat = await chats.find(id)
    if (chat === null) return htmlMessage(NOT_LINKED)
    if (read !== null) return read(chat, argument)
    if (chat.linkedBy !== user) return htmlMessage(NOT_YOURS)
    if (change !== null) return change(chat, argument)
    await chats.unlink(id)
    return htmlMessage('No more messages here. /start CODE links this chat again.')
  }
}

/** Each watch gets a row of buttons. */
function listed(watches: readonly ShownWatch[]): Message {
  if (watches.length === 0) return htmlMessage('You watch nothing yet: /watch MINT')
  const shown = watches.slice(0, LISTED)
  const lines = shown.map(({ name, target, paused }, i) => {
    const what = target === name ? name : `${name}: ${target}`
    return `${i + 1}. ${codeLine([...what].slice(0, LISTED_LENGTH).join(''))}${paused ? ' (muted)' : ''}`
  })
  const more = watches.length > shown.length ? [`and ${watches.length - shown.length} more on your account’s page`] : []
  const rows = shown.map(({ id, paused }, i): Button[] => [
    { text: `${i + 1} ${paused ? 'Unmute' : 'Mute'}`, callback_data: `${paused ? 'unmute' : 'mute'}:${id}` },
    { text: `${i + 1} End`, callback_data: `drop:${id}` },
  ])
  return htmlMessage([...lines, ...more].join('\n'), rows)
}
