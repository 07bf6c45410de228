import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type SandboxChain, startSandboxChain } from '@ti/sandbox/chain.ts'
import { type Accounts, createAccounts } from '@ti/service/access/accounts/accounts.ts'
import { type Database, openDatabase } from '@ti/service/access/sql/database.ts'
import { sql } from 'kysely'
import { freePort } from '../ports.mjs'
import type { Postgres } from '../postgres.mjs'
import type { Books, PaymentEventRow } from '../simulation/payments-books.ts'
import { type FakeFacilitator, startFakeFacilitator } from '../simulation/payments-fake-facilitator.ts'
import { findGoods, type Goods } from '../simulation/payments-goods.ts'
import { createMarket, type Market } from '../simulation/payments-market.ts'
import { createProgram, type Program } from '../simulation/payments-program.ts'
import { command, operatorOf, replay } from '../simulation/service.ts'
import { seededRandom } from '../support/random.ts'
import { eventually } from '../support/wait.ts'
import { openWay, type Way } from './access-way.ts'

export interface NodeOf {
  readonly program: Program
  readonly dataDir: string
  readonly url: string
}

/** Three nodes with the same tokens, one PostgreSQL with the network before it, one chain, and buyers. */
export interface NodesWorld {
  readonly nodes: readonly NodeOf[]
  /** what a node of this world is started with, besides its own folder */
  readonly env: Readonly<Record<string, string>>
  readonly way: Way
  /** past the network, so that a test sees the tables whatever the nodes see */
  readonly database: Database
  readonly accounts: Accounts
  readonly chain: SandboxChain
  /** null: each node settles by itself */
  readonly facilitator: FakeFacilitator | null
  readonly goods: Goods
  readonly market: Market
  /** known to every node */
  proKeys(count: number): Promise<{ readonly key: string; readonly id: string }[]>
  books(): Promise<Books>
  close(): Promise<void>
}

export interface NodesOptions {
  readonly postgres: Postgres
  readonly seed: number
  readonly payments: 'facilitator' | 'self'
}

const NODES = 3
const BUYERS = 16
/** milliseconds a buyer waits for an answer: longer than any step may take, so that nobody leaves before */
const PATIENCE_MS = 60_000

