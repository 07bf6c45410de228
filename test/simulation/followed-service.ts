import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { keyToBase58 } from '@ti/core/base/base58.ts'
import type { Key } from '@ti/core/base/ids.ts'
import { createQuery } from '@ti/core/query/create-query.ts'
import type { Answer } from '@ti/core/query/envelope.ts'
import { createOperations, noArguments } from '@ti/core/query/operations.ts'
import { readsOf } from '@ti/core/query/reads.ts'
import { wallClock } from '@ti/service/base/clock.ts'
import { createMetrics } from '@ti/service/base/metrics.ts'
import { readOptions } from '@ti/service/config/options.ts'
import { openFolding } from '@ti/service/service/folding.ts'
import type { Node } from '@ti/service/service/node.ts'
import { loadClient } from '@ti/service/source/yellowstone/transport.ts'
import { startFakeServer } from '../fakes/yellowstone.ts'
import type { FakeChain } from '../fakes/yellowstone-chain.ts'
import { createFakeNode } from '../fakes/yellowstone-node.ts'
import { createFakeLogger } from '../support/observe-scene.ts'
import { eventually } from '../support/wait.ts'

/** The official client has builds for some platforms only. */
export const noClient = await loadClient().then(
  () => false as const,
  () => 'the Yellowstone client has no build for this platform',
)

/** Lists are made every ten seconds, and each block is a commit that waits for its disk. */
const PATIENT = { deadlineMs: 120_000 }

/** The service behind an endpoint whose chain goes on as it is told. */
export async function serveChain(t: TestContext, chain: FakeChain, env: (dir: string) => Record<string, string>) {
  let head = chain.first
  const node = createFakeNode({ chain, clock: wallClock, head: () => head, random: Math.random, pingMs: 50, pollMs: 5 })
  const server = await startFakeServer(node)
  const dir = mkdtempSync(join(tmpdir(), 'followed-service-'))
  const metrics = createMetrics()
  const stop = new AbortController()
  const folding = await openFolding({
    options: readOptions({
      ...{ DATA_DIR: join(dir, 'data'), SOURCE: `yellowstone:${server.url}` },
      ...{ DEX_ORDERS_URL: 'off', PRICE_URLS: 'off', ...env(dir) },
    }),
    ...{
      role: 'all',
      logger: createFakeLogger().logger,
      metrics,
      signal: stop.signal,
      commitMs: () => 50,
      onPreparation() {},
    },
  })
  const observing = folding.observe()
  const fed = folding.fed.catch((error: unknown) => error)
  let isClosed = false
  const isAsked = (account: Key): boolean =>
    node.subscriptions.some(({ accounts }) => accounts.includes(keyToBase58(account)))
  async function close(): Promise<void> {
    if (isClosed) return
    isClosed = true
    await observing?.close()
    stop.abort()
    assert.equal(await fed, undefined)
    await folding.close()
  }
  t.after(async () => {
    await close()
    await server.close()
    rmSync(dir, { recursive: true, force: true })
  })
  return {
    dataDir: join(dir, 'data'),
    folding,
    metrics,
    /** the chain goes on to `slot`, and the service with it */
    async reach(slot: number) {
      head = Math.max(head, slot)
      await eventually(`slot ${slot} is folded`, () => folding.node.engine.globals.slot >= slot, PATIENT)
    },
    /** the chain goes on slot by slot, because a list is sent when something comes, until the endpoint is asked for these */
    async follows(before: number, ...accounts: readonly Key[]) {
      let looks = 0
      await eventually(
        'the accounts are followed',
        () => {
          // a slot every half second
          if (looks++ % 5 === 0) assert.ok(++head < before, `slot ${head}`)
          return accounts.every(isAsked)
        },
        PATIENT,
      )
    },
    isAsked,
    close,
  }
}

export async function whoOf({ engine, store }: Node, mint: Key) {
  const query = createQuery({ engine, store })
  const operation = createOperations(readsOf(query)).find(({ endpoint }) => endpoint.id === 'who')!
  const args = noArguments()
  assert.equal(operation.parse(keyToBase58(mint), {}, args), null)
  const found = (await operation.run(args, 'req_1')) as Answer
  return JSON.parse(Buffer.from(found.body, 'latin1').toString()).data
}

export const entriesOf = ({ store }: Node): Buffer[] => {
  const entries: Buffer[] = []
  while (entries.length <= store.log.newest()) entries.push(...store.log.bytes(entries.length, 100))
  return entries
}
