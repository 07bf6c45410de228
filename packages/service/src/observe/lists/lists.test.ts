import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtemp, rename, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { keyToBase58 } from '@ti/core/base/base58.ts'
import { until } from '../../../../../test/support/observe-internet.ts'
import {
  type Answering,
  createFakeClock,
  createFakeLogger,
  createFakeMissing,
  createFakeOutbound,
  keyOf,
} from '../../../../../test/support/observe-scene.ts'
import type { MissingFacts } from '../types.ts'
import { createKolsObserver, FACTS_AT_ONCE, FILE_LOOK_MS, URL_LOOK_MS } from './kols.ts'
import { createListReader, LIST_BYTES, LIST_WALLETS } from './wallet-list.ts'

let folder = ''
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lists-'))
})
after(() => rm(folder, { recursive: true }))

const clock = createFakeClock()
const none = createFakeOutbound(clock, () => ({ refuse: 'closed' }))
const wallet = (n: number): string => keyToBase58(keyOf(n))
const SIGNAL = new AbortController().signal

let written = 0
/** Replaces the file as an editor does, with a time of its own. */
async function write(path: string, content: unknown): Promise<void> {
  const text = typeof content === 'string' ? content : JSON.stringify(content)
  await writeFile(`${path}.new`, text)
  await utimes(`${path}.new`, 1_700_000_000, 1_700_000_000 + ++written)
  await rename(`${path}.new`, path)
}

test('a file is read when it changed, and refused whole when anything in it is wrong', async () => {
  const path = join(folder, 'list.json')
  const read = createListReader(path, none)
  assert.deepEqual(await read(SIGNAL), { state: 'broken', why: 'ENOENT' })
  await write(path, [
    { wallet: wallet(1), name: 'one' },
    { wallet: wallet(2), name: ' two\u202e ', twitter: 'x' },
    { wallet: wallet(1), name: 'late' },
  ])
  const first = await read(SIGNAL)
  assert.deepEqual(first.state === 'new' && [...first.list].sort(), [
    [keyOf(1), 'one'],
    [keyOf(2), 'two'],
  ])
  assert.deepEqual(await read(SIGNAL), { state: 'same' })
  const broken: [unknown, RegExp][] = [
    ['[', /not JSON/],
    ['', /not JSON/],
    [{ wallets: [] }, /the list/],
    [[{ wallet: 'x', name: 'one' }], /0\.wallet: base58 of 32 bytes/],
    [
      [
        { wallet: wallet(1), name: 'one' },
        { wallet: wallet(2), name: '\u200e ' },
      ],
      /1\.name: a visible name/,
    ],
    [[{ wallet: wallet(1) }], /0\.name/],
    [Array.from({ length: LIST_WALLETS + 1 }, (_, n) => ({ wallet: wallet(n), name: 'x' })), /the list/],
    [`[${' '.repeat(LIST_BYTES)}]`, /bytes/],
  ]
  for (const [content, why] of broken) {
    await write(path, content)
    const look = await read(SIGNAL)
    assert.match(look.state === 'broken' ? look.why : look.state, why)
    assert.equal((await read(SIGNAL)).state, 'broken', 'a broken one is looked at again')
  }
  await write(path, [])
  assert.equal((await read(SIGNAL)).state, 'new')
})

test('what is no file is not waited for', async () => {
  const pipe = join(folder, 'pipe')
  execFileSync('mkfifo', [pipe])
  assert.deepEqual(await createListReader(pipe, none)(SIGNAL), { state: 'broken', why: 'it is not a file' })
  assert.equal((await createListReader(folder, none)(SIGNAL)).state, 'broken')
})

function scene(place: string, answer: () => Answering = () => ({ refuse: 'server' }), kols?: MissingFacts['kols']) {
  const time = createFakeClock()
  const missing = { ...createFakeMissing(), ...(kols === undefined ? {} : { kols }) }
  const outbound = createFakeOutbound(time, answer)
  const { logger, lines } = createFakeLogger()
  const read = createListReader(place, outbound)
  const around = { clock: time, random: () => 0.5 }
  const observer = createKolsObserver({ place, read, missing, report: missing.report, logger, around })
  const reported = (): unknown[] =>
    missing.reported.map(({ fact }) => (fact.kind === 'kol' ? [fact.wallet, fact.name] : fact))
  return {
    time,
    observer,
    outbound,
    lines,
    reported,
    looks: () => [...observer.status().counts.values()].reduce((a, b) => a + b, 0),
  }
}

test('the file of influencers is followed: newcomers, new names, who left, and nothing for a broken one', async () => {
  const path = join(folder, 'kols.json')
  await write(path, [
    { wallet: wallet(1), name: 'one' },
    { wallet: wallet(2), name: 'two' },
  ])
  const { time, observer, reported, lines, looks } = scene(path)
  const look = async (): Promise<void> => {
    const before = looks()
    await time.pass(FILE_LOOK_MS)
    await until('a look', () => looks() > before && observer.status().inFlight === 0)
  }
  observer.start()
  await until('a first look', () => observer.status().inFlight === 0)
  assert.deepEqual(reported().sort(), [
    [keyOf(1), 'one'],
    [keyOf(2), 'two'],
  ])
  await look()
  assert.equal(reported().length, 2)
  await write(path, '[{"wallet":')
  await look()
  await look()
  assert.equal(reported().length, 2, 'the last good one stays')
  assert.equal(lines.filter((line) => line.includes('cannot be read')).length, 1, 'said once')
  await write(path, [
    { wallet: wallet(2), name: 'zwei' },
    { wallet: wallet(3), name: 'three' },
  ])
  await look()
  assert.deepEqual(reported().slice(2).sort(), [
    [keyOf(1), null],
    [keyOf(2), 'zwei'],
    [keyOf(3), 'three'],
  ])
  await rm(path)
  await look()
  assert.equal(reported().length, 5)
  await observer.close()
})

test('after a start only what changed is reported, where the world knows its influencers', async () => {
  const path = join(folder, 'known.json')
  await write(path, [
    { wallet: wallet(1), name: 'one' },
    { wallet: wallet(2), name: 'two' },
  ])
  const known = [
    { wallet: keyOf(1), name: 'one' },
    { wallet: keyOf(9), name: 'gone' },
  ]
  const { observer, reported } = scene(path, undefined, () => known)
  observer.start()
  await until('a first look', () => observer.status().inFlight === 0)
  assert.deepEqual(reported(), [
    [keyOf(9), null],
    [keyOf(2), 'two'],
  ])
  await observer.close()
})

test('a URL is asked now and then, as the operator’s, and long lists are reported in pieces', async () => {
  const many = Array.from({ length: FACTS_AT_ONCE + 1 }, (_, n) => ({ wallet: wallet(n), name: `n${n}` }))
  let answer: Answering = many
  const { time, observer, outbound, reported, lines } = scene('https://lists.example/kols?key=secret', () => answer)
  observer.start()
  await time.pass(1)
  assert.equal(reported().length, many.length)
  answer = { refuse: 'timeout' }
  await time.pass(URL_LOOK_MS)
  assert.equal(reported().length, many.length)
  answer = many.slice(1)
  await time.pass(URL_LOOK_MS)
  assert.deepEqual(reported().slice(many.length), [[keyOf(0), null]])
  assert.deepEqual(
    outbound.asked.map(({ namedBy, purpose }) => `${namedBy} ${purpose}`),
    Array(3).fill('operator list'),
  )
  assert.equal(lines.join().includes('secret'), false, 'the query may be a key')
  await observer.close()
})
