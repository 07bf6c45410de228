import assert from 'node:assert/strict'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { sigToBase58 } from '@ti/core/base/base58.ts'
import type { Trade } from '@ti/core/contract/resources.ts'
import { uniqueId } from '@ti/core/query/trade.ts'
import { EXIT } from '@ti/service/base/errors.ts'
import { openStore } from '@ti/service/store/open.ts'
import { runs, seed } from '../support/chance.ts'
import { seededRandom } from '../support/random.ts'
import { makeKeys } from './keys.ts'
import { command, operatorOf, replay, type Started, startService } from './service.ts'

/** The process is killed while it ingests and serves, again and again; nothing may be lost, repeated or changed. */
const SEED = seed()
const KILLS = runs(20)
const TRADES = 40_000
/** slots between two kills at most: the capture has about 1,700 */
const MOST_SLOTS = 40

const dir = mkdtempSync(join(tmpdir(), 'crash-'))
const capture = join(dir, 'market.capture')
/** for what does not depend on how much there is */
const small = join(dir, 'small.capture')
after(() => rmSync(dir, { recursive: true, force: true }))
before(async () => {
  await command('capture', 'simulate', capture, '--trades', String(TRADES), '--seed', '7')
  await command('capture', 'simulate', small, '--trades', '8000', '--seed', '7')
})

/** Reads lists and trades as a client would, remembering every trade it was shown, until the service is gone. */
async function watch(url: string, key: string, shown: Map<string, number>): Promise<void> {
  const get = async (path: string) => {
    const answer = await fetch(url + path, { headers: { authorization: `Bearer ${key}` } })
    return answer.ok ? ((await answer.json()) as { data: unknown }).data : []
  }
  try {
    for (;;) {
      for (const { mint } of ((await get('/v1/tokens/new')) as { mint: string }[]).slice(0, 5)) {
        for (const trade of (await get(`/v1/tokens/${mint}/trades`)) as Trade[]) shown.set(trade.unique_id, trade.slot)
      }
      await setTimeout(50)
    }
  } catch {
    // the service was killed in the middle of an answer: what was not answered was not shown
  }
}

/** Null when the connection broke. */
async function slotOf(url: string): Promise<number | null> {
  try {
    return ((await (await fetch(`${operatorOf(url)}/readyz`)).json()) as { slot: number }).slot
  } catch {
    return null
  }
}

/**
 * Waits until the service is some slots past `from`, so that each kill finds it at work and further than the last; or at
 * `last`, where the capture ends. A connection that breaks is tried again while the process lives; when it has died by
 * itself, what it said is the failure.
 */
async function reaches(service: Started, from: number, slots: number, last: number): Promise<void> {
  const url = await service.url
  let first = -1
  for (;;) {
    const slot = await slotOf(url)
    const { exitCode, signalCode } = service.child
    if (slot === null && (exitCode !== null || signalCode !== null)) {
      assert.fail(`the service ended by itself: ${JSON.stringify(await service.exit)}`)
    }
    await setTimeout(5)
    if (slot === null) continue
    if (first < 0 && slot >= from) first = slot
    if (slot >= last || (first >= 0 && slot >= first + slots)) return
  }
}

