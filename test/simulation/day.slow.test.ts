import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import type { Sample } from './day-child.ts'

/**
 * Some hours of a small market. In them memory still fills with what it is meant to hold, so it is judged by that: bytes for each
 * position, wallet and token in memory. A day and a half of a large one, past the day after which nothing fills any more:
 * reports/capacity.
 */
const [TRADES, SAMPLES] = [240_000, 24]

async function runDay(): Promise<Sample[]> {
  const dir = mkdtempSync(join(tmpdir(), 'day-'))
  const samples: Sample[] = []
  try {
    const child = fork(
      resolve(import.meta.dirname, 'day-child.ts'),
      [join(dir, 'data'), `simulator:seed=9&tps=12&speed=0&trades=${TRADES}`, `${TRADES}`, `${SAMPLES}`],
      { execArgv: ['--expose-gc', '--import', import.meta.resolve('tsx')] },
    )
    child.on('message', (sample: Sample) => samples.push(sample))
    const code = await new Promise((done) => child.on('close', done))
    if (code !== 0) throw new Error(`the process ended with ${code}`)
    return samples
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}

test('while a market goes on, memory is what it holds and no more', async (t) => {
  const samples = await runDay()
  const held = samples.map((one) => one.positionsInMemory + one.walletsInMemory + one.tokensInMemory)
  const each = samples.map(({ heapMb }, i) => (heapMb * 2 ** 20) / held[i]!)
  const last = samples.at(-1)!
  t.diagnostic(
    `${last.trades} trades, ${last.tokens} launches, ${last.hours.toFixed(1)} h; heap ${samples.map(({ heapMb }) => Math.round(heapMb)).join(' ')} MB; ${each.map(Math.round).join(' ')} bytes for each`,
  )
  assert.equal(last.trades >= TRADES, true)
  const early = each[samples.length >> 2]!
  assert.equal(each.at(-1)! <= early * 1.1, true, `${each.at(-1)} bytes for each at the end, ${early} before`)
})
