import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startSandboxChain } from '@ti/sandbox/chain.ts'
import { type NatsCluster, startNats } from '../nats.ts'
import { openWay, type Way } from '../nodes/access-way.ts'
import { createNode, type NodeChoice, type RunningNode } from '../nodes/running.ts'
import type { Postgres } from '../postgres.mjs'
import { startLiveChain, startPrices } from './live-chain.ts'

interface Ending {
  after(end: () => unknown): void
}

/** What nodes stand on, each behind a network that can be cut: an endpoint of a live chain, PostgreSQL, and the log. */
export interface Ground {
  readonly dir: string
  readonly source: string
  readonly chainWay: Way
  readonly databaseWay: Way
  readonly nats: NatsCluster
  /** a node as the shipped files start it, with payments of a chain in the test */
  node(name: string, role: NodeChoice['role'], env?: Readonly<Record<string, string>>, dir?: string): RunningNode
}

export async function openGround(t: Ending, postgres: Postgres, minutes: number, servers: number): Promise<Ground> {
  const dir = mkdtempSync(join(tmpdir(), 'operations-'))
  t.after(() => rmSync(dir, { recursive: true, force: true }))
  const chain = await startSandboxChain({ slotMs: 0 })
  t.after(chain.close)
  const nats = await startNats(t, servers)
  const prices = await startPrices(t)
  const live = await startLiveChain(t, minutes)
  const databaseWay = await openWay(Number(new URL(postgres.url).port))
  t.after(databaseWay.close)
  const database = new URL(postgres.url)
  database.port = String(databaseWay.port)
  const every = { LOG_LEVEL: 'info', CHECKPOINTS: join(dir, 'checkpoints') }
  const bringing = {
    ...{ OBSERVE: 'on', DEX_ORDERS_URL: 'off', PRICE_URLS: `${prices}/one,${prices}/two`, OUTBOUND_ALLOW: prices },
    ...{ CHECKPOINT_HOURS: '6' },
  }
  const answering = {
    ...{ SOLANA_RPC_URL: chain.rpcUrl, PAY_TO: chain.seller, PAYMENTS: 'self', ALLOW_PLAY_MONEY: '1' },
    FEE_PAYER_KEYPAIR: JSON.stringify([...chain.feePayerSecret]),
  }
  const ENV = {
    ingest: bringing,
    serve: { ...answering, DATABASE_URL: database.href, RATE_LIMITS: 'shared' },
    all: { ...bringing, ...answering },
  }
  return {
    dir,
    source: live.source,
    chainWay: live.way,
    databaseWay,
    nats,
    node(name, role, env = {}, own = dir) {
      const node = createNode({
        dir: own,
        name,
        role,
        nats,
        source: live.source,
        env: { ...every, ...ENV[role], ...env },
      })
      t.after(() => node.kill())
      return node
    },
  }
}
