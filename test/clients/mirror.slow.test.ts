import assert from 'node:assert/strict'
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { freePort } from '../ports.mjs'
import { makeKeys } from '../simulation/keys.ts'
import { command, startService } from '../simulation/service.ts'
import { undisturbed } from '../simulation/streams-reader.ts'
import { seed } from '../support/chance.ts'
import { EXAMPLES, folderIn, installClient, program } from '../support/guides.ts'
import { until } from '../support/live-service.ts'
import { seededRandom } from '../support/random.ts'
import { start } from './start.ts'

/** The mirror of trades as a user runs it, while it and the service are killed by turns. */
const SEED = seed()
const KILLS = 10
const SLOTS = 250

let folder: string
let dir: string
before(async () => {
  folder = folderIn()
  await installClient(folder)
  dir = mkdtempSync(join(tmpdir(), 'mirror-'))
})
after(() => {
  rmSync(dir, { recursive: true, force: true })
})

test(`${KILLS} kills of the mirror or the service: every trade exactly once`, async (t) => {
  t.diagnostic(`seed ${SEED}`)
  const random = seededRandom(SEED)
  const capture = join(dir, 'market.capture')
  await command('capture', 'simulate', capture, '--slots', `${SLOTS}`, '--seed', '11', '--no-truth')
  const expected = [...(await undisturbed(capture, join(dir, 'undisturbed')))['frames:live'].values()]
  const data = join(dir, 'killed')
  const [key] = await makeKeys(data, 1)
  const PORT = `${await freePort()}`
  const file = join(dir, 'trades.jsonl')
  const compiled = program(folder, 'mirror', EXAMPLES.get('mirror')!)
  const startMirror = () =>
    start(t, folder, [process.execPath, compiled], { TI_URL: `http://127.0.0.1:${PORT}`, TI_KEY: key!, MIRROR: file })
  const serve = async () => {
    const service = startService({ DATA_DIR: data, SOURCE: `capture:${capture}?speed=5`, PAYMENTS: 'off', PORT })
    t.after(() => service.child.kill('SIGKILL'))
    await service.url
    return service
  }
  const mirrored = (): string[] => (existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : [])

  let service = await serve()
  let mirror = startMirror()
  const killedAt: string[] = []
  for (let kill = 1; kill <= KILLS; kill++) {
    const enough = Math.floor(((kill - random()) * expected.length) / (KILLS + 1))
    await until(
      'it has mirrored for a while',
      () => mirrored().length >= enough,
      () => mirrored().length,
    )
    const victim = kill % 2 === 0 ? 'service' : 'mirror'
    killedAt.push(`${victim} ${mirrored().length}`)
    if (victim === 'service') {
      service.child.kill('SIGKILL')
      assert.equal((await service.exit).signal, 'SIGKILL')
      service = await serve()
    } else {
      mirror.kill('SIGKILL')
      await mirror.over
      // a kill in the middle of writing a line
      appendFileSync(file, expected[0]!.slice(0, 100))
      mirror = startMirror()
    }
  }
  await until(
    'all is mirrored',
    () => mirrored().length >= expected.length,
    () => mirrored().length,
  )
  mirror.kill('SIGKILL')
  await mirror.over
  t.diagnostic(`${expected.length} frames; killed at ${killedAt.join(', ')}`)
  assert.deepEqual(
    mirrored().map((line) => JSON.parse(line)),
    expected.map((payload) => JSON.parse(payload).data),
  )
  const ids = mirrored().flatMap((line) =>
    JSON.parse(line).trades.map((trade: { unique_id: string }) => trade.unique_id),
  )
  assert.equal(new Set(ids).size, ids.length, 'every trade once')
})
