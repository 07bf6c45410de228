import { openNode } from '@ti/service/service/node.ts'
import { feedMarket } from './feed.ts'
import { createMarket } from './market.ts'
import type { News, TwinTask } from './roles.ts'

/** Events of a commit of the twin: another grouping than any pattern's. */
const COMMIT_EVENTS = 60_000

/** The plain fold of the same entries: goes on to `untilSeq` in large commits, undisturbed, and tells the hash there. */
export async function foldTwin(task: TwinTask, tell: (news: News) => void): Promise<void> {
  const node = await openNode(task.dir)
  const market = createMarket(task.seed, task.pattern)
  await feedMarket(node, market, { end: task.untilSeq + 1, commitEvents: COMMIT_EVENTS })
  const seq = node.store.log.newest()
  if (seq !== task.untilSeq) throw new Error(`the twin is at ${seq}, asked for ${task.untilSeq}`)
  tell({ kind: 'folded', seq, hash: node.store.stateHash() })
  await node.close()
}
