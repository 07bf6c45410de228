import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { type TestContext, test } from 'node:test'
import { build } from 'esbuild'
import { FAULTS, serveFaults } from './faults.ts'
import type { Outcome } from './faults-driver.ts'
import { inPython, PYTHON, RUNTIMES } from './tools.ts'

/** Every client against the same table of faults. */
const KEY = `sk_live_${'k'.repeat(43)}`

/** The package ws, which is CommonJS, asks for modules of Node by `require`. */
const REQUIRE = { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url)" }

/** Compares what came of every fault with what is expected, and with the requests that the server has seen. */
function compare(
  t: TestContext,
  face: string,
  outcomes: ReadonlyMap<number, Outcome>,
  requests: (id: string) => number,
) {
  let cells = 0
  for (const [no, outcome] of outcomes) {
    const { name, expected } = FAULTS[no]!
    const about = `${face}: ${name}: ${JSON.stringify(outcome)}`
    assert.equal(outcome.ends, expected.ends ?? (expected.lateMost === undefined ? 'left' : 'cancelled'), about)
    if (expected.requests !== undefined) assert.equal(requests(`${face}/${no}`), expected.requests, about)
    if (expected.seqs !== undefined) assert.deepEqual(outcome.seqs, expected.seqs, about)
    assert.deepEqual(outcome.gaps, expected.gaps ?? [], about)
    if (expected.warned !== undefined) assert.equal(outcome.warned, expected.warned, about)
    if (expected.lateMost !== undefined) assert.ok(outcome.late <= expected.lateMost, about)
    cells++
  }
  assert.ok(cells >= 35)
  t.diagnostic(`${face}: ${cells} faults`)
}

for (const [name, runtime, missing] of RUNTIMES) {
  test(`TypeScript in ${name}`, { skip: runtime === null && missing }, async (t) => {
    const server = await serveFaults(FAULTS)
    t.after(server.close)
    const dir = mkdtempSync(join(tmpdir(), 'faults-'))
    t.after(() => rmSync(dir, { recursive: true, force: true }))
    const program = join(dir, 'faults.mjs')
    const driver = resolve(import.meta.dirname, 'faults-driver.ts')
    await build({
      entryPoints: [driver],
      bundle: true,
      platform: 'node',
      format: 'esm',
      outfile: program,
      banner: REQUIRE,
    })
    await judge(t, server, spawn(runtime!, [program], { stdio: ['pipe', 'pipe', 'pipe'] }))
  })
}

test('Python, both clients', inPython, async (t) => {
  const server = await serveFaults(FAULTS)
  t.after(server.close)
  const driver = resolve(import.meta.dirname, 'faults.py')
  const env = { ...process.env, PYTHONPATH: resolve(import.meta.dirname, '../../clients/python') }
  await judge(t, server, spawn(PYTHON!, ['-B', '-W', 'default', driver], { env, stdio: ['pipe', 'pipe', 'pipe'] }))
})

/** Gives the table to a driver, and compares what it prints of each of its faces. */
async function judge(t: TestContext, server: Awaited<ReturnType<typeof serveFaults>>, driver: ChildProcess) {
  let [out, err] = ['', '']
  driver.stdout!.on('data', (part) => (out += part))
  driver.stderr!.on('data', (part) => (err += part))
  driver.stdin!.end(
    JSON.stringify({
      url: server.url,
      key: KEY,
      faults: FAULTS.map((fault) => ({ ...fault, ofEvents: fault.written !== undefined })),
    }),
  )
  const [status] = await once(driver, 'close')
  assert.equal(status, 0, err)
  assert.equal(err, '', 'no warning, with all of them on')
  for (const [face, found] of Object.entries(JSON.parse(out) as Record<string, Record<string, Outcome>>)) {
    const list = Object.entries(found).map(([no, outcome]) => [Number(no), outcome] as const)
    compare(t, face, new Map(list), server.requests)
  }
}
