import { keyToBase58, sigToBase58 } from '@ti/core/base/base58.ts'
import { type Counts, count } from '@ti/core/base/counts.ts'
import type { Key, Sig } from '@ti/core/base/ids.ts'
import type { RawBlock, RawTransaction } from '@ti/core/model/raw.ts'
import { steadyClock } from '../../base/clock.ts'
import type { RpcAnswer, RpcClient } from '../../observe/outbound/json-rpc.ts'
import type { BlockFiller } from '../block-filler.ts'
import type { Followed } from '../followed.ts'
import { allOf, exactOf, fieldsOf, listOf, sigOf } from '../shape/fields.ts'
import { type FetchedTransaction, fetchedFromJson } from '../shape/json.ts'
import { blockOf } from './block.ts'
import { chainOf, isOnChain } from './genesis.ts'

/** times that a block is requested when the node answers for others but not for it */
export const RETRIES = 3
/** signatures of one page (the most nodes give) */
export const SIGNATURES_PAGE = 1_000

/**
 * Error codes of a node (anza-xyz/agave: rpc-client-api/src/custom_error.rs). `skipped` is also what a node says of a
 * slot it has lost: only the parent that a later block names distinguishes the two.
 */
const CODE = {
  cleanedUp: -32001,
  notAvailable: -32004,
  unhealthy: -32005,
  skipped: -32007,
  skippedOrLost: -32009,
  noHistory: -32011,
  notYet: -32014,
  unknownVersion: -32015,
  behind: -32016,
  badParams: -32602,
  internal: -32603,
} as const

const LATER: ReadonlySet<number | null> = new Set([
  CODE.notAvailable,
  CODE.unhealthy,
  CODE.notYet,
  CODE.behind,
  CODE.internal,
])

/**
 * Any transaction version, as a node's u8; a node or gateway that wants a real one is asked for the newest that it takes. A
 * newer one than can be read costs its own transaction, not its block.
 */
const VERSIONS = [255, 1, 0] as const

/** Why a node that answers -32015 is of no use, for the operator. */
export const TOO_OLD =
  'the node, or a gateway in front of it, refuses transactions of version 1 (error -32015): it is too old for the main network. ' +
  'Replace it; reading waits for the blocks that it refuses'

/** Reads blocks, with places and balances, and transactions from a node. */
export interface BlockFetcher extends BlockFiller {
  /**
   * Like `block`, but tells apart a node without the block, one without a usable answer (`unanswered`), and one that has the
   * block and is too old to deliver it (`too_old`).
   */
  fetch(slot: number, signal: AbortSignal): Promise<RawBlock | 'skipped' | Miss>
  /** slots of [from, to] that have a block, in order; null when the node does not say */
  produced(from: number, to: number, signal: AbortSignal): Promise<readonly number[] | null>
  /** a transaction with its slot; the rest as above */
  transaction(signature: Sig, signal: AbortSignal): Promise<FetchedTransaction | Miss>
  /** a page of the transactions that name an address, newest first, those before `before`; null when there was no answer */
  signatures(address: Key, before: Sig | null, signal: AbortSignal): Promise<readonly SignatureEntry[] | null>
  /** newest confirmed slot, and the first whose block the node still has; -1 unknown */
  tip(signal: AbortSignal): Promise<number>
  firstAvailable(signal: AbortSignal): Promise<number>
  /** the problem that the operator has to fix; null: none */
  readonly problem: string | null
  readonly rpc: RpcClient
}

type Miss = 'unavailable' | 'unanswered' | 'too_old'

export interface SignatureEntry {
  readonly signature: Sig
  readonly slot: number
  readonly failed: boolean
}

interface BlockFetcherOptions {
  readonly rpc: RpcClient
  /** keeps transactions that name one of these, or what is `followed`; all without it */
  readonly programs?: readonly Key[]
  readonly followed?: Pick<Followed, 'has'>
  /** counts of unreadable data and of failures by kind; the client's own by default */
  readonly counts?: Counts
}

