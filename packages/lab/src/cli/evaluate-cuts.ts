import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { keyToBase58 } from '@ti/core/base/base58.ts'
import { SNAPSHOT_GROUPS } from '@ti/core/contract/resources.ts'
import { createQuery } from '@ti/core/query/create-query.ts'
import { type Io, throwIfInterrupted } from '@ti/service/cli/io.ts'
import { createThreadedEntryStream } from '@ti/service/ingest/thread.ts'
import { untilSlot } from '@ti/service/ingest/until.ts'
import { COMMIT_REPLAY, type Node, openNode } from '@ti/service/service/node.ts'
import { createRandom } from '../evaluate/random.ts'

/** slots at which `evaluate` compares a run cut short with the whole one, and tokens compared at each */
const EVALUATE_CUTS = 10
const EVALUATE_CUT_TOKENS = 300

/** Random slots of a log at which two runs are compared, ascending. */
export function drawCuts(firstSlot: number, lastSlot: number, seed: number): number[] {
  const random = createRandom(seed, 'cuts')
  const cuts = Array.from({ length: EVALUATE_CUTS }, () =>
    Math.floor(firstSlot + random.float() * (lastSlot - firstSlot)),
  )
  return cuts.sort((a, b) => a - b)
}

/** SHA-256 over what is served now: lists, and snapshots of live tokens. Also valid before an entry is committed. */
export function hashServed({ engine, store }: Pick<Node, 'engine' | 'store'>): string {
  const query = createQuery({ engine, store })
  const hash = createHash('sha256')
  for (const name of ['new', 'pumps', 'graduated', 'survivors'] as const) hash.update(query.list(name).bytes)
  // dead tokens may or may not have left memory
  const alive = [...engine.tokens.live()].filter(({ token }) => !token.dead)
  const ids = alive.map(({ token }) => token.id).sort((a, b) => a - b)
  for (const id of ids.slice(-EVALUATE_CUT_TOKENS)) {
    const { mint } = engine.tokens.peekId(id)!.token
    hash.update(query.snapshot(keyToBase58(mint), SNAPSHOT_GROUPS)!.bytes)
  }
  return hash.digest('hex')
}

/** Folds the capture in pieces. At each cut the run, which knows nothing later, hashes what it serves and restarts. */
export async function runCut(file: string, cuts: readonly number[], io: Io, update: (share: number) => void) {
  const dir = mkdtempSync(join(tmpdir(), 'token-intelligence-'))
  const removed = io.leaves(dir)
  try {
    const served: string[] = []
    for (const [i, cut] of [...cuts, Number.POSITIVE_INFINITY].entries()) {
      const node = await openNode(dir)
      try {
        const whole = createThreadedEntryStream(`capture:${file}?speed=0`, dir)
        const pipeline = node.feed(i === cuts.length ? whole : untilSlot(whole, cut), { commit: COMMIT_REPLAY })
        await pipeline.run(io.signal)
        throwIfInterrupted(io)
        update((i + 1) / (cuts.length + 1))
        if (i === cuts.length) return { served, stateHash: node.store.stateHash() }
        served.push(hashServed(node))
      } finally {
        await node.close()
      }
    }
    throw new Error('unreachable')
  } finally {
    rmSync(dir, { recursive: true, force: true })
    removed()
  }
}
