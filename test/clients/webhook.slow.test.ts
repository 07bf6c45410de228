import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { createClient } from '../../clients/typescript/src/index.ts'
import { freePort } from '../ports.mjs'
import { startService } from '../simulation/service.ts'
import { EXAMPLES, folderIn, installClient, program } from '../support/guides.ts'
import { until } from '../support/live-service.ts'
import { start } from './start.ts'

/** The receiver of webhooks as a user runs it, against the program as `npm start` runs it. */
const KILLS = 4
/** alerts between two kills, and deliveries that are sent again */
const BETWEEN = 5
const AGAIN = 15

let folder: string
let dir: string
before(async () => {
  folder = folderIn()
  await installClient(folder)
  dir = mkdtempSync(join(tmpdir(), 'webhook-'))
})
after(() => {
  rmSync(dir, { recursive: true, force: true })
})

test(`${KILLS} kills of the receiver, and deliveries sent again: each alert is taken once`, async (t) => {
  const service = startService({ DATA_DIR: join(dir, 'data'), SOURCE: 'simulator:seed=3&tps=100' })
  t.after(() => service.child.kill('SIGKILL'))
  const url = await service.url
  const apiKey = (await service.key)!
  const client = createClient({ baseUrl: url, apiKey })
  const port = await freePort()
  const hook = `http://127.0.0.1:${port}/hook`
  const { data: made } = await client.add_destination({ kind: 'webhook', name: 'mine', url: hook })
  const ALERTS = join(dir, 'alerts.jsonl')
  const compiled = program(folder, 'webhook', EXAMPLES.get('webhook')!)
  const receive = async () => {
    const env = { WEBHOOK_SECRET: made.secret!, PORT: `${port}`, ALERTS }
    const receiver = start(t, folder, [process.execPath, compiled], env)
    await until('it listens', () => receiver.errors.includes('listening'))
    return receiver
  }
  const kept = (): { id: string }[] =>
    existsSync(ALERTS)
      ? readFileSync(ALERTS, 'utf8')
          .split('\n')
          .slice(0, -1)
          .map((line) => JSON.parse(line))
      : []
  /** An address may ask some 60 times a minute. */
  const rarely = (is: () => Promise<boolean>) => async () => {
    await pause(2_000)
    return is()
  }
  const state = async () => (await client.destinations()).data[0]!.state

  const deliveries = async () => (await client.deliveries(made.id)).data

  let receiver = await receive()
  if ((await state()) === 'unverified') await client.test_destination(made.id)
  await until(
    'the challenge is answered',
    rarely(async () => (await state()) === 'working'),
  )
  const watches: string[] = []
  for (const trades of [1, 8]) {
    const target = `trades >= ${trades}`
    watches.push((await client.add_watch({ kind: 'condition', target, name: target })).data.id)
  }
  for (let kill = 1; kill <= KILLS; kill++) {
    const enough = kept().length + BETWEEN
    await until(
      'alerts have come',
      () => kept().length >= enough,
      () => kept().length,
    )
    receiver.kill('SIGKILL')
    await receiver.over
    await until(
      'an attempt has failed, of the alerts that go on coming',
      rarely(async () => (await state()) === 'failing'),
    )
    receiver = await receive()
  }
  for (const id of watches) await client.remove_watch(id)
  const isDone = rarely(async () => (await deliveries()).every((one) => one.state === 'delivered'))
  await until('all are delivered', isDone, () => kept().length)
  const delivered = await deliveries()
  const ids = kept().map(({ id }) => id)
  t.diagnostic(`${ids.length} alerts`)
  assert.equal(new Set(ids).size, ids.length, 'each once')
  assert.ok(delivered.length > KILLS * BETWEEN)
  for (const { id } of delivered) assert.ok(ids.includes(id), 'all of them')

  const again = delivered.slice(0, AGAIN)
  for (const { number } of again) await client.replay_delivery(made.id, number)
  await until('they are delivered again', isDone)
  const attempts = new Map((await deliveries()).map((one) => [one.number, one]))
  for (const before of again) assert.notEqual(attempts.get(before.number)!.attempted_at, before.attempted_at)
  assert.deepEqual(
    kept().map(({ id }) => id),
    ids,
    'what came again was recognised, also what came before a restart',
  )
})