export function createBlockFetcher({
  rpc,
  programs,
  followed,
  counts = rpc.counts,
}: BlockFetcherOptions): BlockFetcher {
  /** index of the version that is requested */
  let version = 0
  /** the subject last refused for its version and not received since; null: none */
  let refused: unknown = null
  const wanted = programs === undefined ? null : { programs, followed }

  const missing = (answer: RpcAnswer): Miss => {
    if (!answer.ok && answer.code === CODE.unknownVersion) return 'too_old'
    return answer.ok || answer.reason === 'refused' || answer.reason === 'too_large' ? 'unavailable' : 'unanswered'
  }

  const config = (tried: number) => ({
    commitment: 'confirmed',
    encoding: 'base64',
    maxSupportedTransactionVersion: VERSIONS[tried],
  })

  /** The newest version that the node lets us ask for is found once, and again when it refuses for the version. */
  async function ask(
    method: string,
    subject: unknown,
    more: object,
    signal: AbortSignal,
    again: (answer: RpcAnswer) => boolean,
  ) {
    for (let tried = version; ; tried++) {
      const answer = await rpc.call(method, [subject, { ...config(tried), ...more }], signal, { again })
      const code = answer.ok ? null : answer.code
      if (code === CODE.badParams && tried < VERSIONS.length - 1) continue
      if (code === CODE.unknownVersion) {
        // another node may answer the next time
        version = 0
        refused = subject
        count(counts, 'node_without_v1')
      } else if (answer.ok || (answer.reason === 'refused' && code !== CODE.badParams)) {
        version = tried
        if (refused === subject) refused = null
      }
      return answer
    }
  }

  async function number(method: string, params: readonly unknown[], signal: AbortSignal): Promise<number> {
    const answer = await rpc.call(method, params, signal)
    return (answer.ok ? exactOf(answer.result) : null) ?? -1
  }

  async function fetch(slot: number, signal: AbortSignal): Promise<RawBlock | 'skipped' | Miss> {
    let block = null as RawBlock | null
    const again = (answer: RpcAnswer): boolean => {
      if (!answer.ok) return LATER.has(answer.code)
      // null: not confirmed yet
      block = answer.result === null ? null : blockOf(answer.result, slot, wanted, counts)
      return block === null
    }
    const more = { transactionDetails: 'full', rewards: false }
    const answer = await ask('getBlock', slot, more, signal, again)
    if (block?.transactions.some(isNewest) === true) refused = null
    if (block !== null) return block
    if (!answer.ok && (answer.code === CODE.skipped || answer.code === CODE.skippedOrLost)) return 'skipped'
    if (!signal.aborted) count(counts, `block_unavailable:${answer.ok ? 'null' : (answer.code ?? answer.reason)}`)
    return missing(answer)
  }

  return {
    rpc,
    fetch,
    async block(slot, signal) {
      const got = await fetch(slot, signal)
      return got === 'unanswered' || got === 'too_old' ? 'unavailable' : got
    },
    async produced(from, to, signal) {
      const answer = await rpc.call('getBlocks', [from, to, { commitment: 'confirmed' }], signal)
      const list = answer.ok ? listOf(answer.result, to - from + 1) : null
      if (list === null) return null
      let last = from - 1
      for (const slot of list) {
        if (typeof slot !== 'number' || !Number.isSafeInteger(slot) || slot <= last || slot > to) return null
        last = slot
      }
      return list as readonly number[]
    },
    async transaction(signature, signal) {
      let fetched = null as FetchedTransaction | null
      const answer = await ask('getTransaction', sigToBase58(signature), {}, signal, (answer) => {
        if (!answer.ok) return LATER.has(answer.code)
        // null: not confirmed yet
        fetched = answer.result === null ? null : fetchedFromJson(answer.result, counts)
        if (fetched?.transaction.signature !== signature) fetched = null
        return fetched === null
      })
      if (fetched !== null && isNewest(fetched.transaction)) refused = null
      return fetched ?? missing(answer)
    },
    async signatures(address, before, signal) {
      const from = before === null ? {} : { before: sigToBase58(before) }
      const more = { commitment: 'confirmed', limit: SIGNATURES_PAGE, ...from }
      let page = null as SignatureEntry[] | null
      await rpc.call('getSignaturesForAddress', [keyToBase58(address), more], signal, {
        again(answer) {
          if (!answer.ok) return LATER.has(answer.code)
          page = allOf(answer.result, SIGNATURES_PAGE, signatureEntryOf)
          return page === null
        },
      })
      return page
    },
    get problem() {
      return refused === null ? null : TOO_OLD
    },
    tip: (signal) => number('getSlot', [{ commitment: 'confirmed' }], signal),
    chain: (signal) => chainOf(rpc, steadyClock, signal),
    isOnChain: (newest, signal) => isOnChain(rpc, newest, signal),
    firstAvailable: (signal) => number('getFirstAvailableBlock', [], signal),
  }
}

/** A node that gives one of these is not too old. */
const isNewest = ({ version }: RawTransaction): boolean => version === 1

function signatureEntryOf(value: unknown): SignatureEntry | null {
  const entry = fieldsOf(value)
  const signature = sigOf(entry?.signature)
  const slot = exactOf(entry?.slot)
  if (entry === null || signature === null || slot === null) return null
  return { signature, slot, failed: entry.err !== null && entry.err !== undefined }
}
