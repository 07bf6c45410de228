import type { Counts } from '@ti/core/base/counts.ts'
import { exactOf, fieldsOf, logsOf, refuse, sigOf } from './fields.ts'
import type { FetchedTransaction } from './json.ts'

/**
 * A logsNotification: signature, success and log of one transaction, nothing else. `input` is the parsed message.
 * Null is counted as `shape:<reason>`; the answer to the subscription is not a notification.
 */
export function notificationFromLogs(input: unknown, counts: Counts): FetchedTransaction | null {
  const message = fieldsOf(input)
  const result = fieldsOf(fieldsOf(message?.params)?.result)
  const value = fieldsOf(result?.value)
  const slot = exactOf(fieldsOf(result?.context)?.slot)
  if (message?.method !== 'logsNotification' || value === null || slot === null)
    return refuse(counts, 'not_a_logs_notification')
  const signature = sigOf(value.signature)
  if (signature === null) return refuse(counts, 'no_signature')
  const logs = logsOf(value.logs ?? [])
  if (logs === null) return refuse(counts, 'bad_logs')
  const transaction = {
    signature,
    index: -1,
    version: null,
    config: null,
    tables: [],
    failed: value.err !== null && value.err !== undefined,
    keys: [],
    signers: 0,
    instructions: [],
    inner: null,
    logs,
    preBalances: [],
    postBalances: [],
    preTokens: [],
    postTokens: [],
  }
  return { slot, time: 0, transaction }
}
