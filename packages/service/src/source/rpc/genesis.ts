import { keyFromBase58 } from '@ti/core/base/base58.ts'
import type { Clock } from '../../base/clock.ts'
import { OperatorError } from '../../base/errors.ts'
import { BACKOFF, type RpcClient } from '../../observe/outbound/json-rpc.ts'
import type { NewestBlock } from '../block-filler.ts'
import { fieldsOf } from '../shape/fields.ts'

/** slots between an endpoint and a node beyond which neither is merely late: two hours */
const FAR_SLOTS = 20_000

/** The genesis hash that names the node's chain. `unsaid`: it does not offer the request. */
export async function genesisOf(rpc: RpcClient, signal: AbortSignal): Promise<string | 'unsaid' | 'unanswered'> {
  const answer = await rpc.call('getGenesisHash', [], signal)
  if (!answer.ok) return answer.reason === 'refused' ? 'unsaid' : 'unanswered'
  return typeof answer.result === 'string' && keyFromBase58(answer.result) !== null ? answer.result : 'unanswered'
}

/** Asks until the node answers; null if it does not offer the request, or `signal` aborts. */
export async function chainOf(rpc: RpcClient, clock: Clock, signal: AbortSignal): Promise<string | null> {
  while (!signal.aborted) {
    const genesis = await genesisOf(rpc, signal)
    if (genesis === 'unsaid') return null
    if (genesis !== 'unanswered') return genesis
    await clock.sleep(BACKOFF.mostMs, signal)
  }
  return null
}

/** Throws an OperatorError if the node now answers for another chain than `named`. A node that does not answer is asked again. */
export async function assertSameChain(rpc: RpcClient, named: string, signal: AbortSignal): Promise<boolean> {
  const genesis = await genesisOf(rpc, signal)
  if (genesis === 'unanswered' || genesis === 'unsaid') return false
  if (genesis === named) return true
  throw new OperatorError(
    `source rpc: its node answered for the chain ${named}, and now for ${genesis}: correct its address`,
  )
}

/**
 * True if the node is on the chain of `blockhash`, the newest finalized one of an endpoint at `slot`; null if it cannot tell,
 * because it does not answer or is behind the endpoint.
 */
export async function isOnChain(
  rpc: RpcClient,
  { blockhash, slot }: NewestBlock,
  signal: AbortSignal,
): Promise<boolean | null> {
  const answer = await rpc.call('isBlockhashValid', [blockhash, { commitment: 'processed' }], signal, { attempts: 1 })
  const { context, value } = (answer.ok && fieldsOf(answer.result)) || {}
  const at = fieldsOf(context)?.slot
  if (value === true) return true
  if (value !== false || typeof at !== 'number') return null
  return at >= slot || slot - at > FAR_SLOTS ? false : null
}
