import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { startNats, withNats } from '../nats.ts'
import { command, operatorOf, replay } from '../simulation/service.ts'
import { eventually } from '../support/wait.ts'
import { assertAlike, createNode, type RunningNode, untilAllAt } from './running.ts'

/** Every server of the log loses its disk while nodes run. */
const dir = mkdtempSync(join(tmpdir(), 'nodes-lost-log-'))
const capture = join(dir, 'market.capture')
after(() => rmSync(dir, { recursive: true, force: true }))
// two minutes at twice the pace: longer than three losses take, also on a busy machine
before(() => command('capture', 'simulate', capture, '--trades', '6000', '--tps', '25', '--seed', '11'))

const problemOf = async (node: RunningNode): Promise<string | undefined> =>
  ((await (await ask(node, 'readyz')).json()) as { readonly log_problem?: string }).log_problem

/** A node that cannot be asked has a reason, which it said. */
const ask = (node: RunningNode, path: string): Promise<Response> =>
  fetch(`${operatorOf(node.url()!)}/${path}`).catch((error: Error) =>
    assert.fail(`${node.name} cannot be asked: ${error.cause}\n${node.said()}`),
  )

async function metric(node: RunningNode, name: string): Promise<number> {
  const text = await (await ask(node, 'metrics')).text()
  const line = text.split('\n').find((one) => one.startsWith(`${name} `))
  assert.ok(line, `${name} of ${node.name}`)
  return Number(line.slice(name.length))
}

/** What the servers have when they come back: nothing, or what they had a while ago, as replicas that were behind. */
const LOSSES = ['nothing', 'nothing', 'older'] as const
/** servers have half a minute to agree on an end before it counts as lost */
const BACK_MS = 150_000

test('servers that come back empty, or behind, get the log again from the nodes that run', withNats, async (t) => {
  const alone = await replay(capture, join(dir, 'alone'))
  const nats = await startNats(t, 3)
  const source = `capture:${capture}?speed=2`
  const bringing = [0, 1].map((i) => createNode({ dir, name: `in${i}`, role: 'ingest', nats, source }))
  const serving = [0, 1].map((i) => createNode({ dir, name: `out${i}`, role: 'serve', nats, source }))
  const nodes = [...bringing, ...serving]
  t.after(() => Promise.all(nodes.map((node) => node.kill())))
  await Promise.all(nodes.map((node) => node.start()))
  const [reader] = serving as [RunningNode]
  for (const [before, has] of LOSSES.entries()) {
    const loss = before + 1
    const from = await reader.slot()
    await eventually('blocks arrive', async () => (await reader.slot()) > from + 5)
    const copies = nats.servers.map((_, i) => join(dir, `copy-${loss}-${i}`))
    await Promise.all(nats.servers.map((server) => server.kill()))
    if (has === 'older') {
      for (const [i, server] of nats.servers.entries()) server.copyDisk(copies[i]!)
      await Promise.all(nats.servers.map((server) => server.start()))
      const copiedAt = await reader.slot()
      await eventually('blocks arrive that the copies lack', async () => (await reader.slot()) > copiedAt + 5)
      await Promise.all(nats.servers.map((server) => server.kill()))
    }
    for (const node of nodes) {
      await eventually(`${node.name} says that the log is away`, async () =>
        /servers of the shared log do not answer/.test((await problemOf(node)) ?? ''),
      )
      assert.equal(await metric(node, 'ti_log_problem{problem="away"}'), 1)
    }
    const at = await reader.slot()
    const backAt = performance.now()
    await Promise.all(nats.servers.map((server, i) => server.replaceDisk(has === 'older' ? copies[i] : undefined)))
    await eventually('blocks arrive again', async () => (await reader.slot()) > at + 5, { deadlineMs: BACK_MS })
    t.diagnostic(`loss ${loss} (${has}): blocks again ${Math.round(performance.now() - backAt)} ms after the servers`)
    for (const node of nodes) {
      await eventually(`${node.name} has no problem`, async () => (await problemOf(node)) === undefined)
      // an older end need not be noticed by a node that comes after it was given back; two nodes may make the log anew after each other
      if (has === 'nothing') assert.ok((await metric(node, 'ti_log_lost_total')) >= loss, node.name)
    }
    const restored = await Promise.all(nodes.map((node) => metric(node, 'ti_log_restored_total')))
    assert.ok(
      restored.some((entries) => entries > 0),
      'some node gave back what it has',
    )
  }
  await untilAllAt(nodes, alone.slot)
  await assertAlike(nodes, alone.state_hash)
})
