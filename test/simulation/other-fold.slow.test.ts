import '@ti/lab/register.ts'
import assert from 'node:assert/strict'
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { EXIT, OperatorError } from '@ti/service/base/errors.ts'
import { createEntryStream } from '@ti/service/ingest/entries.ts'
import { openSegmentLog } from '@ti/service/log/segments/segment-log.ts'
import { COMMIT_REPLAY, type NodeOptions, openNode, type Preparation } from '@ti/service/service/node.ts'
import { openSource } from '@ti/service/source/open.ts'
import { FOLD_FINGERPRINT } from '@ti/service/store/fingerprint.ts'
import { logDir, OtherFold, openStoreToRead, stateFile } from '@ti/service/store/open.ts'
import { markState, OTHER_FINGERPRINT } from '../support/other-fold.ts'
import { startService } from './service.ts'

/** A data directory whose state another build folded, with other results from the same log. */
const root = mkdtempSync(join(tmpdir(), 'other-fold-'))
after(() => rmSync(root, { recursive: true, force: true }))
const SPEC = 'simulator:seed=5&speed=0&trades=30000'
const theirs = join(root, 'theirs')
let [fresh, other] = ['', '']

before(async () => {
  fresh = await fold(join(root, 'fresh'))
  // without its strongest evidence the fold finds other groups
  other = await fold(theirs, { hide: ['atomic', 'payer', 'transfer'] })
  assert.notEqual(other, fresh)
  markState(theirs, { fingerprint: OTHER_FINGERPRINT })
})

async function fold(dir: string, options: NodeOptions = {}): Promise<string> {
  const node = await openNode(dir, options)
  const entries = createEntryStream(await openSource(SPEC))
  await node.feed(entries, { commit: COMMIT_REPLAY }).run(new AbortController().signal)
  return closed(node)
}

async function closed(node: Awaited<ReturnType<typeof openNode>>): Promise<string> {
  const hash = node.store.stateHash()
  await node.close()
  return hash
}

function copy(name: string): string {
  const dir = join(root, name)
  cpSync(theirs, dir, { recursive: true })
  return dir
}

test('it is folded again when it is opened, with progress, to the state that a fresh fold of its log gives', async () => {
  const dir = copy('opened')
  const progress: Preparation[] = []
  const found: string[] = []
  const node = await openNode(dir, {
    onPreparation: (one) => void progress.push(one),
    onOtherFold: ({ message }) => void found.push(message),
    onRepair: () => assert.fail('it is not damaged'),
  })
  assert.equal(await closed(node), fresh)
  assert.match(found.join('\n'), /fingerprint 0123456789abcdef, this one has [0-9a-f]{16}/)
  assert.ok(progress.length > 1, `${progress.length} words of progress`)
  assert.deepEqual(progress.at(-1), { what: 'folding the log', done: progress[0]!.of, of: progress[0]!.of })
  assert.deepEqual(
    readdirSync(dir).filter((name) => name.startsWith('state')),
    ['state'],
  )
  await (await openNode(dir, { onPreparation: () => assert.fail('it is whole') })).close()
})

test('an interrupted refold keeps the other state, and goes on at the next start', async () => {
  const dir = copy('interrupted')
  const stop = new AbortController()
  await assert.rejects(
    openNode(dir, { signal: stop.signal, onPreparation: () => stop.abort() }),
    /next start continues/,
  )
  assert.ok(existsSync(join(dir, 'state-of-other-build')))
  let first = 0
  const node = await openNode(dir, { onPreparation: ({ of }) => (first ||= of) })
  assert.ok(first > 0 && first < node.store.log.newest() + 1, `${first} entries were left`)
  assert.equal(await closed(node), fresh)
  assert.equal(existsSync(join(dir, 'state-of-other-build')), false)
})

test('without the beginning of its log it is refused, and nothing is changed', async () => {
  const dir = copy('incomplete')
  markState(dir, { fingerprint: FOLD_FINGERPRINT })
  const store = openStoreToRead(dir)
  const [{ seq, chain }, { log: id }] = [store.position(), store.identity]
  await store.close()
  rmSync(logDir(dir), { recursive: true })
  openSegmentLog(logDir(dir), { begin: { id, seq: seq + 1, chain } }).close()
  markState(dir, { fingerprint: OTHER_FINGERPRINT })
  const state = readFileSync(stateFile(dir))
  await assert.rejects(openNode(dir), (error) => {
    assert.ok(error instanceof OperatorError && error.exitCode === EXIT.badFile, String(error))
    assert.match(error.message, /cannot be folded.*Restore the newest checkpoint/)
    return true
  })
  assert.ok(readFileSync(stateFile(dir)).equals(state))
})

test('commands that read it refuse it, and the service folds it again', async () => {
  const dir = copy('served')
  const env = { DATA_DIR: dir, SOURCE: SPEC, OBSERVE: 'off', PAYMENTS: 'off' }
  for (const args of [
    ['export', '--parquet', join(root, 'out')],
    ['checkpoint', 'make', join(root, 'c')],
  ]) {
    const { code, stderr } = await startService(env, args).exit
    assert.equal(code, EXIT.badFile, `${args[0]}: ${stderr}`)
    assert.match(stderr, /folded by another build.*The service folds it again.*`verify --repair`/, args[0])
  }
  assert.throws(() => openStoreToRead(dir), OtherFold)
  const service = startService(env)
  await service.url
  service.child.kill('SIGTERM')
  const { stderr } = await service.exit
  assert.match(stderr, /folding the log/)
  assert.equal(await closed(await openNode(dir)), fresh)
})
