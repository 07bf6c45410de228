import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { type TestContext, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { seed } from '../support/chance.ts'
import { seededRandom } from '../support/random.ts'
import { type CrowdProcess, type CrowdState, forkCrowd } from './crowd.ts'
import { limit, openTarget, quantile, type Target, WITHOUT_PRLIMIT } from './target.ts'

/**
 * Attacks on the whole program, with more connections than it can have and resources taken from it while it runs. How fast it
 * answers meanwhile, and how soon it is itself again, is held against bars by `npm run bench -- shortages`.
 */
const skip = WITHOUT_PRLIMIT
/** quiet and attack in turns, and milliseconds of each: the bench, which has bars, takes more */
const ROUNDS = 2
const ROUND_MS = 5_000
const MOMENTS = 50
/** descriptors: fewer than a node has open for its files */
const FEW = 16
/** milliseconds after which a shortage must be said: a commit is made, or the descriptors are probed, once a second */
const NOTICED_MS = 1_200
/** 600 calls a minute each: more than one caller who waits for his answers can make */
const KEYS = 30
const SEED = seed(19)

const openFiles = (pid: number): number => readdirSync(`/proc/${pid}/fd`).length

/** bytes no file may exceed: nothing can be written any more */
const tooSmall = 1

async function isNormal(target: Target): Promise<boolean> {
  const { status, troubles } = await target.readyz()
  return status === 200 && troubles.length === 0
}

test('a disk that takes nothing: nothing is served that is not durable, and it goes on as soon as there is room', {
  skip,
}, async (t) => {
  const target = await openTarget(t)
  const before = Number((await target.readyz()).body.seq)
  limit(target.pid, { fsize: tooSmall })
  const statuses = new Set<number>()
  await target.until('it is not ready', async () => {
    statuses.add((await target.pro()).status)
    return (await target.readyz()).status === 503
  })
  await target.until('it says what is wrong', async () => {
    const { troubles } = await target.readyz()
    return troubles.some(({ message }) => /EFBIG|full|cannot be/i.test(message))
  })
  for (let i = 0; i < 20; i++) {
    statuses.add((await target.pro()).status)
    await pause(100)
  }
  assert.equal(target.ended(), null, 'before: the process ended with the first commit that failed')
  assert.deepEqual(
    [...statuses].filter((status) => status !== 200 && status !== 503),
    [],
  )
  limit(target.pid, { fsize: 'unlimited' })
  const ended = performance.now()
  await target.until('it is itself again', () => isNormal(target))
  t.diagnostic(`itself again after ${Math.round(performance.now() - ended)} ms`)
  assert.ok(Number((await target.readyz()).body.seq) >= before)
  assert.equal((await target.pro()).status, 200)
})

test('no descriptor left: every timer has its turn and the process goes on', { skip }, async (t) => {
  const target = await openTarget(t)
  assert.equal((await target.pro()).status, 200)
  limit(target.pid, { nofile: openFiles(target.pid) })
  const crowd = forkCrowd({ port: target.port, manner: 'idle', count: 50, from: ['127.0.0.4'], again: true })
  t.after(crowd.stop)
  await target.until('it says so', async () =>
    (await target.readyz()).troubles.some(({ message }) => /EMFILE/.test(message)),
  )
  const end = performance.now() + 6_000
  while (performance.now() < end) {
    assert.ok([200, 503].includes((await target.pro()).status))
    await pause(50)
  }
  await crowd.stop()
  limit(target.pid, { nofile: 4_096 })
  await target.until('it is itself again', () => isNormal(target))
  assert.equal((await target.pro(undefined, { fresh: true })).status, 200)
})

/** Calls with the Pro key one after the other; their milliseconds. */
async function measure(target: Target, forMs: number, statuses: Map<number, number>): Promise<number[]> {
  const times: number[] = []
  for (const end = performance.now() + forMs; performance.now() < end; ) {
    const { status, ms } = await target.pro()
    times.push(ms)
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
    await pause(5)
  }
  return times
}

async function mustLive(target: Target, when: string): Promise<void> {
  const ended = target.ended()
  if (ended !== null) assert.fail(`the process ended ${when}, with ${ended}: ${await target.stderr()}`)
}

const CROWD = { idle: 20_000, 'half-open': 5_000, 'slow-body': 1_000 } as const

/** Held at first. */
async function forkCrowds(t: TestContext, port: number) {
  const from = (net: number, count: number): string[] =>
    Array.from({ length: count }, (_, i) => `127.1.${net}.${i + 1}`)
  const crowds: CrowdProcess[] = [
    forkCrowd({ port, manner: 'idle', count: CROWD.idle / 2, from: from(1, 100), again: true }),
    forkCrowd({ port, manner: 'idle', count: CROWD.idle / 2, from: from(2, 100), again: true }),
    forkCrowd({ port, manner: 'half-open', count: CROWD['half-open'], from: from(3, 50), again: true }),
    forkCrowd({ port, manner: 'slow-body', count: CROWD['slow-body'], from: from(4, 20), again: true }),
  ]
  const all = <T>(what: (crowd: CrowdProcess) => Promise<T>): Promise<T[]> => Promise.all(crowds.map(what))
  const stop = (): Promise<unknown> => all((crowd) => crowd.stop())
  t.after(stop)
  const hold = (held: boolean): Promise<CrowdState[]> => all((crowd) => crowd.hold(held))
  await hold(true)
  return { hold, stop, states: () => all((crowd) => crowd.state()) }
}

test('20,000 idle, 5,000 half-open and 1,000 slow connections, descriptors and disk at 50 random moments', {
  skip,
}, async (t) => {
  const target = await openTarget(t, { keys: KEYS })
  const random = seededRandom(SEED)
  const crowd = await forkCrowds(t, target.port)
  const statuses = new Map<number, number>()
  const quiet: number[] = []
  const busy: number[] = []
  // what is compiled on first use belongs to neither
  await measure(target, ROUND_MS, new Map())
  for (let round = 0; round < ROUNDS; round++) {
    await crowd.hold(true)
    await target.until('the crowd has left', async () => (await target.metric('ti_connections')) < 10)
    quiet.push(...(await measure(target, ROUND_MS, statuses)))
    const before = (await crowd.hold(false)).map(({ opened }) => opened)
    const sizes = [CROWD.idle / 2, CROWD.idle / 2, CROWD['half-open'], CROWD['slow-body']]
    await target.until('all have come', async () =>
      (await crowd.states()).every(({ opened }, i) => opened - before[i]! >= sizes[i]!),
    )
    busy.push(...(await measure(target, ROUND_MS, statuses)))
    await mustLive(target, `in round ${round}`)
  }
  const [quietMs, busyMs] = [quantile(quiet, 0.99), quantile(busy, 0.99)]
  t.diagnostic(
    `p99 of a Pro key: quiet ${quietMs.toFixed(1)} ms of ${quiet.length}, under attack ${busyMs.toFixed(1)} ms of ${busy.length}`,
  )
  assert.deepEqual([...statuses.keys()], [200], 'connections alone take nothing from a Pro key')
  const said = { disk: new Set<string>(), descriptors: new Set<string>() }
  const silent: string[] = []
  for (let i = 0; i < MOMENTS; i++) {
    const kind = random() < 0.5 ? 'disk' : 'descriptors'
    // a few less than are open, or fewer than the service has for itself
    const nofile = random() < 0.5 ? FEW : Math.max(FEW, openFiles(target.pid) - 5)
    limit(target.pid, kind === 'disk' ? { fsize: tooSmall } : { nofile })
    const lastsMs = 100 + random() * 1_400
    await measure(target, lastsMs, statuses)
    const { status, troubles } = await target.readyz()
    for (const { what, message } of troubles) said[kind].add(`${what}: ${message}`)
    const isShort = kind === 'disk' || nofile === FEW
    if (isShort && lastsMs > NOTICED_MS && status !== 503 && troubles.length === 0) silent.push(`${kind} at ${i}`)
    await mustLive(target, `at moment ${i} of seed ${SEED}`)
    limit(target.pid, { fsize: 'unlimited', nofile: 20_000 })
    await measure(target, 200 + random() * 800, statuses)
    await mustLive(target, `after moment ${i} of seed ${SEED}`)
  }
  const states = await crowd.states()
  await crowd.stop()
  const ended = performance.now()
  await target.until('it is ready again', async () => (await target.readyz()).status === 200)
  const readyMs = performance.now() - ended
  await target.until('it is itself again', () => isNormal(target))
  const backMs = performance.now() - ended
  t.diagnostic(`ready after ${Math.round(readyMs)} ms`)
  t.diagnostic(`answers ${JSON.stringify([...statuses])}, back after ${Math.round(backMs)} ms`)
  const words = [...said.disk, ...said.descriptors].map((one) => one.split(':', 1)[0])
  t.diagnostic(`in trouble, as /readyz said: ${[...new Set(words)].join(', ')}`)
  t.diagnostic(`connections opened ${states.map(({ opened }) => opened)}`)
  assert.deepEqual([...statuses.keys()].sort(), [200, 503], 'an answer, or that there is none now')
  assert.deepEqual(silent, [], '/readyz says what is wrong')
  for (const what of ['connections', 'commit', 'file descriptors'])
    assert.ok(words.includes(what), `${what} of ${words}`)
  assert.match([...said.disk].join('\n'), /EFBIG|ENOSPC|full/)
  assert.match([...said.descriptors].join('\n'), /EMFILE/)
})
