import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { generateKeyPairSigner } from '@solana/kit'
import { base58Encode } from '@ti/core/base/base58.ts'
import type * as AccountsModule from '@ti/service/access/accounts/accounts.ts'
import type * as DatabaseModule from '@ti/service/access/sql/database.ts'
import { NETWORKS } from '@ti/service/access/x402/network.ts'
import { freePort } from '../test/ports.mjs'
import { formsOf, rpc, transferTransaction } from '../test/support/payments-fixtures.ts'
import { createNormaliser, type Named } from './same-names.ts'
import { type Asked, createRequests, type Known, type Request } from './same-requests.ts'
import { ROOT, type SpawnedNode, spawnNode } from './service.ts'

/**
 * Sends the same requests to two builds over the same capture and compares the answers byte by byte, after replacing
 * node-specific values (ids, times, sandbox keys) by names. `node --import tsx bench/same-answers.ts ROOT
 * [REQUESTS] [SEED]`. Both must be built.
 */
const REQUESTS = 10_000
/** requests per address and key, below the unpaid limit, so that groups do not affect each other */
const GROUP = 40
/** milliseconds for a group before its rate limits reset; a slower one is repeated from another address */
const GROUP_MS = 45_000
const TRADES = 6_000
const PATIENCE_MS = 60_000
const FUNDED = 1_000_000_000
/** kinds of differences shown */
const SHOWN = 20

interface Side extends Named {
  readonly node: SpawnedNode
  readonly keys: { readonly pro: readonly string[]; readonly free: readonly string[] }
  readonly asked: { -readonly [Name in keyof Asked]: Asked[Name] }
}

const run = promisify(execFile)

/**
 * Keys in a data directory, made by its own build before the service starts. Free keys have five calls a minute and an
 * account each.
 */
async function makeKeys(root: string, dataDir: string, count: number): Promise<Side['keys']> {
  const load = (file: string): Promise<unknown> =>
    import(pathToFileURL(join(root, 'packages/service/src/access', file)).href)
  const { openDatabase } = (await load('sql/database.ts')) as typeof DatabaseModule
  const { createAccounts } = (await load('accounts/accounts.ts')) as typeof AccountsModule
  const database = await openDatabase({ dataDir, url: null })
  const accounts = createAccounts(database, { now: Date.now })
  const operator = await accounts.ofOperator()
  const keys = { pro: [] as string[], free: [] as string[] }
  for (let i = 0; i < count; i++) {
    const wallet = base58Encode(`\u0001${String(i).padStart(31, 'w')}`)
    const { id } = await accounts.ofWallet(wallet)
    for (const [plan, account] of [['pro', operator.id] as const, ['free', id] as const]) {
      const made = await accounts.createKey(account, { name: `key ${i}`, expiresAt: null })
      if (!made.ok) throw new Error(made.message)
      keys[plan].push(made.key)
    }
  }
  await database.close()
  return keys
}

async function open(root: string, dataDir: string, capture: string, groups: number): Promise<Side> {
  const keys = await makeKeys(root, dataDir, groups)
  // the public address is the same on both sides
  const port = await freePort()
  const named = { PUBLIC_URL: 'http://127.0.0.1:4000', PORT: `${port}` }
  const env = { ...named, DATA_DIR: dataDir, OBSERVE: 'off', WEB_ACCESS: 'open' }
  const node = spawnNode(env, [], `capture:${capture}?speed=0`, root)
  const url = `http://127.0.0.1:${port}`
  const ready = await untilReady(await node.operator)
  const { pay_to: payTo, fee_payer: feePayer, rpc_url: rpcUrl } = ready.payments
  const network = NETWORKS.find(({ v2 }) => v2 === ready.payments.network)!
  const buyer = await generateKeyPairSigner()
  await rpc(rpcUrl, 'sandbox_faucet', [buyer.address, { usdc: String(FUNDED) }])
  const names = { [payTo]: 'PAY_TO', [feePayer]: 'FEE_PAYER', [rpcUrl]: 'RPC_URL', [buyer.address]: 'BUYER' }
  const asked: Side['asked'] = {
    url,
    pro: '',
    free: '',
    last: null,
    cookie: '',
    async pay(price, version) {
      const latest = await rpc<{ value: { blockhash: string } }>(rpcUrl, 'getLatestBlockhash')
      const { blockhash } = latest.value
      const transaction = await transferTransaction({
        buyer,
        payTo,
        feePayer,
        blockhash,
        amount: price,
        mint: network.asset,
      })
      const { v1, v2, v1Text, v2Text } = formsOf(transaction, price, { payTo, feePayer, network })
      asked.last = version === 1 ? { text: v1Text, value: v1 } : { text: v2Text, value: v2 }
      return asked.last
    },
  }
  return { node, keys, asked, names }
}

interface Ready {
  readonly ready: boolean
  readonly slot: number
  readonly payments: Readonly<Record<'pay_to' | 'fee_payer' | 'rpc_url' | 'network', string>> & {
    readonly ready: boolean
  }
}

/** Waits until the service is ready and at the end of its capture, when its slot no longer changes. */
async function untilReady(url: string): Promise<Ready> {
  let last = -1
  for (;;) {
    const state = (await (await fetch(`${url}/readyz`)).json()) as Ready
    const isDone = state.ready && state.payments.ready && state.slot === last
    if (isDone) return state
    last = state.slot
    await new Promise((next) => setTimeout(next, 2_000))
  }
}

