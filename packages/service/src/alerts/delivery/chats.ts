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
  /** Ids of the watches whose alerts the chat gets. Null means all of them. */
  readonly watches: readonly string[] | null
}

/** Maps chats to accounts. The ids are Telegram's, in decimal. */
export type ChatBook = ReturnType<typeof createChatBook>

interface ChatOptions {
  /** milliseconds */
  readonly now: () => number
  readonly reader: Pick<AlertReader, 'heads'>
}

export function createChatBook({ sql }: Pick<Database, 'sql'>, { now, reader }: ChatOptions) {
  async function find(chat: string): Promise<Chat | null> {
    const row = await sql
      .selectFrom('destinations')
      .select(['id', 'name', 'account_id', 'linked_by', 'watches'])
      .where('kind', '=', 'telegram')
      .where('address', '=', chat)
      .executeTakeFirst()
    if (row === undefined) return null
    const { id, name, account_id: account, linked_by: by } = row
    const watches = row.watches === null ? null : (JSON.parse(row.watches) as string[])
    return { destination: id, name, account, linkedBy: by ?? '', watches }
  }

  return {
    find,
    /**
     * Spends the code, because a group has read it. `unknown` means it does not exist, was used or has expired; `taken` means the chat
     * is already linked, `nobody` that `user` is null.
     */
    async link(code: string, chat: string, user: string | null): Promise<Chat | 'unknown' | 'taken' | 'nobody'> {
      if (code.length > CODE_LENGTH) return 'unknown'
      const isTaken = (await find(chat)) !== null
      const spent = sql.deleteFrom('link_codes').where('digest', '=', digestOf(code))
      // A code works once, even if two chats send it at the same moment.
      const found = await spent.where('expires_at', '>', new Date(now())).returning('destination_id').executeTakeFirst()
      if (isTaken) return 'taken'
      if (found === undefined) return 'unknown'
      if (user === null) return 'nobody'
      const owner = sql.selectFrom('destinations').select('account_id').where('id', '=', found.destination_id)
      const { account_id: account } = await owner.executeTakeFirstOrThrow()
      const head = (await reader.heads([account])).get(account) ?? 0
      await sql.transaction().execute(async (inside) => {
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
      })
      return (await find(chat)) ?? 'unknown'
    },
    /** Stops alerts to the chat. */
    unlink: (chat: string): Promise<void> =>
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
