import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { perTopic, TOPICS } from '@ti/core/contract/streams.ts'
import { seed } from '../support/chance.ts'
import { seededRandom } from '../support/random.ts'
import { makeKeys } from './keys.ts'
import { command, startService } from './service.ts'
import { followAll, type Told, undisturbed } from './streams-reader.ts'

/** Readers that are cut, and a service that is killed, at random moments: every message reaches every reader once. */
const SEED = seed()
const KILLS = 6
const READERS = 8
const TRADES = 12_000

test(`${READERS} readers that are cut, ${KILLS} kills of the service: every seq once, in order, the same for all`, async (t) => {
  t.diagnostic(`seed ${SEED}`)
  const random = seededRandom(SEED)
  const dir = mkdtempSync(join(tmpdir(), 'streams-'))
  t.after(() => rmSync(dir, { recursive: true, force: true }))
  const capture = join(dir, 'market.capture')
  await command('capture', 'simulate', capture, '--trades', `${TRADES}`, '--seed', '11')
  const expected = await undisturbed(capture, join(dir, 'undisturbed'))
  const [frames, events] = [expected['frames:live'].size, expected['tokens:live'].size]
  assert.equal(frames > 5_000 && events > 100, true, `enough to read: ${frames} frames, ${events} token events`)

  const data = join(dir, 'killed')
  const [key] = await makeKeys(data, 1)
  const told: Told = perTopic(() => new Map())
  let base: string | null = null
  const readers = Promise.all(
    Array.from({ length: READERS }, () =>
      followAll({
        base: () => base,
        key: key!,
        told,
        until: perTopic((topic) => expected[topic].size),
        cutAfter: () => 1 + Math.floor(random() ** 3 * 8_000),
      }),
    ),
  )
  let failed = false
  readers.catch(() => {
    failed = true
  })
  const start = () => startService({ DATA_DIR: data, SOURCE: `capture:${capture}?speed=25`, PAYMENTS: 'off' })
  const readAtKills: number[] = []
  for (let kill = 0; kill < KILLS && !failed; kill++) {
    const service = start()
    base = await service.url
    const before = told['frames:live'].size
    const enough = Math.floor(random() * (frames / KILLS))
    while (!failed && told['frames:live'].size < Math.min(before + enough, frames)) await setTimeout(2)
    base = null
    service.child.kill('SIGKILL')
    assert.equal((await service.exit).signal, 'SIGKILL')
    readAtKills.push(told['frames:live'].size)
  }
  const last = start()
  t.after(() => last.child.kill('SIGKILL'))
  base = await last.url
  const reports = await readers

  const inTheMiddle = readAtKills.filter((read) => read > 0 && read < frames).length
  const connections = reports.reduce((sum, report) => sum + report.connections, 0)
  t.diagnostic(
    `${frames} frames, ${events} token events, ${connections} connections, killed at ${readAtKills.join(' ')}`,
  )
  assert.equal(inTheMiddle >= KILLS / 2, true, `too few kills hit the streams: ${readAtKills.join(' ')}`)
  assert.equal(connections > READERS * 3, true, 'the readers were cut')
  for (const { started } of reports) assert.equal(started, 0, 'a join that did not take up where the reader was')
  for (const topic of TOPICS) {
    assert.equal(told[topic].size, expected[topic].size)
    for (const [seq, payload] of expected[topic]) assert.equal(told[topic].get(seq), payload, `${topic} ${seq}`)
  }
})
