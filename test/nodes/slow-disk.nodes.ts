import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { type NatsServer, startNats, withNats } from '../nats.ts'
import { command, replay } from '../simulation/service.ts'
import { eventually } from '../support/wait.ts'
import { assertAlike, createNode, untilAllAt } from './running.ts'

/** One server of the log on a disk that takes a fifth of a second for each write, once leading and once following. */
const dir = mkdtempSync(join(tmpdir(), 'nodes-slow-disk-'))
const capture = join(dir, 'market.capture')
after(() => rmSync(dir, { recursive: true, force: true }))
before(() => command('capture', 'simulate', capture, '--trades', '4000', '--seed', '11'))

const WRITE_US = 200_000
const CALLS = 'pwrite64,fsync,fdatasync'
const skip =
  withNats.skip ||
  (spawnSync('strace', ['-V']).status !== 0 && 'strace was not found: it makes the disk of a server slow')

/** Delays the writes of a server, and counts them, until it is ended. */
async function slowDown(server: NatsServer) {
  const calls = join(dir, 'calls')
  const args = ['-f', '-o', calls, '-e', `trace=${CALLS}`, '-e', `inject=${CALLS}:delay_enter=${WRITE_US}`]
  const tracer = spawn('strace', [...args, '-p', String(server.pid)], { stdio: ['ignore', 'ignore', 'pipe'] })
  await once(tracer.stderr, 'data')
  const delayed = (): number =>
    readFileSync(calls, 'utf8')
      .split('\n')
      .filter((line) => line.includes('DELAYED')).length
  return {
    delayed,
    async end() {
      tracer.kill('SIGINT')
      await once(tracer, 'close')
    },
  }
}

test('a slow disk of one server of the log costs time and nothing else, whether the server leads or follows', {
  ...withNats,
  skip,
}, async (t) => {
  const alone = await replay(capture, join(dir, 'alone'))
  const nats = await startNats(t, 3)
  const source = `capture:${capture}?speed=2`
  const bringing = [0, 1].map((i) => createNode({ dir, name: `in${i}`, role: 'ingest', nats, source }))
  const reader = createNode({ dir, name: 'out', role: 'serve', nats, source })
  const nodes = [...bringing, reader]
  t.after(() => Promise.all(nodes.map((node) => node.kill())))
  await Promise.all(nodes.map((node) => node.start()))
  for (const leads of [true, false]) {
    await nats.settled()
    const leader = await nats.leader()
    const server = leads ? leader! : nats.servers.find((one) => one !== leader)!
    const slow = await slowDown(server)
    const at = await reader.slot()
    const beganAt = performance.now()
    // a reader that was behind has some blocks to go without a write
    await eventually(
      'blocks arrive over delayed writes',
      async () => slow.delayed() > 0 && (await reader.slot()) > at + 20,
    )
    const ms = Math.round(performance.now() - beganAt)
    t.diagnostic(`${leads ? 'leader' : 'follower'}: 20 slots in ${ms} ms, ${slow.delayed()} writes delayed`)
    await slow.end()
  }
  await untilAllAt(nodes, alone.slot)
  await assertAlike(nodes, alone.state_hash)
})
