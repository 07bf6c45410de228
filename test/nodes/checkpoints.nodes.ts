import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { startNats, withNats } from '../nats.ts'
import { command, operatorOf, replay, startService } from '../simulation/service.ts'
import { eventually } from '../support/wait.ts'
import { assertAlike, createNode, type RunningNode, untilAllAt } from './running.ts'

const dir = mkdtempSync(join(tmpdir(), 'nodes-checkpoints-'))
const capture = join(dir, 'market.capture')
after(() => rmSync(dir, { recursive: true, force: true }))
before(() => command('capture', 'simulate', capture, '--trades', '12000', '--tps', '20', '--seed', '11'))

test('new nodes and nodes behind what the log keeps begin with a checkpoint of others', withNats, async (t) => {
  const alone = await replay(capture, join(dir, 'alone'))
  const nats = await startNats(t, 1)
  const short = join(dir, 'short.capture')
  await command('capture', 'simulate', short, '--trades', '1000', '--tps', '20', '--seed', '11')
  const beginning = await replay(short, join(dir, 'late'))
  const env = { LOG_KEEP_HOURS: '0.1', CHECKPOINTS: 'nats:' }
  const node = (name: string, role: 'all' | 'serve', more: Readonly<Record<string, string>>) =>
    createNode({ dir, name, role, nats, source: `capture:${capture}?speed=0`, env: more })
  const old = node('old', 'all', { ...env, CHECKPOINT_HOURS: '0.0001' })
  const young = node('young', 'serve', env)
  const late = node('late', 'serve', env)
  const lost = node('lost', 'serve', {})
  const nodes = [old, young, late, lost]
  t.after(() => Promise.all(nodes.map((one) => one.kill())))
  await old.start()
  await untilAllAt([old], alone.slot)
  const made = (): Promise<number> => metric(old, 'ti_checkpoints_total{outcome="made"}')
  // the next may have begun before the log was cut to what it keeps; the one after it did not
  const enough = (await made()) + 2
  // of the service's own making, by a process behind all others: half a minute each, on a busy machine many times that
  const patient = { deadlineMs: 10 * 60_000 }
  await eventually('a checkpoint is kept', async () => (await made()) >= enough, patient)
  const fetched = { DATA_DIR: join(dir, 'fetched'), LOG_URL: nats.url, CHECKPOINTS: 'nats:' }
  let said = ''
  await eventually(
    'it is fetched',
    async () => {
      const { code, stderr } = await startService(fetched, ['checkpoint', 'fetch']).exit
      said = stderr
      return code === 0
    },
    { ...patient, seen: () => said },
  )
  assert.ok(beginning.slot < alone.slot, 'the late node is behind')
  await Promise.all([young.start(), late.start()])
  await untilAllAt([young, late], alone.slot)
  await assert.rejects(lost.start(), /the log begins at \d+: set CHECKPOINTS/)
  await assertAlike([old, young, late], alone.state_hash)
})

test('a node of another log is refused, and what it has stays as it is', withNats, async (t) => {
  const nats = await startNats(t, 1)
  const other = join(dir, 'other.capture')
  await command('capture', 'simulate', other, '--trades', '1000', '--seed', '12')
  const alone = await replay(capture, join(dir, 'alone-too'))
  const stranger = await replay(other, join(dir, 'stranger'))
  const mine = createNode({ dir, name: 'mine', role: 'all', nats, source: `capture:${capture}?speed=0` })
  const theirs = createNode({ dir, name: 'stranger', role: 'serve', nats, source: 'simulator:' })
  t.after(() => Promise.all([mine, theirs].map((node) => node.kill())))
  await mine.start()
  await untilAllAt([mine], alone.slot)
  await assert.rejects(
    theirs.start(),
    /the log is of the chain simulator:seed=11&.*, and the state in DATA_DIR of the chain simulator:seed=12&/,
  )
  await assertAlike([theirs], stranger.state_hash)
})

test('where the log is full a node says so, and goes on once there is room', withNats, async (t) => {
  const nats = await startNats(t, 1, { storeBytes: 1 << 20 })
  const alone = await replay(capture, join(dir, 'alone-full'))
  const node = createNode({ dir, name: 'full', role: 'all', nats, source: `capture:${capture}?speed=0` })
  t.after(() => node.kill())
  await node.start()
  await eventually('it says that it cannot write', async () => (await metric(node, 'ti_log_unwritten_total')) > 2)
  const [server] = nats.servers
  const reached = await node.slot()
  assert.ok(reached > 0 && reached < alone.slot, `slot ${reached} of ${alone.slot}`)
  await server!.kill()
  nats.allow(1 << 30)
  await server!.start()
  await untilAllAt([node], alone.slot)
  await assertAlike([node], alone.state_hash)
})

/** A number of a node's metrics, 0 while it has none of that name. */
async function metric(node: RunningNode, name: string): Promise<number> {
  const metrics = await (await fetch(`${operatorOf(node.url()!)}/metrics`)).text()
  const line = metrics.split('\n').find((one) => one.startsWith(`${name} `))
  return Number(line?.slice(name.length + 1) ?? 0)
}
