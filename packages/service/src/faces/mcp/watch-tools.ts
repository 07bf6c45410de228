import type { CallToolResult, Tool as Definition } from '@modelcontextprotocol/server'
import { SAID } from '@ti/core/contract/scalars.ts'
import { z } from 'zod'
import type { KeyUse } from '../../access/accounts/key-use.ts'
import { ACCOUNTS_AWAY, ACCOUNTS_RETRY_S, ACCOUNTS_UNREADABLE, KEY_REFUSALS } from '../../access/refusals.ts'
import { DatabaseAway } from '../../access/sql/away.ts'
import { alertJson } from '../../alerts/alert.ts'
import { type Member, NO_WATCH, newWatchOf, WatchBody, type WatchServices, watchJson } from '../../alerts/watch-json.ts'
import { ALERTS_PAGE } from '../../alerts/watches.ts'
import type { Logger } from '../../base/log.ts'
import { isShortage } from '../../base/shortage.ts'
import type { Exchange } from './exchange.ts'
import { apiError, errorResult } from './results.ts'

/** Tools for the watches and alerts of the account whose key is sent; they are free and take no payment. */
export interface WatchTools {
  readonly definitions: readonly Definition[]
  /** null: the tool is not one of these. Never rejects. */
  call(name: string, given: unknown, exchange: Exchange): Promise<CallToolResult> | null
}

/** An argument that names nothing, or exceeds a limit. */
class Unfit extends Error {}

const NONE = z.strictObject({})
const Remove = z.strictObject({ id: z.string().max(32).describe('of watches_list') })
const Recent = z.strictObject({
  after_seq: z
    .int()
    .min(0)
    .max(Number.MAX_SAFE_INTEGER)
    .optional()
    .describe('only alerts after this one, oldest first'),
})
const ADD = `Watch and be alerted (notified): when a wallet buys or sells, a deployer launches, an actor appears, the verdict of a \
token changes, or a new token meets a condition such as \`score >= 7 and not rugged\`.`

interface Tool {
  readonly input: z.ZodType
  readonly description: string
  readonly readOnly: boolean
  run(given: unknown, member: Member): Promise<unknown>
}

const tool = <T>(
  description: string,
  readOnly: boolean,
  input: z.ZodType<T>,
  run: (given: T, member: Member) => Promise<unknown>,
): Tool => ({ description, readOnly, input, run: run as Tool['run'] })

const toolsOf = ({ book, alertStore }: WatchServices): Readonly<Record<string, Tool>> => ({
  watches_list: tool('The watches of your account.', true, NONE, async (_, { id }) =>
    (await book.list(id)).map(watchJson),
  ),
  watch_add: tool(ADD, false, WatchBody, async (asked, { id, plan }) => {
    const made = await book.add(id, plan, newWatchOf(asked))
    if (!made.ok) throw new Unfit(made.message)
    return watchJson(made.watch)
  }),
  watch_remove: tool('Ends a watch.', false, Remove, async (asked, { id }) => {
    if (!(await book.remove(id, asked.id))) throw new Unfit(NO_WATCH)
    return { deleted: true }
  }),
  alerts_recent: tool(
    `Alerts: what your watches reported (fired) recently, the newest ${ALERTS_PAGE}. ${SAID}`,
    true,
    Recent,
    async ({ after_seq: after }, { id }) =>
      (await (after === undefined ? alertStore.newest(id) : alertStore.since(id, after))).map(alertJson),
  ),
})

function definitionOf(name: string, { description, readOnly, input }: Tool): Definition {
  const { $schema: _, ...schema } = z.toJSONSchema(input, { io: 'input' })
  return {
    name,
    description: `${description} Needs an API key; free.`,
    inputSchema: schema as Definition['inputSchema'],
    annotations: { readOnlyHint: readOnly, destructiveHint: name === 'watch_remove' },
  }
}

interface WatchToolsOptions {
  readonly services: WatchServices
  readonly keyUse?: Pick<KeyUse, 'count'> | undefined
  readonly logger: Logger
  readonly publicUrl: string
}

export function createWatchTools({ services, keyUse, logger, publicUrl }: WatchToolsOptions): WatchTools {
  const tools = toolsOf(services)

  async function run(own: Tool, given: unknown, { caller, requestId }: Exchange): Promise<CallToolResult> {
    const { key } = caller
    const away = (message: string) =>
      errorResult(apiError('internal_error', message, requestId, { retry_after: ACCOUNTS_RETRY_S }))
    if (!key.ok) {
      if (key.reason === 'unreadable') return away(ACCOUNTS_UNREADABLE)
      const upgrade_url = `${publicUrl}/account`
      const message =
        key.reason === 'absent' ? 'Watches belong to an account: send its API key.' : KEY_REFUSALS[key.reason]
      return errorResult(apiError('payment_required', message, requestId, { upgrade_url }))
    }
    const parsed = own.input.safeParse(given)
    if (!parsed.success) {
      const { path, message } = parsed.error.issues[0]!
      return errorResult(apiError('bad_request', `${path.join('.') || 'the arguments'}: ${message}`, requestId))
    }
    keyUse?.count(key.id)
    try {
      const data = await own.run(parsed.data, { id: key.account, plan: key.plan })
      return { content: [{ type: 'text', text: JSON.stringify({ data, meta: { request_id: requestId } }) }] }
    } catch (error) {
      if (error instanceof Unfit) {
        const code = error.message === NO_WATCH ? 'not_found' : 'bad_request'
        return errorResult(apiError(code, error.message, requestId))
      }
      if (error instanceof DatabaseAway || isShortage(error)) return away(ACCOUNTS_AWAY)
      logger.error({ err: error, request_id: requestId }, 'tool call failed')
      return errorResult(apiError('internal_error', 'internal error', requestId))
    }
  }

  return {
    definitions: Object.entries(tools).map(([name, one]) => definitionOf(name, one)),
    call: (name, given, exchange) => (Object.hasOwn(tools, name) ? run(tools[name]!, given, exchange) : null),
  }
}
