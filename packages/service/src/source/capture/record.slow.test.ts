import assert from 'node:assert/strict'
import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { createSimulator } from '@ti/lab/simulator/simulator.ts'
import { OperatorError } from '../../base/errors.ts'
import type { Source, SourceItem } from '../source.ts'
import { blockBytes } from '../wire/writer.ts'
import { openCapture } from './capture.ts'
import { recordCapture } from './record.ts'
import { createCaptureWriter, resumeCaptureWriter } from './writer.ts'

const dir = mkdtempSync(join(tmpdir(), 'record-test-'))
after(() => rmSync(dir, { recursive: true, force: true }))

const EMPTY = { slot: -1, time: 0, facts: 0 }
const HEADER = { created_at: '2026-01-01T00:00:00Z', source: 'test', chain: null, holds: 'test material' }
const { signal } = new AbortController()
const plain = (item: SourceItem) => (item.kind === 'raw' ? blockBytes(item.block).toString('base64') : item)

async function collect(source: Source): Promise<unknown[]> {
  const items: unknown[] = []
  for await (const item of source.items(EMPTY, signal)) items.push(plain(item))
  return items
}

const material: SourceItem[] = [{ kind: 'gap', from: 5, to: 9 }]
for await (const item of createSimulator({ seed: 2, speed: 0, slots: 260 }).items(EMPTY, signal)) material.push(item)
material.push({ kind: 'gap', from: 400_000_000, to: 400_000_002 }, { kind: 'facts', time: 5, facts: [] })
const of = (items: readonly SourceItem[], then: () => Promise<unknown> = async () => {}): Source => ({
  name: 'list',
  async *items() {
    yield* items
    await then()
  },
})

test('a source that ends is recorded whole, gaps and all', async () => {
  const path = join(dir, 'whole.capture')
  const counts = await recordCapture(of(material), path, { forMs: 60_000, signal })
  assert.equal(counts.gap, 2)
  const capture = await openCapture(path)
  assert.deepEqual(capture.info.counts, counts)
  assert.deepEqual(await collect(capture), material.map(plain))
})

test('the time, or an abort, ends it, also while the source is silent', async () => {
  const timed = join(dir, 'timed.capture')
  await recordCapture({ name: 'x', items: stoppable(material.slice(0, 9)) }, timed, {
    forMs: 150,
    signal,
  })
  assert.equal((await collect(await openCapture(timed))).length, 9)
  const stop = new AbortController()
  setTimeout(() => stop.abort(), 100)
  const stopped = join(dir, 'stopped.capture')
  await recordCapture({ name: 'x', items: stoppable(material.slice(0, 7)) }, stopped, {
    forMs: 60_000,
    signal: stop.signal,
  })
  assert.equal((await collect(await openCapture(stopped))).length, 7)
})

/** Goes silent after its items; an abort ends it. */
const stoppable = (items: readonly SourceItem[]) =>
  async function* (_: unknown, stop: AbortSignal): AsyncGenerator<SourceItem> {
    yield* items
    await new Promise<void>((done) => stop.addEventListener('abort', () => done(), { once: true }))
  }

test('a source that fails leaves what was had', async () => {
  const path = join(dir, 'failed.capture')
  const failing = of(material.slice(0, 50), () => Promise.reject(new OperatorError('gone')))
  await assert.rejects(recordCapture(failing, path, { forMs: 60_000, signal }), /gone/)
  const writer = await resumeCaptureWriter(path)
  await writer.finish()
  assert.deepEqual(await collect(await openCapture(path)), material.slice(0, 50).map(plain))
})

/** What a killed writer left, with where its chunks end. */
async function interrupted(name: string): Promise<{ path: string; partial: string; bytes: Buffer }> {
  const path = join(dir, name)
  const writer = await createCaptureWriter(path, HEADER)
  for (const [i, item] of material.entries()) {
    await writer.write(item)
    if (i % 60 === 59) await writer.flush()
  }
  await writer.leave()
  return { path, partial: `${path}.partial`, bytes: readFileSync(`${path}.partial`) }
}

test('cut at any byte, it goes on behind the last whole chunk', async () => {
  const { path, partial, bytes } = await interrupted('torn.capture')
  const places = [150, 1_000, bytes.length - 1, bytes.length]
  for (let i = 1; i < 12; i++) places.push(Math.floor((bytes.length * i) / 12))
  for (const [n, at] of places.entries()) {
    writeFileSync(partial, bytes.subarray(0, at))
    if (n % 2 === 1) appendFileSync(partial, Buffer.alloc(90, n))
    const writer = await resumeCaptureWriter(path)
    const had = (await collectPartial(writer, path)).length
    assert.equal(had <= material.length, true)
    rmSync(path)
  }

  async function collectPartial(writer: Awaited<ReturnType<typeof resumeCaptureWriter>>, file: string) {
    // goes on with what the interrupted one did not get to
    const reached = writer.reached
    const counts = await writer.finish()
    const items = await collect(await openCapture(file))
    assert.deepEqual(items, material.slice(0, items.length).map(plain))
    assert.equal(counts.raw + counts.facts + counts.gap, items.length)
    assert.ok(reached <= 400_000_002, 'reached')
    return items
  }
})

test('a resumed writer ends with the file of one that was not interrupted', async () => {
  const { path, partial, bytes } = await interrupted('resumed.capture')
  truncateSync(partial, Math.floor(bytes.length * 0.6))
  const writer = await resumeCaptureWriter(path)
  const at = material.findLastIndex((item) => item.kind === 'raw' && item.block.slot <= writer.reached) + 1
  // facts behind the last block may have been kept: twice is no harm
  for (const item of material.slice(at)) await writer.write(item)
  await assert.rejects(writer.write({ kind: 'gap', from: 7, to: 8 }), /slot 7 after/)
  const counts = await writer.finish()
  const items = await collect(await openCapture(path))
  assert.deepEqual(new Set(items), new Set(material.map(plain)))
  assert.equal(counts.raw, material.filter((item) => item.kind === 'raw').length)
  assert.ok(statSync(path).size > 1_000_000, 'it is all there')
})

test('what is no unfinished capture is refused by name', async () => {
  await assert.rejects(resumeCaptureWriter(join(dir, 'nothing')), /nothing.partial: cannot be opened/)
  writeFileSync(join(dir, 'foreign.partial'), 'something else, and long enough')
  await assert.rejects(resumeCaptureWriter(join(dir, 'foreign')), /does not start like a capture/)
  assert.equal(readFileSync(join(dir, 'foreign.partial'), 'utf8'), 'something else, and long enough', 'left as it was')
  await assert.rejects(resumeCaptureWriter(join(dir, 'whole.capture')), /exists already/)
})
