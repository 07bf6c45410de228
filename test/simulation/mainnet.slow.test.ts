import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { wallClock } from '@ti/service/base/clock.ts'
import { openNode } from '@ti/service/service/node.ts'
import { startFakeServer } from '../fakes/yellowstone.ts'
import { chainOf, type FakeChain, simulateChain } from '../fakes/yellowstone-chain.ts'
import { createFakeNode } from '../fakes/yellowstone-node.ts'
import { seededRandom } from '../support/random.ts'
import { operatorOf, type Started, startService } from './service.ts'

const SLOT_MS = 50
const client = await import('@triton-one/yellowstone-grpc').catch(() => null)
const skip = client === null ? 'the Yellowstone client has no build for this platform' : false

/** A chain whose last block will be of about the moment it is sent at. */
async function chainOfNow(slots: number): Promise<FakeChain> {
  const { blocks } = await simulateChain({ slots, seed: 5, tps: 6 })
  const start = Date.now() / 1000
  return chainOf(blocks.map((block, i) => ({ ...block, time: Math.floor(start + (i * SLOT_MS) / 1000) })))
}

/** Prices and listing orders, as the public endpoints answer. */
async function startInternet(t: TestContext): Promise<string> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url!, 'http://any')
    const paid = [{ status: 'approved', type: 'tokenProfile', paymentTimestamp: Date.now() - 60_000 }]
    const answer = pathname.startsWith('/orders') ? paid : { usd: pathname === '/one' ? 150 : 150.5 }
    response.setHeader('content-type', 'application/json').end(JSON.stringify(answer))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  t.after(() => server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

interface Ready {
  readonly slot: number
  readonly ready: boolean
  readonly source?: { readonly endpoints: number; readonly connected: number; readonly missing: number }
  readonly waiting_outside?: Record<string, number>
}

const readyz = async (service: Started): Promise<Ready> =>
  (await (await fetch(`${operatorOf(await service.url)}/readyz`)).json()) as Ready
const metricsOf = async (service: Started): Promise<string> =>
  (await fetch(`${operatorOf(await service.url)}/metrics`)).text()

async function until(what: string, met: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + 60_000
  while (!(await met())) {
    assert.equal(performance.now() < end, true, `waited a minute for ${what}`)
    await sleep(20)
  }
}

test('as on mainnet: an endpoint that fails, facts from outside, a kill; each block is in the log once', {
  skip,
  timeout: 180_000,
}, async (t) => {
  const chain = await chainOfNow(500)
  const startMs = Date.now()
  const head = (): number => chain.first + Math.floor((Date.now() - startMs) / SLOT_MS)
  const random = seededRandom(4)
  const faults = { disconnect: 0.01, duplicate: 0.2, reorder: 3, window: 400 }
  const node = createFakeNode({ chain, clock: wallClock, head, random, faults, pollMs: SLOT_MS, pingMs: 1_000 })
  const server = await startFakeServer(node)
  t.after(server.close)
  const outside = await startInternet(t)
  const dir = mkdtempSync(join(tmpdir(), 'mainnet-'))
  t.after(() => rmSync(dir, { recursive: true, force: true }))
  const env = {
    ...{ DATA_DIR: dir, SOURCE: `yellowstone:${server.url}`, YELLOWSTONE_TOKEN: 'a-secret', PAYMENTS: 'off' },
    ...{ DEX_ORDERS_URL: outside, PRICE_URLS: `${outside}/one,${outside}/two`, OUTBOUND_ALLOW: outside },
    ...{ IPFS_GATEWAYS: outside, ARWEAVE_GATEWAYS: outside },
  }

  const first = startService(env)
  await until('the first blocks', async () => (await readyz(first)).ready)
  const { source, waiting_outside: waiting } = await readyz(first)
  assert.deepEqual([source?.endpoints, source?.missing], [1, 0])
  assert.deepEqual(Object.keys(waiting ?? {}).sort(), ['dex_paid', 'image', 'metadata', 'outbound', 'sol_price'])
  await until('facts', async () => {
    const text = await metricsOf(first)
    return ['sol_price', 'dex_paid'].every((name) =>
      text.includes(`ti_observe_total{observer="${name}",outcome="reported"}`),
    )
  })
  const before = (await readyz(first)).slot
  first.child.kill('SIGKILL')
  await first.exit

  const again = startService(env)
  await until('the end of the chain', async () => (await readyz(again)).slot >= chain.end)
  again.child.kill('SIGTERM')
  const { code, stdout, stderr } = await again.exit
  assert.equal(code, 0, stderr)
  assert.equal(`${stdout}${stderr}`.includes('a-secret'), false, 'a token was printed')
  assert.deepEqual([...new Set(server.tokens)], ['a-secret'])

  const opened = await openNode(dir)
  t.after(() => opened.close())
  const entries = [...opened.store.log.read(0)].map(({ entry }) => entry)
  const slots = entries.flatMap((entry) => (entry.kind === 'block' ? [entry.slot] : []))
  const from = slots[0]!
  assert.equal(from < before && before < slots.at(-1)!, true, 'the kill was in the middle')
  const all = chain.blocks.map(({ slot }) => slot).filter((slot) => slot >= from && slot <= slots.at(-1)!)
  assert.deepEqual(slots, all)
  const facts = new Set(entries.flatMap((entry) => (entry.kind === 'facts' ? entry.facts.map(({ kind }) => kind) : [])))
  assert.deepEqual([facts.has('sol_price'), facts.has('dex_paid')], [true, true])
  assert.equal(opened.engine.globals.missingSlots, 0)
})
