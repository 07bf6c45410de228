import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { LIMITS } from '../../src/config/limits.ts'
import { createEngine } from '../../src/engine/engine.ts'
import { createEntryStream } from '../../src/ingest/entries.ts'
import { createPipeline } from '../../src/ingest/pipeline.ts'
import { openNode } from '../../src/service/node.ts'
import { openSource } from '../../src/source/open.ts'
import { openStore, stateFile } from '../../src/store/open.ts'
import { startService } from './service.ts'

/** A data directory of other formulas: refused with the command that folds it anew, and that command does. */
const root = mkdtempSync(join(tmpdir(), 'old-directory-'))
after(() => rmSync(root, { recursive: true, force: true }))
const SPEC = 'simulator:seed=5&speed=0&trades=1500'
const bounds = { commitEvents: 500, commitDelayMs: 1_000, liveLagSeconds: 10 }

test('state of other formulas is refused by every command that needs it, and folded anew by the one they name', async () => {
  const old = join(root, 'old')
  const store = openStore(old, { formulasVersion: 'of another time' })
  const engine = createEngine({ reader: store, walletsCached: LIMITS.walletsCached })
  const entries = createEntryStream(await openSource(SPEC), LIMITS.batchBytes)
  await createPipeline({ entries, engine, store, now: Date.now, bounds }).run(new AbortController().signal)
  await store.close()
  const before = readFileSync(stateFile(old))

  const env = { DATA_DIR: old, SOURCE: SPEC, OBSERVE: 'off' }
  for (const args of [['serve'], ['export', '--parquet', join(root, 'out')], ['checkpoint', 'make', join(root, 'c')]]) {
    const { code, stderr } = await startService(env, args).exit
    assert.equal(code, 4, `${args[0]}: ${stderr}`)
    assert.match(stderr, /formulas of another time, this program needs .*`verify --repair`/, args[0])
  }
  assert.ok(readFileSync(stateFile(old)).equals(before), 'nothing was changed')

  const repaired = await startService(env, ['verify', '--repair']).exit
  assert.equal(repaired.code, 0, repaired.stderr)
  const hash = async (dir: string, feed: boolean): Promise<string> => {
    const node = await openNode(dir)
    if (feed) {
      const fresh = createEntryStream(await openSource(SPEC), LIMITS.batchBytes)
      await node.feed(fresh, { commit: LIMITS.commitReplay }).run(new AbortController().signal)
    }
    const text = node.store.stateHash()
    await node.close()
    return text
  }
  assert.equal(await hash(old, false), await hash(join(root, 'new'), true))
})
