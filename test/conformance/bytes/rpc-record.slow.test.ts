import '@ti/lab/register.ts'
import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createSimulator } from '@ti/lab/simulator/simulator.ts'
import { openCapture } from '@ti/service/source/capture/capture.ts'
import { recordCapture } from '@ti/service/source/capture/record.ts'
import { openSource } from '@ti/service/source/open.ts'
import { createRpcSource } from '@ti/service/source/rpc/source.ts'
import type { Source } from '@ti/service/source/source.ts'
import { blockBytes } from '@ti/service/source/wire/writer.ts'
import { startFakeNode } from '../../fakes/rpc.ts'
import { cut, EMPTY, fastClock, simulatedBlocks, stateHash } from '../../fakes/rpc-scene.ts'
import { command, startService } from '../../simulation/service.ts'

const dir = mkdtempSync(join(tmpdir(), 'rpc-record-'))
after(() => rmSync(dir, { recursive: true, force: true }))
const { signal } = new AbortController()

test('a recording of the simulated market folds to the state of the market itself', async () => {
  const market = () => createSimulator({ seed: 21, tps: 40, speed: 0, slots: 150 })
  const path = join(dir, 'market.capture')
  const counts = await recordCapture(market(), path, { forMs: 60_000, signal })
  assert.ok(counts.facts > 0 && counts.raw > 100, `${counts.raw} blocks`)
  assert.equal(await stateHash(await openCapture(path)), await stateHash(market()))
})

test('a recording of a node with a lost block has the gap, and folds to the state of the source', async () => {
  const blocks = await simulatedBlocks({ seed: 22, tps: 20, slots: 60 })
  const node = await startFakeNode(blocks)
  const from = blocks[0]!.slot
  const last = blocks.at(-1)!.slot
  node.knobs.lost.set(blocks[30]!.slot, -32009)
  node.advance(last)
  const source = () => {
    const options = { url: node.url, wsUrl: null, requestsPerSecond: 1_000, clock: fastClock(50) }
    return cut(createRpcSource(options), { from, last })
  }
  const path = join(dir, 'node.capture')
  const counts = await recordCapture(source(), path, { forMs: 60_000, signal })
  assert.equal(counts.gap, 1)
  assert.equal(counts.raw, blocks.length - 1)
  assert.equal(await stateHash(await openCapture(path)), await stateHash(source()))
  await node.close()
})

async function digests(source: Source, most: number): Promise<string[]> {
  const items: string[] = []
  for await (const item of source.items(EMPTY, signal)) {
    items.push(item.kind === 'raw' ? blockBytes(item.block).toString('base64') : JSON.stringify(item))
    if (items.length === most) break
  }
  return items
}

test('a recorder that is killed leaves what `capture finish` makes a sound capture of', async () => {
  const path = join(dir, 'killed.capture')
  const spec = 'simulator:seed=23&tps=60&speed=0'
  const recorder = startService({}, ['capture', 'record', path, '--for', '1h', '--source', spec])
  const partial = `${path}.partial`
  for (let n = 0; !existsSync(partial) || statSync(partial).size < 3_000_000; n++) {
    assert.ok(n < 6_000, 'nothing was written in a minute')
    await sleep(10)
  }
  const busy = await startService({}, ['capture', 'finish', path]).exit
  assert.match(busy.stderr, /another process is using/)
  recorder.child.kill('SIGKILL')
  await recorder.exit
  assert.equal(existsSync(path), false, 'nothing unfinished has the name')
  const counts = JSON.parse(await command('capture', 'finish', path, '--json'))
  const had = await digests(await openCapture(path), Number.POSITIVE_INFINITY)
  assert.ok(had.length > 50, `${had.length} items`)
  assert.equal(counts.raw + counts.facts, had.length)
  assert.deepEqual(had, await digests(await openSource(spec), had.length))
  assert.equal(existsSync(partial) || existsSync(`${path}.recording`), false, 'nothing is left beside it')
})

test('Ctrl-C ends a recording with a whole capture', async () => {
  const path = join(dir, 'stopped.capture')
  const recorder = startService({}, [
    'capture',
    'record',
    path,
    '--for',
    '1h',
    '--source',
    'simulator:seed=24&tps=60&warmup=20',
    '--json',
  ])
  for (let n = 0; !existsSync(`${path}.partial`); n++) {
    assert.ok(n < 6_000, 'nothing was written in a minute')
    await sleep(10)
  }
  await sleep(300)
  recorder.child.kill('SIGINT')
  const { code, stdout, stderr } = await recorder.exit
  assert.equal(code, 0, stderr)
  const { info } = await openCapture(path)
  assert.deepEqual(JSON.parse(stdout.trim().split('\n').at(-1)!), info.counts)
  assert.ok(info.counts.raw > 10, `${info.counts.raw} blocks`)
})

test('what is asked for wrongly is said', async () => {
  for (const args of [['--for', '10'], ['--for', '8d'], [], ['--for', '1m', '--source', 'kafka:']]) {
    const { code, stderr } = await startService({}, ['capture', 'record', join(dir, 'x'), ...args]).exit
    assert.equal(code, 2, `${args}: ${stderr}`)
    assert.match(stderr, /takes a time like|no known kind/)
  }
})
