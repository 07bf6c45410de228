import { count } from '@ti/core/base/counts.ts'
import { exactOf, fieldsOf } from '../shape/fields.ts'
import { blockOf } from './block.ts'
import type { FeedReader, ReaderOptions } from './feed.ts'

/**
 * blockSubscribe to all transactions: the filter of the node for one program would lose their places in the block, on which
 * the finding of bundles rests.
 */
export function createBlockReader({ programs, followed, counts, push, refuse }: ReaderOptions): FeedReader {
  const wanted = { programs, followed }
  const config = {
    commitment: 'confirmed',
    encoding: 'base64',
    transactionDetails: 'full',
    showRewards: false,
    // the newest that can be read; a node with a lower bound stops at the first block that has one
    maxSupportedTransactionVersion: 1,
  }
  return {
    subscriptions: [{ method: 'blockSubscribe', params: ['all', config] }],
    heldBytes: 0,
    begin() {},
    tick() {},
    onMessage(message, bytes) {
      const value = fieldsOf(fieldsOf(fieldsOf(message.params)?.result)?.value)
      const slot = exactOf(value?.slot)
      if (message.method !== 'blockNotification' || value === null || slot === null)
        return count(counts, 'unknown_notification')
      // from here on it would say nothing but this slot again
      if (fieldsOf(value.err)?.UnsupportedTransactionVersion !== undefined) {
        count(counts, 'stream_refused_version')
        refuse()
      }
      // a node that could not read the block says so, and that it is there
      const block = value.err === null || value.err === undefined ? blockOf(value.block, slot, wanted, counts) : null
      if (block === null) {
        count(counts, 'announced_only')
        return push({ slot, after: slot, block: null, rest: () => null, bytes })
      }
      push({ slot, after: block.parent, block: Promise.resolve(block), rest: () => block, bytes })
    },
  }
}
