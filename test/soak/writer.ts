import { startThread } from '@ti/service/base/thread.ts'
import { openNode } from '@ti/service/service/node.ts'
import { openAcknowledged } from './acknowledged.ts'
import { feedMarket } from './feed.ts'
import { createMarket } from './market.ts'
import { type News, STOP_AND_HASH, type WriterTask } from './roles.ts'

/** Opens the node, feeds it, and acknowledges every commit; another thread of the process looks up pools meanwhile. */
export async function write(task: WriterTask, tell: (news: News) => void): Promise<void> {
  const market = createMarket(task.seed, task.pattern)
  const acknowledged = openAcknowledged(task.acknowledged, false)
  const started = performance.now()
  const node = await openNode(task.dir, { serving: true })
  tell({ kind: 'opened', seq: node.store.log.newest(), ms: performance.now() - started })
  const pools = startPoolReads(task)
  let { commits } = acknowledged.read()
  const stop = new AbortController()
  let hashWanted = false
  process.on('message', (message) => {
    hashWanted = message === STOP_AND_HASH
    stop.abort()
  })
  await feedMarket(node, market, {
    end: Number.MAX_SAFE_INTEGER,
    signal: stop.signal,
    onCommit() {
      acknowledged.write({ seq: node.engine.globals.seq, commits: ++commits })
    },
  })
  const poolReads = await pools.end()
  const seq = node.store.log.newest()
  const hash = hashWanted ? node.store.stateHash() : null
  await node.close()
  acknowledged.close()
  tell({ kind: 'closed', seq, hash, poolReads })
}

/** Ends with an error when a pool was answered with another token than its own. */
function startPoolReads({ dir, seed, pattern }: WriterTask): { end(): Promise<number> } {
  const workerData = { dir, seed, pattern }
  const thread = startThread('../../../test/soak/pool-reads-thread', { workerData })
  // a thread that fails ends the process: `error` has no listener until the end
  return {
    end: () =>
      new Promise((resolve, reject) => {
        thread.once('error', reject)
        thread.once('message', resolve)
        thread.postMessage('end')
      }),
  }
}
