import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { makeKeys } from '../test/simulation/keys.ts'
import { nowMs } from './paced.ts'
import { ROOT } from './service.ts'
import { buildPaced, isAllLeft, leftIn, startPaced } from './streams.ts'
import type { BenchRow } from './types.ts'

/**
 * From when a block leaves the source until `examples/gate.ts`, a process of its own, has decided by a verdict that the block made: with
 * decoding, fold, commit and the way to the client.
 */
const TPS = 200
const BLOCKS = Number(process.env.BENCH_BLOCKS ?? 300)
/** blocks that are not judged: code that has not run often is slow */
const FIRST = 50
const BAR_MS = 50
const SLOT_MS = 400
const LOOK_MS = 100
/** after the last block */
const LAST_MS = 2_000

export async function benchGate(): Promise<BenchRow[]> {
  await buildPaced()
  const dir = mkdtempSync(join(tmpdir(), 'bench-gate-'))
  try {
    const [key] = await makeKeys(dir, 1)
    const left = `${dir}.left`
    const node = await startPaced(dir, left, { tps: TPS, blocks: BLOCKS })
    const env = { ...process.env, TI_URL: await node.url, TI_KEY: key, BUY: 'green,yellow' }
    const gate = spawn(process.execPath, ['--import', 'tsx', 'examples/gate.ts'], {
      ...{ cwd: ROOT, env },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const lines: (readonly [line: string, ms: number])[] = []
    createInterface({ input: gate.stdout }).on('line', (line) => lines.push([line, nowMs()]))
    await sleep(LAST_MS)
    writeFileSync(`${left}.go`, '')
    while (!isAllLeft(left)) await sleep(LOOK_MS)
    await sleep(LAST_MS)
    gate.kill('SIGTERM')
    await new Promise((done) => gate.on('close', done))
    await node.stop()
    return [rowOf(lines, leftIn(left))]
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}

function rowOf(lines: readonly (readonly [string, number])[], left: readonly (readonly [number, number])[]): BenchRow {
  const leftAt = new Map(left.slice(FIRST))
  const waits = lines.flatMap(([line, ms]) => {
    const [, event, slot] = /^(?:buy|pass|sell) \S+ (?!neutral)\S+ \S+ (\S+) (\d+)$/.exec(line) ?? []
    // that a slot has passed is known by the block of the next one
    const at = leftAt.get(Number(slot) + (event === 'time' || event === 'reading' ? 1 : 0))
    return at === undefined ? [] : [ms - at]
  })
  const sorted = Float64Array.from(waits).sort()
  const at = (share: number): number => sorted[Math.floor(sorted.length * share)] ?? Number.NaN
  const [, launches] = /^(\d+) launches/.exec(lines.at(-1)?.[0] ?? '') ?? []
  const perMinute = Number(launches) / ((left.length * SLOT_MS) / 60_000)
  const p99 = at(0.99)
  return {
    name: `gate: p99 from a block to the decision, ms, at ${TPS} trades/s (at most)`,
    ratio: p99,
    bar: BAR_MS,
    pass: p99 <= BAR_MS,
    detail: `p50 ${at(0.5).toFixed(1)}, p90 ${at(0.9).toFixed(1)}, worst ${at(1 - Number.EPSILON).toFixed(1)} ms of ${sorted.length} decisions, ${Math.round(perMinute)} launches a minute; ${lines.at(-1)?.[0]}`,
  }
}
