import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { RATES } from '@ti/service/access/rate-limits/windows.ts'
import { makeKeys } from '../test/simulation/keys.ts'
import { type Answer, createAsking, quantile, startBare, words } from './asking.ts'
import { type SpawnedNode, spawnNode } from './service.ts'
import type { BenchRow } from './types.ts'

/**
 * `npm start` on an empty folder: how long until it listens and its board is of now, how long answers take while the market's first
 * half hour is folded, and what it holds in memory afterwards (BENCH_MINUTES). A bare server in a process of its own is asked at the
 * same time: its p99 is what the machine costs.
 */
const MINUTES = Number(process.env.BENCH_MINUTES ?? 1)
const BAR = { listenS: 1, caughtUpS: 8, snapshotMs: 30, readyMs: 20, residentMb: 350 }
/** slots behind the clock at which the board counts as of now */
const NOW_SLOTS = 25
const ASK_MS = 10
/** without a key a second of asking would be refused */
const KEYS = Math.ceil((60_000 / ASK_MS) * 5 * (1 / RATES.pro))
const PATIENCE_MS = 300_000

export async function benchCatchUp(): Promise<BenchRow[]> {
  const dir = mkdtempSync(join(tmpdir(), 'bench-catch-up-'))
  try {
    return [...(await firstStart(join(dir, 'first'))), ...(await asked(join(dir, 'asked')))]
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}

const start = (dataDir: string): SpawnedNode => spawnNode({ DATA_DIR: dataDir }, [], '')

/** Nobody asks for anything but how far it is. */
async function firstStart(dataDir: string): Promise<BenchRow[]> {
  const node = start(dataDir)
  try {
    const operator = await node.operator
    const listenS = node.sinceMs() / 1_000
    const asking = createAsking([])
    while (!isOfNow(await asking.ask(`${operator}/readyz`))) await sleep(50)
    const caughtUpS = node.sinceMs() / 1_000
    const before = residentMb(node.pid)
    await sleep(MINUTES * 60_000)
    const resident = residentMb(node.pid)
    asking.close()
    return [
      row('seconds until a first start listens', listenS, BAR.listenS, 'an empty folder, as `npm start`'),
      row('seconds until its board is of now', caughtUpS, BAR.caughtUpS, `at most ${NOW_SLOTS} slots behind the clock`),
      row(
        `MB resident after ${MINUTES} minutes`,
        resident,
        BAR.residentMb,
        `${before.toFixed(0)} MB when it had caught up; BENCH_MINUTES=30 for the bar's own time`,
      ),
    ]
  } finally {
    await node.stop()
  }
}

/** Answers while the first half hour is folded, from the first that is not refused on. */
async function asked(dataDir: string): Promise<BenchRow[]> {
  const asking = createAsking(await makeKeys(dataDir, KEYS))
  const bare = await startBare()
  const node = start(dataDir)
  const took: Record<'snapshot' | 'readyz' | 'bare', number[]> = { snapshot: [], readyz: [], bare: [] }
  let done = false
  try {
    const [url, operator] = [await node.url, await node.operator]
    const keyed = (path: string): Promise<Answer> => asking.keyed(url + path)
    const repeat = async (one: () => Promise<void>): Promise<void> => {
      while (!done) await Promise.all([one(), sleep(ASK_MS)])
    }
    const until = performance.now() + PATIENCE_MS
    await Promise.all([
      repeat(async () => {
        const answer = await asking.ask(`${operator}/readyz`)
        took.readyz.push(answer.ms)
        done = isOfNow(answer) || performance.now() > until
      }),
      repeat(async () => void took.bare.push((await asking.ask(bare.url)).ms)),
      readSnapshots(keyed, took.snapshot, repeat),
    ])
  } finally {
    asking.close()
    bare.stop()
    await node.stop()
  }
  const beside = `${words(took.bare)} of a bare server beside it`
  return [
    row(
      'p99 of a keyed snapshot while it catches up, ms',
      quantile(took.snapshot, 0.99),
      BAR.snapshotMs,
      `${words(took.snapshot)}; ${beside}`,
    ),
    row(
      'p99 of /readyz while it catches up, ms',
      quantile(took.readyz, 0.99),
      BAR.readyMs,
      `${words(took.readyz)}; ${beside}`,
    ),
  ]
}

/** Snapshots of the newest tokens, whichever they are. */
async function readSnapshots(
  keyed: (path: string) => Promise<Answer>,
  took: number[],
  repeat: (one: () => Promise<void>) => Promise<void>,
): Promise<void> {
  let mints: string[] = []
  let no = 0
  await repeat(async () => {
    if (mints.length === 0 || no % 50 === 0) {
      const { status, body } = await keyed('/v1/tokens/new')
      if (status === 200) mints = (JSON.parse(body) as { data: { mint: string }[] }).data.map(({ mint }) => mint)
    }
    const mint = mints[no++ % Math.max(1, mints.length)]
    if (mint === undefined) return
    const { status, ms } = await keyed(`/v1/tokens/${mint}`)
    if (status !== 200) throw new Error(`a snapshot was answered with ${status}`)
    took.push(ms)
  })
}

function isOfNow({ status, body }: Answer): boolean {
  const { lag_slots: lag } = JSON.parse(body) as { lag_slots: number | null }
  return status === 200 && lag !== null && lag < NOW_SLOTS
}

const row = (name: string, ratio: number, bar: number, detail: string): BenchRow => ({
  name: `${name} (at most)`,
  ...{ ratio, bar, pass: ratio <= bar, detail },
})

const residentMb = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))![1]) / 1_024
