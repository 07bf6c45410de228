import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { startNats, withNats } from '../nats.ts'
import { command, replay, startService } from '../simulation/service.ts'
import { eventually } from '../support/wait.ts'
import { assertAlike, createNode, untilAllAt } from './running.ts'

/** Nodes of two chains, which a log must never mix. */
const dir = mkdtempSync(join(tmpdir(), 'nodes-chain-'))
const ours = join(dir, 'ours.capture')
const theirs = join(dir, 'theirs.capture')
after(() => rmSync(dir, { recursive: true, force: true }))
before(async () => {
  await command('capture', 'simulate', ours, '--trades', '2000', '--seed', '11')
  await command('capture', 'simulate', theirs, '--trades', '2000', '--seed', '12')
})

const OURS = 'simulator:seed=11&tps=60&market=3'
const THEIRS = 'simulator:seed=12&tps=60&market=3'

test(
  'an ingest node of another chain is refused with both names, with and without a state of its own',
  withNats,
  async (t) => {
    const alone = await replay(ours, join(dir, 'alone'))
    const nats = await startNats(t, 1)
    const node = createNode({ dir, name: 'in', role: 'ingest', nats, source: `capture:${ours}?speed=0` })
    t.after(() => node.kill())
    await node.start()
    await eventually('the log has begun', async () => (await node.slot()) > 0)
    const foreign = (dataDir: string, source: string) =>
      startService({ DATA_DIR: join(dir, dataDir), LOG_URL: nats.url, SOURCE: source, OBSERVE: 'off' }, [
        'serve',
        '--role',
        'ingest',
      ]).exit

    for (const source of [`capture:${theirs}?speed=1`, 'simulator:seed=12']) {
      const { code, stderr } = await foreign(`new-${source.length}`, source)
      assert.equal(code, 5, stderr)
      assert.ok(stderr.includes(`SOURCE brings the chain ${THEIRS}, and the log is of the chain ${OURS}`), stderr)
    }
    await replay(theirs, join(dir, 'used'))
    const { code, stderr } = await foreign('used', `capture:${theirs}`)
    assert.equal(code, 5, stderr)
    assert.ok(
      stderr.includes(`the log is of the chain ${OURS}, and the state in DATA_DIR of the chain ${THEIRS}`),
      stderr,
    )

    await untilAllAt([node], alone.slot)
    await assertAlike([node], alone.state_hash)
  },
)

test(
  'a log that was emptied and begun by a node of another chain ends nodes with both names, and changes none',
  withNats,
  async (t) => {
    const nats = await startNats(t, 1)
    const node = createNode({ dir, name: 'emptied', role: 'ingest', nats, source: `capture:${ours}?speed=2` })
    t.after(() => node.kill())
    await node.start()
    await eventually('it has folded something', async () => (await node.slot()) > 0)
    node.freeze()
    await nats.servers[0]!.replaceDisk()
    const other = createNode({ dir, name: 'other', role: 'ingest', nats, source: `capture:${theirs}?speed=2` })
    t.after(() => other.kill())
    await other.start()
    await eventually('the other one writes', async () => (await other.slot()) > 0)
    node.thaw()
    const { code, stderr } = await node.ended()
    assert.equal(code, 5, stderr)
    assert.ok(
      stderr.includes(`the log is of the chain ${THEIRS}, and the state in DATA_DIR of the chain ${OURS}`),
      stderr,
    )
  },
)

test('a directory of one chain refuses a source of another, also without a shared log', async () => {
  await replay(ours, join(dir, 'single'))
  const env = { DATA_DIR: join(dir, 'single'), SOURCE: 'simulator:seed=12', OBSERVE: 'off' }
  const { code, stderr } = await startService(env, ['serve']).exit
  assert.equal(code, 5, stderr)
  assert.ok(stderr.includes(`SOURCE brings the chain ${THEIRS}, and the log is of the chain ${OURS}`), stderr)
})