test(`killed at ${KILLS} random moments, the state is that of an undisturbed run`, async (t) => {
  t.diagnostic(`seed ${SEED}`)
  const random = seededRandom(SEED)
  const undisturbed = await replay(capture, join(dir, 'undisturbed'))
  let data = join(dir, 'killed')
  let [key] = await makeKeys(data, 1)
  const shown = new Map<string, number>()
  const slots: number[] = []

  for (let kill = 0; kill < KILLS; kill++) {
    const service = startService({ DATA_DIR: data, SOURCE: `capture:${capture}?speed=5` })
    const url = await service.url
    const watching = watch(url, key!, shown)
    await reaches(service, (slots.at(-1) ?? -1) + 1, Math.floor(random() * MOST_SLOTS), undisturbed.slot)
    await setTimeout(random() * 20)
    service.child.kill('SIGKILL')
    assert.equal((await service.exit).signal, 'SIGKILL')
    await watching
    const store = openStore(data)
    slots.push(store.globals()?.slot ?? -1)
    await store.close()
    if (slots.at(-1)! < undisturbed.slot || kill === KILLS - 1) continue
    // a slow machine gets to the end between few kills: what it has is judged, and the rest hits another
    await judge(data)
    data = join(dir, `killed-${kill}`)
    ;[key] = await makeKeys(data, 1)
    slots.push(-1)
  }

  const inTheMiddle = slots.filter((slot) => slot >= 0 && slot < undisturbed.slot).length
  t.diagnostic(`${inTheMiddle} of ${KILLS} kills in the middle of ingest, ${shown.size} trades shown to the client`)
  assert.ok(inTheMiddle >= KILLS / 2, `too few kills hit the ingest: ${slots.join(' ')}`)
  assert.ok(shown.size > 100, 'the client was shown too little to prove anything')

  await judge(data)

  async function judge(data: string): Promise<void> {
    const finished = await replay(capture, data)
    assert.equal(finished.state_hash, undisturbed.state_hash)
    const store = openStore(data)
    const missing = new Map(shown)
    for (const row of store.trades(0)) missing.delete(uniqueId(sigToBase58(row.sig), row))
    await store.close()
    assert.deepEqual([...missing], [], 'trades that a client was shown are missing')
  }
})

test('a second process on the same data directory is refused and told why', async () => {
  const data = join(dir, 'shared')
  const first = startService({ DATA_DIR: data, SOURCE: `capture:${capture}?speed=1` })
  await first.url
  const second = startService({ DATA_DIR: data, SOURCE: `capture:${capture}?speed=1` })
  const { code, stderr } = await second.exit
  assert.equal(code, EXIT.dataDirBusy)
  assert.match(stderr, /another process is using .*shared/)
  first.child.kill('SIGTERM')
  assert.equal((await first.exit).code, 0)
})

test('a truncated or foreign state is set aside and folded again; a truncated log is named and left untouched', async () => {
  const data = join(dir, 'torn')
  const { state_hash } = await replay(small, data)
  const damages: [string, (file: string) => void][] = [
    ['truncated', (file) => truncateSync(file, statSync(file).size >> 1)],
    ['cut within its first page', (file) => truncateSync(file, 100)],
    ['foreign', (file) => writeFileSync(file, Buffer.alloc(65_536, 'not a data file '))],
    ['empty', (file) => truncateSync(file, 0)],
  ]
  for (const [i, [name, damage]] of damages.entries()) {
    const copy = join(dir, `torn-${i}`)
    cpSync(data, copy, { recursive: true })
    const file = join(copy, 'state/state.db')
    damage(file)
    const damaged = readFileSync(file)
    assert.equal((await replay(small, copy)).state_hash, state_hash, name)
    const [aside, ...more] = readdirSync(copy).filter((one) => one.startsWith('state-damaged-'))
    assert.deepEqual(more, [])
    assert.ok(damaged.equals(readFileSync(join(copy, aside!, 'state.db'))), `${name}: what was damaged was changed`)
  }
  const file = join(data, 'log', readdirSync(join(data, 'log')).sort()[0]!)
  for (const [name, damage] of damages) {
    damage(file)
    const before = readFileSync(file)
    const { code, signal, stderr } = await startService({ DATA_DIR: data, SOURCE: `capture:${small}` }).exit
    assert.equal(signal, null, `${name}: ${stderr}`)
    assert.equal(code, EXIT.badFile, `${name}: ${stderr}`)
    assert.ok(stderr.includes(file), `${name}: ${stderr}`)
    assert.ok(before.equals(readFileSync(file)), `${name}: the file was changed`)
  }
})

test('a torn or damaged capture is named and left untouched', async () => {
  const file = join(dir, 'damaged.capture')
  const whole = readFileSync(capture)
  const flipped = Buffer.from(whole)
  flipped[Math.floor(whole.length / 2)]! ^= 0x10
  for (const [name, bytes] of [
    ['torn', whole.subarray(0, -1_000)],
    ['damaged in the middle', flipped],
  ] as const) {
    writeFileSync(file, bytes)
    const { code, stderr } = await startService({}, ['replay', file]).exit
    assert.equal(code, EXIT.badFile, `${name}: ${stderr}`)
    assert.match(stderr, /damaged\.capture/, name)
    assert.ok(readFileSync(file).equals(bytes), name)
  }
})
