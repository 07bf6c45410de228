import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { exportParquet } from '@ti/service/export/export.ts'
import { openNode } from '@ti/service/service/node.ts'
import { restoreCheckpoint } from '@ti/service/store/checkpoint.ts'
import { readCheckpointFile, writeCheckpointFile } from '@ti/service/store/checkpoint-file.ts'
import type { CopierTask, News } from './roles.ts'

/** Makes a checkpoint and restores it elsewhere, or an export, while the store is written; tells what the copy holds. */
export async function copy({ dir, aside, what }: CopierTask, tell: (news: News) => void): Promise<void> {
  rmSync(aside, { recursive: true, force: true })
  mkdirSync(aside, { recursive: true })
  if (what === 'export') {
    const tellNothing = (): void => {}
    const out = join(aside, 'export')
    const { manifest } = await exportParquet({
      dataDir: dir,
      out,
      onNews: tellNothing,
    })
    const bytes = Object.values(manifest.tables).reduce((sum, table) => sum + table.bytes, 0)
    tell({ kind: 'copied', seq: manifest.seq, hash: null, bytes })
  } else {
    const file = join(aside, 'checkpoint')
    const { seq, bytes } = await writeCheckpointFile(dir, file, { nowMs: Date.now() })
    const restored = join(aside, 'restored')
    mkdirSync(restored)
    await readCheckpointFile(file, (source) => restoreCheckpoint(source, restored))
    const node = await openNode(restored)
    const hash = node.store.stateHash()
    const newest = node.store.log.newest()
    await node.close()
    if (newest !== seq) throw new Error(`a checkpoint of log entry ${seq} restores to ${newest}`)
    tell({ kind: 'copied', seq, hash, bytes })
  }
  rmSync(aside, { recursive: true, force: true })
}
