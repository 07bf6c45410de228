import assert from 'node:assert/strict'
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { LIVE } from '@ti/service/faces/live/bounds.ts'
import { makeKeys } from './keys.ts'
import { operatorOf, PATIENCE_MS, startService } from './service.ts'
import type { Orders, Pace, Report } from './streams-crowd.ts'

/** A crowd that follows a simulated market live: everybody who reads gets everything, whoever does not is sent away. */
interface Scene {
  readonly tps: number
  readonly subscribers: Readonly<Record<Pace, number>>
  /** frames after which it is judged */
  readonly frames: number
}

const MB = 2 ** 20
/** generous: a service that kept a copy for each reader would need many times as much */
const RESIDENT_MB = 1_500

interface Gauges {
  readonly residentMb: number
  readonly queueMb: number
  readonly lagSlots: number
  readonly slot: number
  readonly sockets: number
  readonly closedSlow: number
}

async function gauges(base: string): Promise<Gauges> {
  const text = await (await fetch(`${operatorOf(base)}/metrics`)).text()
  const value = (name: string): number =>
    Number(
      text
        .split('\n')
        .find((line) => line.startsWith(`${name} `))
        ?.split(' ')[1] ?? 0,
    )
  return {
    residentMb: value('process_resident_memory_bytes') / MB,
    queueMb: value('ti_live_queue_bytes') / MB,
    lagSlots: value('ti_lag_slots'),
    slot: value('ti_slot'),
    sockets: value('ti_live_sockets'),
    closedSlow: value('ti_live_closed_total{why="1013"}'),
  }
}

async function startCrowd(t: TestContext, orders: Orders): Promise<ChildProcess> {
  const crowd = fork(resolve(import.meta.dirname, 'streams-crowd.ts'), {
    execArgv: ['--import', import.meta.resolve('tsx')],
  })
  t.after(() => crowd.kill('SIGKILL'))
  crowd.send(orders)
  const [answer] = await once(crowd, 'message')
  assert.equal(answer, 'joined')
  return crowd
}

async function ask(crowd: ChildProcess): Promise<Report> {
  crowd.send('report')
  return (await once(crowd, 'message'))[0]
}

async function play(t: TestContext, { tps, subscribers, frames }: Scene) {
  const dir = mkdtempSync(join(tmpdir(), 'load-'))
  t.after(() => rmSync(dir, { recursive: true, force: true }))
  const keys = await makeKeys(dir, 25)
  const source = `simulator:seed=21&tps=${tps}&warmup=20`
  const service = startService({ DATA_DIR: dir, SOURCE: source, PAYMENTS: 'off' })
  t.after(() => service.child.kill('SIGKILL'))
  const base = await service.url
  const crowd = await startCrowd(t, { port: Number(new URL(base).port), keys, subscribers })
  const seen: Gauges[] = [await gauges(base)]
  const first = await ask(crowd)
  const slowOnes = subscribers.slow + subscribers.never
  let report = first
  while (report.frames < first.frames + frames || seen.at(-1)!.closedSlow < slowOnes) {
    assert.deepEqual(report.faults, [])
    assert.equal(service.child.exitCode, null, 'the service runs')
    await setTimeout(500)
    seen.push(await gauges(base))
    report = await ask(crowd)
  }
  // the newest frame was parsed by one: the others have it as soon as they read on
  const deadline = Date.now() + PATIENCE_MS
  while (report.complete < subscribers.fast && Date.now() < deadline) report = await ask(crowd)
  judge(t, { tps, subscribers, frames }, first, report, seen)
}

function judge(
  t: TestContext,
  { tps, subscribers }: Scene,
  first: Report,
  report: Report,
  seen: readonly Gauges[],
): void {
  const most = (name: keyof Gauges): number => Math.max(...seen.map((one) => one[name]))
  const frames = report.frames - first.frames
  t.diagnostic(
    `${tps} trades/s, ${subscribers.fast} + ${subscribers.slow} slow + ${subscribers.never} that never read: ` +
      `${frames} frames, ${Math.round(report.bytes / MB)} MB compared, at most ${Math.round(most('residentMb'))} MB resident, ` +
      `${Math.round(most('queueMb'))} MB queued, ${most('lagSlots')} slots behind`,
  )
  assert.deepEqual(report.faults, [])
  assert.equal(report.complete, subscribers.fast, 'every reader has every frame')
  assert.deepEqual(report.ended.fast, {}, 'no reader was sent away')
  assert.equal(
    seen.at(-1)!.closedSlow,
    subscribers.slow + subscribers.never,
    'those who do not read are closed with 1013',
  )
  // what waits for a slow one stops a message or a block of them behind its bound
  const queueBound = ((subscribers.slow + subscribers.never) * LIVE.unreadBytes * 1.5) / MB
  assert.equal(most('queueMb') <= queueBound, true, `${most('queueMb')} MB queued`)
  assert.equal(most('residentMb') < RESIDENT_MB, true, `${most('residentMb')} MB resident`)
}

test('120 trades a second, 1,000 subscribers of which 50 read slowly and 20 never', (t) =>
  play(t, { tps: 120, subscribers: { fast: 930, slow: 50, never: 20 }, frames: 3_000 }))

test('2,000 trades a second for five seconds, 100 subscribers of which 5 read slowly and 2 never', (t) =>
  play(t, { tps: 2_000, subscribers: { fast: 93, slow: 5, never: 2 }, frames: 10_000 }))
