import { execFile } from 'node:child_process'
import { resolve } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { RUNTIMES } from '../clients/tools.ts'
import { scriptArgs } from '../support/script.ts'

/**
 * The smoke test of the built program, once more with each later Node. Bun is left out: the program's HTTP uses fields of
 * Node's own, which Bun does not have (docs/decisions.md).
 */
const SMOKE = resolve(import.meta.dirname, '../smoke.test.ts')

for (const [name, runtime, missing] of RUNTIMES.filter(([name]) => name.startsWith('Node'))) {
  test(`the program in ${name}`, { skip: runtime === null && missing }, async () => {
    const { NODE_TEST_CONTEXT: _, ...env } = process.env
    // the test itself runs in this Node, and starts the program with the other one
    await promisify(execFile)(process.execPath, scriptArgs(SMOKE), { env: { ...env, SERVICE_RUNTIME: runtime! } })
  })
}
