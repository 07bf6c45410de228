import assert from 'node:assert/strict'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { after, before, test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { openConnection } from '@ti/service/store/connection.ts'
import { FOLD_FINGERPRINT } from '@ti/service/store/fingerprint.ts'
import { createMeta } from '@ti/service/store/meta.ts'
import { stateFile } from '@ti/service/store/open.ts'
import { startNats, withNats } from '../nats.ts'
import { command, operatorOf, replay, startService } from '../simulation/service.ts'
import { OTHER_FINGERPRINT } from '../support/other-fold.ts'
import { eventually } from '../support/wait.ts'
import { createNode, type RunningNode, untilAllAt } from './running.ts'

/** Nodes of two builds on one log. The other build folds the same and says that it does not. */
const dir = mkdtempSync(join(tmpdir(), 'nodes-fold-'))
const capture = join(dir, 'market.capture')
const main = join(dir, 'build/dist/main.js')
after(() => rmSync(dir, { recursive: true, force: true }))
before(async () => {
  await command('capture', 'simulate', capture, '--trades', '3000', '--seed', '11')
  const root = resolve(import.meta.dirname, '../..')
  mkdirSync(join(dir, 'build'))
  for (const name of readdirSync(root)) if (name !== 'dist') symlinkSync(join(root, name), join(dir, 'build', name))
  cpSync(join(root, 'dist'), join(dir, 'build/dist'), { recursive: true })
  writeFileSync(join(dir, 'build/dist/fingerprint.txt'), OTHER_FINGERPRINT)
})

interface Readiness {
  readonly ready: boolean
  readonly reason: string | null
  readonly fold: object
}

async function readinessOf(node: RunningNode): Promise<Readiness> {
  return (await (await fetch(`${operatorOf(node.url()!)}/readyz`)).json()) as Readiness
}

const own = FOLD_FINGERPRINT
const other = OTHER_FINGERPRINT

async function assertServes(node: RunningNode, fold: string): Promise<void> {
  await eventually(`${node.name} serves`, async () => (await readinessOf(node)).ready)
  assert.deepEqual((await readinessOf(node)).fold, { own: fold, agreed: fold })
  assert.match(await metrics(node), new RegExp(`^ti_fold_agreed\\{own="${fold}",agreed="${fold}"\\} 1$`, 'm'))
}

async function assertRefuses(node: RunningNode, fold: string, agreed: string): Promise<void> {
  // it says what it knows of the other nodes once a second
  await eventually(`${node.name} refuses`, async () =>
    isDeepStrictEqual((await readinessOf(node)).fold, { own: fold, agreed }),
  )
  const { ready, reason } = await readinessOf(node)
  assert.equal(ready, false)
  assert.match(reason!, new RegExp(`fingerprint ${fold}, and its nodes serve ${agreed}: \`adopt\``))
  const { stdout: key } = await startService({ DATA_DIR: node.dataDir }, ['keys', 'create']).exit
  const answer = await fetch(`${node.url()}/v1/tokens/new`, { headers: { authorization: `Bearer ${key.trim()}` } })
  assert.equal(answer.status, 503, await answer.text())
  assert.match(await metrics(node), new RegExp(`^ti_fold_agreed\\{own="${fold}",agreed="${agreed}"\\} 0$`, 'm'))
}

/** Id of the log that a node's state is a fold of: each node gives its own log one, and a checkpoint brings another's. */
function logOf({ dataDir }: RunningNode): string {
  const connection = openConnection(stateFile(dataDir), { readOnly: true, cacheKiB: 256 })
  try {
    return createMeta(connection).identity().log
  } finally {
    connection.close()
  }
}

const metrics = async (node: RunningNode): Promise<string> => (await fetch(`${operatorOf(node.url()!)}/metrics`)).text()

test('nodes of another build fold and do not answer, until they are adopted', withNats, async (t) => {
  const nats = await startNats(t, 1)
  const alone = await replay(capture, join(dir, 'alone'))
  const env = { PAYMENTS: 'off', CHECKPOINTS: join(dir, 'checkpoints') }
  const node = (name: string, role: 'all' | 'serve') =>
    createNode({ dir, name, role, nats, source: `capture:${capture}?speed=0`, env })
  const [old, young] = [node('old', 'all'), node('young', 'serve')]
  t.after(() => Promise.all([old, young].map((one) => one.kill())))
  await old.start()
  await untilAllAt([old], alone.slot)
  await assertServes(old, own)

  await young.start({ main })
  await untilAllAt([young], alone.slot)
  await assertRefuses(young, other, own)
  await assertServes(old, own)

  const adopted = await startService({ LOG_URL: nats.url }, ['adopt'], { main }).exit
  assert.deepEqual(
    [adopted.code, adopted.stdout],
    [0, `nodes with fingerprint ${other} serve; before: ${own}`],
    adopted.stderr,
  )
  await assertServes(young, other)
  await assertRefuses(old, own, other)

  // the program is replaced: a checkpoint of its build is there before the node's own log is folded again
  const file = join(dir, 'checkpoints', '7-01234567.checkpoint')
  const made = await startService({ DATA_DIR: young.dataDir }, ['checkpoint', 'make', file], { main }).exit
  assert.equal(made.code, 0, made.stderr)
  assert.notEqual(logOf(old), logOf(young))
  await old.stop()
  await old.start({ main })
  await untilAllAt([old], alone.slot)
  await eventually('it knows the fold', async () => {
    const { fold } = await readinessOf(old)
    return isDeepStrictEqual(fold, { own: other, agreed: other })
  })
  // nothing new stands in the log, so it has read nothing of it yet
  const { reason, fold } = await readinessOf(old)
  assert.equal(logOf(old), logOf(young))
  assert.deepEqual([reason, fold], ['waiting for the shared log', { own: other, agreed: other }])

  const back = await startService({ LOG_URL: nats.url }, ['adopt', '--json']).exit
  assert.deepEqual([back.code, JSON.parse(back.stdout)], [0, { agreed: own, before: other }], back.stderr)
  await assertRefuses(young, other, own)
})
