import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { seed } from '../support/chance.ts'

/**
 * A part of the soak: 20,000 commits over the three write patterns. Whole runs are in reports/soak. A commit while catching up has a
 * thousand events on average, a live one those of a block.
 */
const SEED = seed(17)
const PARTS = [
  { pattern: 'live', commits: 16_000, kills: 6 },
  { pattern: 'mixed', commits: 3_500, kills: 4 },
  { pattern: 'catchup', commits: 500, kills: 4 },
] as const

interface Outcome {
  readonly ok: boolean
  readonly failures: readonly string[]
  readonly commits: number
  readonly kills: number
}

for (const { pattern, commits, kills } of PARTS) {
  test(`${commits} commits of the pattern ${pattern}, ${kills} kills`, async (t) => {
    const dir = mkdtempSync(join(tmpdir(), 'soak-part-'))
    t.after(() => rmSync(dir, { recursive: true, force: true }))
    t.diagnostic(`seed ${SEED}`)
    const given = { commits, seed: SEED, pattern, kills, restarts: 2, checks: 1, copies: 2, readers: 1 }
    const args = Object.entries(given).flatMap(([name, value]) => [`--${name}`, String(value)])
    const report = join(dir, 'report.md')
    const child = spawn(process.execPath, ['test/soak/run.mjs', ...args, '--report', report], {
      env: { ...process.env, TMPDIR: dir },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let [said, told] = ['', '']
    child.stdout.on('data', (chunk) => {
      said += chunk
    })
    child.stderr.on('data', (chunk) => {
      told = (told + chunk).slice(-4_000)
    })
    const code = await new Promise((done) => child.once('close', done))
    assert.equal(code, 0, `${said}\n${told}`)
    const outcome = JSON.parse(said) as Outcome
    assert.deepEqual(outcome.failures, [])
    assert.equal(outcome.ok, true)
    assert.ok(outcome.commits >= commits, `${outcome.commits} commits`)
    assert.equal(outcome.kills, kills)
    assert.match(readFileSync(report, 'utf8'), new RegExp(pattern))
  })
}
