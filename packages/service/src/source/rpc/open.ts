import { LAUNCHPAD_PROGRAMS } from '@ti/core/model/programs.ts'
import { createRpcClient } from '../../observe/outbound/json-rpc.ts'
import type { Followed } from '../followed.ts'
import type { Source } from '../source.ts'
import { type BlockFetcher, createBlockFetcher } from './fetcher.ts'
import { createRpcSource } from './source.ts'
import { parseRpcSpec } from './spec.ts'

/**
 * The source behind `rpc:`. `rest` is an address with options, or options alone: then the address is `secretUrl`, which
 * stands in no setting that is shown. OperatorError where there is none.
 */
export const openRpc = (rest: string, secretUrl: string | undefined): Source =>
  createRpcSource(parseRpcSpec(rest, secretUrl))

/**
 * A fetcher of blocks from the node at `url`, as far as they are about launchpads or what is `followed`, for a source that has holes to
 * fill; its client closes with the process.
 */
export function openBlockFetcher(url: string, followed: Followed): BlockFetcher {
  const { requestsPerSecond, url: address } = parseRpcSpec(url)
  const rpc = createRpcClient({ url: address, requestsPerSecond })
  return createBlockFetcher({ rpc, programs: LAUNCHPAD_PROGRAMS, followed })
}