export async function openNodesWorld({ postgres, seed, payments }: NodesOptions): Promise<NodesWorld> {
  const dir = mkdtempSync(join(tmpdir(), 'nodes-access-'))
  const closing: (() => unknown)[] = [() => rmSync(dir, { recursive: true, force: true })]
  const close = async (): Promise<void> => {
    for (const end of closing.splice(0).reverse()) await end()
  }
  try {
    const capture = join(dir, 'market.capture')
    await command('capture', 'simulate', capture, '--trades', '3000', '--seed', '7')
    const dirs = Array.from({ length: NODES }, (_, i) => join(dir, `node-${i}`))
    // the others fold it when they start
    const { slot } = await replay(capture, dirs[0]!)
    const chain = await startSandboxChain({ slotMs: 0 })
    closing.push(chain.close)
    const facilitator = payments === 'self' ? null : await startFakeFacilitator(chain, seededRandom(seed))
    if (facilitator !== null) {
      facilitator.calm()
      closing.push(facilitator.close)
    }
    const way = await openWay(Number(new URL(postgres.url).port))
    closing.push(way.close)
    const through = new URL(postgres.url)
    through.port = String(way.port)
    const env = {
      SOURCE: `capture:${capture}?speed=0`,
      LOG_LEVEL: 'info',
      // of all three, as behind a proxy: what a wallet signs names it
      PUBLIC_URL: 'http://127.0.0.1:3000',
      DATABASE_URL: through.href,
      RATE_LIMITS: 'shared',
      SOLANA_RPC_URL: chain.rpcUrl,
      PAY_TO: chain.seller,
      PAYMENTS: payments,
      ALLOW_PLAY_MONEY: '1',
      ...(facilitator === null
        ? { FEE_PAYER_KEYPAIR: JSON.stringify([...chain.feePayerSecret]) }
        : { FACILITATOR_URL: facilitator.url }),
    }
    // all at once: they make the tables together
    const programs: Program[] = []
    for (const DATA_DIR of dirs) programs.push(createProgram({ ...env, DATA_DIR, PORT: String(await freePort()) }))
    closing.push(() => Promise.all(programs.map((program) => program.kill())))
    await Promise.all(programs.map((program) => program.start()))
    const nodes = await Promise.all(
      programs.map(async (program, i) => ({ program, dataDir: dirs[i]!, url: await program.up() })),
    )
    const database = await openDatabase({ dataDir: '/nowhere', url: postgres.url })
    closing.push(database.close)
    const accounts = createAccounts(database, { now: Date.now })
    const proKeys = keyMaker(database, accounts, nodes)
    const [first] = await proKeys(1)
    for (const { url } of nodes) {
      await eventually('a node has folded everything and takes payments', async () => {
        const now = await readyOf(url)
        return now.ready && now.slot === slot && now.payments.ready
      })
    }
    let turn = 0
    const anyNode = { up: async () => nodes[turn++ % NODES]!.url } as Program
    const { seller: payTo, feePayer } = chain
    return {
      nodes,
      env,
      way,
      database,
      accounts,
      chain,
      facilitator,
      goods: await findGoods(nodes[0]!.url, first!.key),
      market: await createMarket({ program: anyNode, chain, payTo, feePayer, rich: BUYERS, patienceMs: PATIENCE_MS }),
      proKeys,
      books: () => booksOf(database),
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

export interface Readyz {
  readonly ready: boolean
  readonly slot: number
  readonly accounts: { readonly answering: boolean; readonly since: string | null }
  readonly payments: { readonly ready: boolean; readonly open: number }
}

export const readyOf = async (url: string): Promise<Readyz> =>
  (await (await fetch(`${operatorOf(url)}/readyz`)).json()) as Readyz

/** Status of a read with a key. */
export async function readWith(url: string, key: string): Promise<number> {
  const answer = await fetch(`${url}/v1/tokens/new`, { headers: { authorization: `Bearer ${key}` } })
  await answer.arrayBuffer()
  return answer.status
}

function keyMaker(database: Database, accounts: Accounts, nodes: readonly NodeOf[]): NodesWorld['proKeys'] {
  return async (count) => {
    const { id: operator } = await accounts.ofOperator()
    const made: { key: string; id: string }[] = []
    while (made.length < count) {
      const one = await accounts.createKey(operator, { name: 'a test', expiresAt: null })
      if (!one.ok) throw new Error(one.message)
      made.push({ key: one.key, id: one.info.id })
    }
    for (const { url } of nodes) {
      await eventually('the newest key is known', async () => {
        // those who wait show a key that is not known yet, which is no more than 60 times a minute
        await ageWindows(database)
        return (await readWith(url, made.at(-1)!.key)) === 200
      })
    }
    return made
  }
}

async function booksOf({ sql: db }: Database): Promise<Books> {
  const rows = await db.selectFrom('payments').selectAll().execute()
  const events = new Map<string, PaymentEventRow[]>()
  for (const event of await db.selectFrom('payment_events').selectAll().orderBy('id').execute()) {
    events.set(event.hash, [...(events.get(event.hash) ?? []), event])
  }
  return { rows, events }
}

/** As if a minute had passed for every window. */
export async function ageWindows({ sql: db }: Database): Promise<void> {
  await sql`update rate_windows set started_at = started_at - interval '60 seconds'`.execute(db)
}

/** As if whoever holds a payment had been silent for two minutes: the nodes ask what became of it. */
export async function ageLeases({ sql: db }: Database): Promise<void> {
  await sql`update payments set lease_until = now() - interval '1 second'
    where state in ('reserved', 'settling')`.execute(db)
}
