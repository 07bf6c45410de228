import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { keyFromBase58, keyToBase58 } from '@ti/core/base/base58.ts'
import type { Key } from '@ti/core/base/ids.ts'
import type { RawBlock } from '@ti/core/model/raw.ts'
import { decodeEntry } from '@ti/service/log/codec.ts'
import { openNode } from '@ti/service/service/node.ts'
import { chainOf, filtered, LAUNCHPADS } from '../fakes/yellowstone-chain.ts'
import { block, launch, named, payment } from '../support/live-chain.ts'
import { eventually } from '../support/wait.ts'
import { entriesOf, noClient, serveChain, whoOf } from './followed-service.ts'
import { sourceOf, stateHash, tell } from './yellowstone-run.ts'

/**
 * Payments that are followed as they happen, through everything that a service has: an endpoint and the official client, the
 * decoding thread, the log, the fold, the observers and a node that they ask.
 */
const FIRST = 1_000
/** places in the chain: an earlier launch, the payments, the launch that is bought, the end */
const [EARLIER, PAID, BOUGHT, END] = [FIRST + 2, FIRST + 250, FIRST + 270, FIRST + 290]
const [EXCHANGE, DEPLOYER, OLD, NEWCOMER] = ['exchange', 'deployer', 'old', 'newcomer'].map(named) as Key[]
const OF_EXCHANGE = ['a', 'b', 'c'].map(named)
const OF_DEPLOYER = ['p', 'q', 'r'].map(named)
const [M0, M1] = [named('m0'), named('m1')]
const SOL = 1_000_000_000

function makeChain() {
  const [before, after] = [launch(M0, DEPLOYER!), launch(M1, DEPLOYER!)]
  const [a, b, c] = OF_EXCHANGE as [Key, Key, Key]
  const at = new Map<number, RawBlock['transactions']>([
    [EARLIER, [before.create(), before.buy(OLD!, SOL)]],
    [
      PAID,
      [
        payment(EXCHANGE!, [
          [a, 2 * SOL],
          [b, 3 * SOL],
        ]),
        payment(EXCHANGE!, [[c, 4 * SOL]], { isInner: true }),
        // it has been emptied since it bought: these are not its first SOL
        payment(EXCHANGE!, [[OLD!, 5 * SOL]]),
        payment(EXCHANGE!, [[NEWCOMER!, 5 * SOL]], { old: [NEWCOMER!] }),
        payment(
          DEPLOYER!,
          OF_DEPLOYER.map((wallet) => [wallet, SOL] as const),
        ),
      ],
    ],
    [
      BOUGHT,
      [after.create(), ...[...OF_EXCHANGE, ...OF_DEPLOYER, OLD!, NEWCOMER!].map((user) => after.buy(user, SOL))],
    ],
  ])
  const slots = Array.from({ length: END - FIRST + 10 }, (_, i) => FIRST + i)
  return chainOf(slots.map((slot) => block(slot, at.get(slot) ?? [])))
}

/** A node that knows nobody's history, and is asked for it. */
async function startNode(t: TestContext) {
  const asked: string[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (part) => {
      body += part
    })
    request.on('end', () => {
      const { id, params } = JSON.parse(body)
      asked.push(keyFromBase58(params[0])!.replaceAll('.', ''))
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ jsonrpc: '2.0', id, result: [] }))
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  t.after(() => server.close())
  return { asked, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

test('payments of an exchange and a deployer are the first funding of who bought, without a request', {
  skip: noClient,
  timeout: 400_000,
}, async (t) => {
  const chain = makeChain()
  const rpc = await startNode(t)
  const service = await serveChain(t, chain, (dir) => {
    const EXCHANGES = join(dir, 'exchanges.json')
    writeFileSync(EXCHANGES, JSON.stringify([{ wallet: keyToBase58(EXCHANGE!), name: 'An exchange' }]))
    const node = { FUNDER_RPC_URL: rpc.url, FUNDER_REQUESTS_PER_MINUTE: '60000' }
    return { EXCHANGES, FOLLOW_EXCHANGES: '1', FOLLOW_DEPLOYERS: '10', ...node }
  })
  const { node } = service.folding
  // the stream begins with what is there when it is asked for
  await service.reach(FIRST)
  await service.reach(EARLIER)
  await service.follows(PAID, EXCHANGE!, DEPLOYER!)
  await service.reach(END)
  // the last buyer of the newest launch is the last in the order of whom to ask
  await eventually('who is not known is asked for', () => rpc.asked.includes('newcomer'))

  const fundings = entriesOf(node).flatMap((bytes, seq) => {
    const entry = decodeEntry(seq, bytes)
    return entry.kind === 'facts' ? entry.facts : []
  })
  const fact = (wallet: Key, funder: Key, lamports: number) => ({
    ...{ kind: 'funding', wallet, funder, slot: PAID, exchange: funder === EXCHANGE, lamports },
  })
  assert.deepEqual(fundings, [
    ...OF_EXCHANGE.map((wallet, i) => fact(wallet, EXCHANGE!, (2 + i) * SOL)),
    ...OF_DEPLOYER.map((wallet) => fact(wallet, DEPLOYER!, SOL)),
  ])
  const known = [...OF_EXCHANGE, ...OF_DEPLOYER].map((wallet) => wallet.replaceAll('.', ''))
  assert.deepEqual(
    rpc.asked.filter((name) => known.includes(name)),
    [],
    'nobody is asked for whose payment was seen',
  )
  assert.ok(rpc.asked.includes('old'))

  // an exchange pays everybody: only who was funded by the deployer is a group
  const { groups } = await whoOf(node, M1)
  const funders = groups.flatMap((group: { funders: object[] }) => group.funders)
  assert.equal(funders.length, 1)
  const [{ wallet, exchange, is_deployer, funded }] = funders
  assert.deepEqual([wallet, exchange, is_deployer], [keyToBase58(DEPLOYER!), false, true])
  assert.deepEqual(funded.map((one: { wallet: string }) => keyFromBase58(one.wallet)).sort(), OF_DEPLOYER)

  const lines = [
    'ti_source_followed{what="funders"} 2',
    'ti_source_total{event="of_funders_only"} 5',
    'ti_live_fundings_total{what="kept"} 6',
    'ti_live_fundings_total{what="not_first"} 1',
  ]
  // the thread says once a second how its source stands
  let text = ''
  await eventually(
    'the metrics say so',
    async () => {
      text = await service.metrics.text()
      return lines.every((line) => text.includes(line))
    },
    { deadlineMs: 20_000, seen: () => text.match(/^ti_(source|live).*$/gm)?.join('\n') ?? text },
  )

  const before = node.store.stateHash()
  const entries = entriesOf(node)
  await service.close()
  const again = await openNode(service.dataDir)
  assert.equal(again.store.stateHash(), before, 'after a restart')
  await again.close()
  assert.equal(await stateHash(entries), before, 'folded anew from the log')
  // apart from the facts the log is what it is where nobody is followed
  const plain = await tell(sourceOf(chain.blocks.map((one) => filtered(one, LAUNCHPADS))), chain)
  const blocks = entries.filter((bytes, seq) => decodeEntry(seq, bytes).kind === 'block')
  assert.deepEqual(blocks.slice(0, BOUGHT - FIRST + 5), plain.entries.slice(0, BOUGHT - FIRST + 5))
})
