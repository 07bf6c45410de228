import { noArguments } from '@ti/core/query/operations.ts'
import type { Reads } from '@ti/core/query/reads.ts'
import type { Accounts } from '../access/accounts/accounts.ts'
import type { Shared } from '../access/shared/shared.ts'
import type { Database } from '../access/sql/database.ts'
import type { AskWho, WatchBook as BotWatches } from '../alerts/delivery/bot-answers.ts'
import { type Delivery, startDelivery } from '../alerts/delivery/delivery.ts'
import { attemptsOn } from '../alerts/delivery/worker.ts'
import type { AlertStore, WatchBook } from '../alerts/watches.ts'
import { OperatorError } from '../base/errors.ts'
import type { Metrics } from '../base/metrics.ts'
import { readPrivateText } from '../base/private-files.ts'
import { type Options, openedBy } from '../config/options.ts'
import { createOutbound } from '../observe/outbound/outbound.ts'

/** attempts to one host at once */
const PER_HOST = 16

/** bytes of a file with the bot's token */
const TOKEN_FILE_BYTES = 1_024

interface DeliveryParts {
  readonly options: Pick<Options, 'telegram' | 'publicUrl' | 'host' | 'payments'>
  readonly database: Database
  readonly accounts: Accounts
  readonly alerts: { readonly book: WatchBook; readonly alertStore: AlertStore }
  readonly reads: Pick<Reads, 'find'>
  readonly metrics: Metrics
  readonly shared: Shared
}

/** Opens the destinations of alerts, and the bot if the operator has set one up. */
export function openDelivery({ options, database, accounts, alerts, reads, metrics, shared }: DeliveryParts): Delivery {
  const { telegram, publicUrl, host, payments } = options
  // a sandbox that only this machine reaches has no strangers, and its receivers are being written
  const loopback = payments.mode === 'sandbox' && openedBy(host, publicUrl) === null
  return startDelivery({
    database,
    reader: alerts.alertStore,
    metrics,
    shared,
    outbound: createOutbound({ inAll: attemptsOn('webhooks') + attemptsOn('chats'), perHost: PER_HOST, loopback }),
    telegram: telegram && {
      url: telegram.apiUrl,
      token: readToken(telegram.token),
      who: askWho(reads, publicUrl),
      watches: watchesOf(alerts.book, accounts),
      outbound: createOutbound({
        inAll: attemptsOn('chats'),
        perHost: attemptsOn('chats'),
        allow: [new URL(telegram.apiUrl).origin],
      }),
    },
  })
}

const TOKEN = /^\d{1,20}:[\w-]{20,100}$/
const WHAT = 'TELEGRAM_BOT_TOKEN has to be a token of @BotFather, or a file with one'

/** The bot's token, or that in a file; OperatorError without any of its text if it is none. */
export function readToken(text: string): string {
  if (TOKEN.test(text)) return text
  const read = readPrivateText(text, {
    name: 'TELEGRAM_BOT_TOKEN',
    what: WHAT,
    bytesMax: TOKEN_FILE_BYTES,
  })
  const token = read.replace(/\0+$/, '').trim()
  if (!TOKEN.test(token)) throw new OperatorError(WHAT)
  return token
}

const watchesOf = (book: WatchBook, accounts: Accounts): BotWatches => ({
  list: (account) => book.list(account),
  async add(account, mint) {
    const found = await accounts.find(account)
    if (found === null) return 'this account no longer exists'
    const name = `token ${mint.slice(0, 4)}…${mint.slice(-4)}`
    const made = await book.add(account, accounts.planOf(found), { kind: 'token', target: mint, name, minLamports: 0 })
    return made.ok ? null : made.message
  },
  remove: (account, id) => book.remove(account, id),
  pause: async (account, id, paused) => (await book.change(account, id, { paused })).ok,
})

const askWho =
  ({ find }: DeliveryParts['reads'], publicUrl: string): AskWho =>
  async (mint) => {
    const check = await find('check', { ...noArguments(), mint })
    if (check === null) return null
    const { text } = JSON.parse(check.data.bytes.toString()) as { text: string }
    return { text, url: `${publicUrl}/token/${mint}` }
  }
