import type { Database } from '../../access/sql/database.ts'
import type { AlertReader } from '../alert.ts'
import { dropWaiting } from './deliveries.ts'
import { digestOf } from './destinations.ts'

/** characters of a code that is looked up */
const CODE_LENGTH = 64

/** A Telegram chat that is linked to a destination. */
export interface Chat {
  readonly destination: string
  readonly name: string
  readonly account: string
  /** The user who linked the chat. */
  readonly linkedBy: string
}

/** Maps chats to accounts. The ids are Telegram's, in decimal. */
export interface ChatBook {
  find(chat: string): Promise<Chat | null>
  /** `unknown` means the code does not exist, was used or has expired; `taken` means the chat is already linked. */
  link(code: string, chat: string, user: string): Promise<Chat | 'unknown' | 'taken'>
  /** Stops alerts to the chat. */
  unlink(chat: string): Promise<void>
}

interface ChatOptions {
  /** milliseconds */
  readonly now: () => number
  readonly reader: Pick<AlertReader, 'heads'>
}

export function createChatBook({ sql }: Pick<Database, 'sql'>, { now, reader }: ChatOptions): ChatBook {
  async function find(chat: string): Promise<Chat | null> {
    const row = await sql
      .selectFrom('destinations')
      .select(['id', 'name', 'account_id', 'linked_by'])
      .where('kind', '=', 'telegram')
      .where('address', '=', chat)
      .executeTakeFirst()
    if (row === undefined) return null
    return { destination: row.id, name: row.name, account: row.account_id, linkedBy: row.linked_by ?? '' }
  }

  return {
    find,
    async link(code, chat, user) {
      if (code.length > CODE_LENGTH) return 'unknown'
      if ((await find(chat)) !== null) return 'taken'
      const now_ = new Date(now())
      const codes = sql.selectFrom('link_codes').select('destination_id').where('digest', '=', digestOf(code))
      const found = await codes.where('expires_at', '>', now_).executeTakeFirst()
      if (found === undefined) return 'unknown'
      const owner = sql.selectFrom('destinations').select('account_id').where('id', '=', found.destination_id)
      const { account_id: account } = await owner.executeTakeFirstOrThrow()
      const head = (await reader.heads([account])).get(account) ?? 0
      const linked = await sql.transaction().execute(async (inside) => {
        // A code works once, even if two chats send it at the same moment.
        const used = inside.deleteFrom('link_codes').where('digest', '=', digestOf(code))
        if ((await used.executeTakeFirstOrThrow()).numDeletedRows === 0n) return false
        await dropWaiting(inside, found.destination_id)
        await inside
          .updateTable('destinations')
          .set({
            address: chat,
            linked_by: user,
            enabled: true,
            notice: null,
            alert_seq: head,
            failures: 0,
            failing_since: null,
            rest_until: null,
            delivered_at: null,
          })
          .where('id', '=', found.destination_id)
          .execute()
        return true
      })
      return linked ? ((await find(chat)) ?? 'unknown') : 'unknown'
    },
    unlink: (chat) =>
      sql.transaction().execute(async (inside) => {
        const row = await inside
          .updateTable('destinations')
          .set({ address: null, linked_by: null })
          .where('kind', '=', 'telegram')
          .where('address', '=', chat)
          .returning('id')
          .executeTakeFirst()
        if (row !== undefined) await dropWaiting(inside, row.id)
      }),
  }
}
