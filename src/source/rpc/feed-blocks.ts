import { count } from '../../base/counts.ts'
import { exactOf, fieldsOf } from '../shape/fields.ts'
import { blockOf } from './block.ts'
import type { FeedReader, ReaderOptions } from './feed.ts'

/**
 * blockSubscribe to all transactions: the filter of the node for one program would lose their places in the block, on which
 * the finding of bundles rests.
 */
export function createBlockReader({ programs, mints, counts, push }: ReaderOptions): FeedReader {
  const wanted = { programs, mints }
  const config = {
    commitment: 'confirmed',
    encoding: 'base64',
    transactionDetails: 'full',
    showRewards: false,
    maxSupportedTransactionVersion: 0,
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
