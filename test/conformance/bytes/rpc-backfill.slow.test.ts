import assert from 'node:assert/strict'
import { appendFileSync, existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { keyToBase58 } from '@ti/core/base/base58.ts'
import type { Key } from '@ti/core/base/ids.ts'
import { LAUNCHPAD_PROGRAMS } from '@ti/core/model/programs.ts'
import { openCapture } from '@ti/service/source/capture/capture.ts'
import type { SourceItem } from '@ti/service/source/source.ts'
import { type FakeNode, startFakeNode } from '../../fakes/rpc.ts'
import { EMPTY, simulatedBlocks, sourceOf, stateHash } from '../../fakes/rpc-scene.ts'
import { startService } from '../../simulation/service.ts'

const dir = mkdtempSync(join(tmpdir(), 'backfill-'))
const blocks = await simulatedBlocks({ seed: 31, tps: 60, slots: 260 })
const from = blocks[0]!.slot
const last = blocks.at(-1)!.slot
const range = ['--from-slot', String(from), '--to-slot', String(last)]
let node: FakeNode

before(async () => {
  node = await startFakeNode(blocks)
  node.advance(last)
})
after(async () => {
  await node.close()
  rmSync(dir, { recursive: true, force: true })
})

const start = (...args: string[]) =>
  startService({ SOURCE_RPC_URL: node.url.href }, [
    'backfill',
    '--json',
    ...args,
    ...(args.includes('--rps') ? [] : ['--rps', '1000']),
  ])
const run = (...args: string[]) => start(...args).exit

async function itemsIn(path: string): Promise<SourceItem[]> {
  const items: SourceItem[] = []
  for await (const item of (await openCapture(path)).items(EMPTY, new AbortController().signal)) items.push(item)
  return items
}

const slotsOf = (items: readonly SourceItem[]) => items.flatMap((it) => (it.kind === 'raw' ? [it.block.slot] : []))
const nothingBeside = (path: string) =>
  assert.deepEqual(
    readdirSync(dir).filter((name) => join(dir, name).startsWith(path) && join(dir, name) !== path),
    [],
  )

test('a range of slots: the same state as the chain, whatever the node does meanwhile', async () => {
  const path = join(dir, 'range.capture')
  let n = 0
  node.knobs.http = () =>
    ++n % 11 === 0
      ? { kind: 'status', status: 429, headers: { 'retry-after': '0' } }
      : n % 17 === 0
        ? { kind: 'reset' }
        : undefined
  const { code, stdout, stderr } = await run(path, ...range)
  node.knobs.http = () => undefined
  assert.equal(code, 0, stderr)
  const { found, skipped, requests } = JSON.parse(stdout)
  assert.equal(found.raw, blocks.length)
  assert.equal(found.gap, 0)
  assert.ok(requests > blocks.length, `${requests} requests`)
  assert.ok(Object.keys(skipped).includes('filled_slot'), JSON.stringify(skipped))
  assert.equal(await stateHash(await openCapture(path)), await stateHash(sourceOf(blocks)))
  nothingBeside(path)
  assert.equal((await run(path, ...range)).code, 1, 'what is there is not written again')
})

test('killed again and again, it goes on where it was, and nothing is there twice', async () => {
  const path = join(dir, 'killed.capture')
  // slow enough to be killed in the middle of it
  let kills = 0
  let size = 0
  while (kills < 3) {
    const running = start(path, ...range, '--rps', '30')
    for (let n = 0; !existsSync(`${path}.partial`) || statSync(`${path}.partial`).size <= size; n++) {
      assert.ok(n < 6_000, 'nothing was written in a minute')
      await sleep(10)
    }
    size = statSync(`${path}.partial`).size
    running.child.kill(kills === 1 ? 'SIGINT' : 'SIGKILL')
    const { stderr } = await running.exit
    if (kills === 1) assert.match(stderr, /^interrupted at \d+%; .*\.partial stays: run the same command again/m)
    kills++
  }
  const other = await run(path, '--from-slot', String(from), '--to-slot', String(last - 1))
  assert.match(other.stderr, /it is about "blocks of slots/)
  const { code, stderr } = await run(path, ...range)
  assert.equal(code, 0, stderr)
  assert.deepEqual(
    slotsOf(await itemsIn(path)),
    blocks.map((block) => block.slot),
  )
  assert.equal(await stateHash(await openCapture(path)), await stateHash(sourceOf(blocks)))
  nothingBeside(path)
})

test('a budget of requests: each run keeps to it, the last one finishes', async () => {
  const path = join(dir, 'budget.capture')
  let runs = 0
  for (; !existsSync(path); runs++) {
    assert.ok(runs < 10, 'it gets on')
    const asked = node.asked.length
    const { code, stderr } = await run(path, ...range, '--requests', '90')
    assert.ok(node.asked.length - asked <= 90, `${node.asked.length - asked} requests`)
    if (code !== 0) assert.match(stderr, /requests of this run are used up; run the same command again/)
  }
  assert.ok(runs >= 3, `${runs} runs`)
  assert.deepEqual(
    slotsOf(await itemsIn(path)),
    blocks.map((block) => block.slot),
  )
})

test('what the node has lost or no longer keeps is a gap in the capture', async () => {
  const path = join(dir, 'gaps.capture')
  node.knobs.firstAvailable = blocks[20]!.slot
  node.knobs.lost.set(blocks[50]!.slot, -32009)
  node.knobs.lost.set(last, -32004)
  const { code, stdout, stderr } = await run(path, ...range)
  node.knobs.firstAvailable = from
  node.knobs.lost.clear()
  assert.equal(code, 0, stderr)
  const missing = [...blocks.slice(0, 20), blocks[50], blocks.at(-1)]
  const items = await itemsIn(path)
  assert.deepEqual(
    slotsOf(items),
    blocks.filter((block) => !missing.includes(block)).map((block) => block.slot),
  )
  const gaps = items.flatMap((it) =>
    it.kind === 'gap' ? blocks.filter(({ slot }) => slot >= it.from && slot <= it.to) : [],
  )
  assert.deepEqual(gaps, missing)
  assert.equal(JSON.parse(stdout).found.gap, 3)
})

test('a node that does not answer: nothing is taken for missing', async () => {
  const path = join(dir, 'silent.capture')
  node.knobs.http = (method, params) =>
    method === 'getBlock' && Number(params[0]) > blocks[20]!.slot ? { kind: 'status', status: 502 } : undefined
  const broken = run(path, ...range)
  await sleep(4_000)
  node.knobs.http = () => undefined
  const { code, stderr } = await broken
  assert.ok(code === 0 || /does not answer; run the same command/.test(stderr), stderr)
  if (code !== 0) assert.equal((await run(path, ...range)).code, 0)
  assert.deepEqual(
    slotsOf(await itemsIn(path)),
    blocks.map((block) => block.slot),
  )
})

/** The key that most transactions name, of those that `fits`. */
function busiest(fits: (key: Key) => boolean): Key {
  const seen = new Map<Key, number>()
  for (const { transactions } of blocks)
    for (const tx of transactions)
      for (const key of new Set(tx.keys)) if (fits(key)) seen.set(key, (seen.get(key) ?? 0) + 1)
  return [...seen].sort((a, b) => b[1] - a[1])[0]![0]
}

for (const kind of ['mint', 'wallet'] as const)
  test(`a ${kind}: its successful transactions in the order of the chain, over kills and pages`, async () => {
    const traded = new Set(
      blocks.flatMap(({ transactions }) => transactions.flatMap((tx) => tx.postTokens.map((row) => row.mint))),
    )
    const payers = new Set(blocks.flatMap(({ transactions }) => transactions.map((tx) => tx.keys[0]!)))
    const key = busiest((one) => (kind === 'mint' ? traded.has(one) && !payers.has(one) : payers.has(one)))
    const path = join(dir, `${kind}.capture`)
    node.knobs.page = 7
    const first = await run(path, `--${kind}`, keyToBase58(key), '--requests', '8')
    assert.match(first.stderr, /used up/)
    // killed while it noted a page
    appendFileSync(`${path}.backfill/signatures.txt`, '300000001 5Nf')
    const { code, stdout, stderr } = await run(path, `--${kind}`, keyToBase58(key))
    assert.equal(code, 0, stderr)
    const wanted = blocks.flatMap(({ slot, transactions }) =>
      transactions.filter((tx) => !tx.failed && tx.keys.includes(key)).map((tx) => `${slot} ${tx.signature}`),
    )
    const had = (await itemsIn(path)).flatMap((it) =>
      it.kind === 'raw' ? it.block.transactions.map((tx) => `${it.block.slot} ${tx.signature}`) : [],
    )
    assert.ok(wanted.length > 8, `${wanted.length} transactions`)
    assert.deepEqual(had, wanted)
    assert.equal(JSON.parse(stdout).found.transactions, wanted.length)
    nothingBeside(path)
  })

test('wrong questions are said', async () => {
  const out = join(dir, 'x')
  const key = keyToBase58(LAUNCHPAD_PROGRAMS[0]!)
  for (const [args, message] of [
    [[out], /one of --from-slot/],
    [[out, '--from-slot', '5'], /name a range/],
    [[out, '--from-slot', '5', '--to-slot', '4'], /name a range/],
    [[out, '--mint', key, '--wallet', key], /one of/],
    [[out, '--mint', 'nobody'], /--mint takes an address/],
    [[out, '--mint', key, '--rps', '0'], /--rps takes/],
    [[out, '--mint', key, '--rpc', 'ftp://x'], /http or https/],
  ] as const) {
    const { code, stderr } = await startService({}, ['backfill', ...args]).exit
    assert.equal(code, 2, stderr)
    assert.match(stderr, message)
  }
  const none = await startService({}, ['backfill', out, '--mint', key]).exit
  assert.match(none.stderr, /needs an address/)
  writeFileSync(`${out}.partial`, 'somebody else')
  assert.equal((await run(out, ...range)).code, 4)
})