/** All bytes until the connection closes or the answer is complete. */
function exchange(url: string, bytes: string, localAddress: string): Promise<string> {
  return new Promise((done, fail) => {
    const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1', localAddress })
    const chunks: Buffer[] = []
    socket.setTimeout(PATIENCE_MS, () => {
      fail(new Error(`no end of the answer to ${JSON.stringify(bytes.slice(0, 300))}`))
      socket.destroy()
    })
    socket.on('data', (chunk) => {
      chunks.push(chunk)
      if (isWhole(Buffer.concat(chunks).toString('latin1'), bytes.startsWith('HEAD '))) socket.end()
    })
    socket.on('error', () => {})
    socket.on('close', () => done(Buffer.concat(chunks).toString('latin1')))
    socket.write(bytes, 'latin1')
  })
}

function isWhole(answer: string, isHead: boolean): boolean {
  const end = answer.indexOf('\r\n\r\n')
  if (end < 0) return false
  if (isHead) return true
  const length = /\r\ncontent-length: (\d+)/i.exec(answer.slice(0, end))?.[1]
  return length !== undefined && answer.length >= end + 4 + Number(length)
}

async function knownOf(url: string, key: string): Promise<Known> {
  const list = async (path: string): Promise<Record<string, unknown>[]> => {
    const answer = await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${key}` } })
    return ((await answer.json()) as { data: Record<string, unknown>[] }).data
  }
  const mints = (await list('/v1/tokens/new')).map(({ mint }) => String(mint))
  const trades = await list(`/v1/tokens/${mints[0]}/trades`)
  const wallets = trades.map((trade) => String(Object.values(trade).find((value) => String(value).length > 42)))
  if (mints.length === 0 || wallets.length === 0) throw new Error('the capture has no tokens to ask for')
  return { mints, wallets: [...new Set(wallets)] }
}

interface Found {
  requests: number
  readonly statuses: Map<string, number>
  readonly differences: string[]
  again: number
}

/** Sends one group to both sides in step; false if it took so long that its rate limits reset. */
async function sendGroup(sides: readonly Side[], requests: readonly Request[], no: number, found: Found) {
  const began = performance.now()
  const address = `127.${1 + (no >> 8)}.${no & 255}.1`
  for (const { asked, keys } of sides)
    Object.assign(asked, { pro: keys.pro[no], free: keys.free[no], last: null, cookie: '' })
  const differences: string[] = []
  const statuses: string[] = []
  for (const { kind, bytes } of requests) {
    const answers = await Promise.all(
      sides.map(async ({ asked, names }) => {
        const sent = await bytes(asked)
        const answer = await exchange(asked.url, sent, address)
        asked.cookie = /\r\nset-cookie: (page=[^;\r]+)/i.exec(answer)?.[1] ?? asked.cookie
        return { sent, text: createNormaliser({ names })(answer) }
      }),
    )
    const [before, now] = answers as [(typeof answers)[0], (typeof answers)[0]]
    statuses.push(`${kind} ${/^HTTP\/1\.1 (\d+)/.exec(now.text)?.[1] ?? 'none'}`)
    if (before.text !== now.text) {
      const parts = [`${kind}: ${now.sent.slice(0, 700)}`, `before: ${before.text}`, `now:    ${now.text}`]
      differences.push(parts.map((part) => part.slice(0, 2_500)).join('\n'))
    }
  }
  if (performance.now() - began > GROUP_MS) return false
  found.requests += requests.length
  found.differences.push(...differences)
  for (const status of statuses) found.statuses.set(status, (found.statuses.get(status) ?? 0) + 1)
  return true
}

async function sameAnswers(root: string, requests: number, seed: number): Promise<{ pass: boolean; detail: string }> {
  const dir = mkdtempSync(join(tmpdir(), 'same-answers-'))
  const groups = Math.ceil(requests / GROUP)
  // twice the number, because groups may be repeated on a busy machine
  const rooms = 2 * groups
  const capture = join(dir, 'market.capture')
  const found: Found = { requests: 0, statuses: new Map(), differences: [], again: 0 }
  const sides: Side[] = []
  try {
    const main = join(ROOT, 'dist/main.js')
    await run(process.execPath, [main, 'capture', 'simulate', capture, '--trades', `${TRADES}`, '--seed', `${seed}`])
    for (const [i, from] of [resolve(root), ROOT].entries())
      sides.push(await open(from, join(dir, `side${i}`), capture, rooms))
    const next = createRequests(seed, await knownOf(sides[0]!.asked.url, sides[0]!.keys.pro[rooms - 1]!))
    let room = 0
    for (let group = 0; group < groups; group++) {
      const drawn = Array.from({ length: Math.min(GROUP, requests - group * GROUP) }, next)
      while (!(await sendGroup(sides, drawn, room++, found))) {
        found.again++
        if (room >= rooms - 1) throw new Error(`groups of ${GROUP} take longer than ${GROUP_MS} ms: a quieter machine`)
      }
    }
  } finally {
    await Promise.all(sides.map(({ node }) => node.stop()))
    rmSync(dir, { recursive: true, force: true })
  }
  for (const difference of found.differences.slice(0, SHOWN)) console.error(`\n${difference}`)
  const statuses = [...found.statuses].sort().map(([status, times]) => `${status}: ${times}`)
  return {
    pass: found.differences.length === 0 && found.requests === requests,
    detail: `seed ${seed}, ${found.requests} requests, ${found.differences.length} differ, ${found.again} groups sent again; ${statuses.join(', ')}`,
  }
}

const [other, count = `${REQUESTS}`, from = '1'] = process.argv.slice(2)
if (other === undefined) throw new Error('the root of another build is missing')
const { pass, detail } = await sameAnswers(other, Number(count), Number(from))
console.log(`${pass ? 'pass' : 'FAIL'}  ${detail}`)
process.exitCode = pass ? 0 : 1
