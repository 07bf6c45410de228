import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { base58Encode } from '@ti/core/base/base58.ts'
import { RpcFailure } from '@ti/service/access/solana-rpc.ts'

export const SOL = 1_000_000_000
export const address = (): string => base58Encode(randomBytes(32).toString('latin1'))
export const PAY_TO = address()
export const PAYER = address()

interface Landed {
  readonly signature: string
  readonly slot: number
  readonly time: number
  readonly failed: boolean
  readonly keys: readonly string[]
  readonly rise: number
  /** the node's list does not show it yet */
  hidden: boolean
}

interface ListOptions {
  readonly before?: string
  readonly until?: string
  readonly limit: number
  readonly commitment: string
}

/** Transfers to `PAY_TO` as a node tells of them, with faults. */
export function fakeChain(now: () => number) {
  const landed: Landed[] = []
  const calls: string[] = []
  const chain = {
    calls,
    landed,
    /** the next list fails */
    listFails: false,
    /** reads that fail from now on, one after another: true fails */
    readFaults: [] as boolean[],
    /** signatures that cannot be read */
    unreadable: new Set<string>(),
    /** the node does not know the transaction a client names as the last it has */
    forgetful: false,
    pay(keys: readonly string[], rise: number, change: { failed?: boolean; hidden?: boolean } = {}): Landed {
      const signature = base58Encode(randomBytes(64).fill(255, 0, 1).toString('latin1'))
      const time = Math.floor(now() / 1000)
      const slot = Math.floor(time / 0.4)
      const one = {
        signature,
        slot,
        time,
        failed: false,
        hidden: false,
        ...change,
        keys: [PAYER, PAY_TO, ...keys],
        rise,
      }
      landed.push(one)
      return one
    },
    async rpc(method: string, params: readonly unknown[]): Promise<unknown> {
      calls.push(method)
      const fails = method === 'getTransaction' ? chain.readFaults.shift() === true : chain.listFails
      if (fails) throw new Error('on purpose')
      if (method === 'getTransaction') {
        const { maxSupportedTransactionVersion: most } = params[1] as Record<string, unknown>
        if (most !== 1) throw new RpcFailure(method, 'Transaction version (1) is not supported', -32015)
        return read(String(params[0]))
      }
      assert.equal(method, 'getSignaturesForAddress')
      assert.equal(params[0], PAY_TO)
      return list(params[1] as ListOptions)
    },
  }

  function list({ before, until, limit, commitment }: ListOptions) {
    assert.equal(commitment, 'finalized')
    const newestFirst = landed.filter(({ hidden }) => !hidden).reverse()
    const from = before === undefined ? 0 : newestFirst.findIndex(({ signature }) => signature === before) + 1
    const end = chain.forgetful ? -1 : newestFirst.findIndex(({ signature }) => signature === until)
    return newestFirst
      .slice(from, end < 0 ? undefined : end)
      .slice(0, limit)
      .map(({ signature, slot, time, failed }) => ({
        signature,
        slot,
        blockTime: time,
        err: failed ? { InstructionError: [0, 'Custom'] } : null,
        memo: null,
      }))
  }

  function read(signature: string) {
    const one = landed.find((other) => other.signature === signature)
    if (one === undefined || chain.unreadable.has(signature)) return null
    const before = one.keys.map(() => 5 * SOL)
    const after = before.map((lamports, i) => (i === 1 ? lamports + one.rise : lamports))
    return {
      slot: one.slot,
      version: 1,
      transaction: {
        message: {
          accountKeys: one.keys,
          transactionConfig: {
            computeUnitLimit: 450,
            heapSize: null,
            loadedAccountsDataSizeLimit: 0,
            priorityFee: null,
          },
        },
      },
      meta: { err: one.failed ? {} : null, preBalances: before, postBalances: after },
    }
  }
  return chain
}
