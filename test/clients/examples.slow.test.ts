import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, before, type TestContext, test } from 'node:test'
import { base58Encode } from '@ti/core/base/base58.ts'
import { ENDPOINTS } from '@ti/core/contract/endpoints.ts'
import { PLAY } from '@ti/service/access/x402/network.ts'
import { createClient } from '../../clients/typescript/src/index.ts'
import { payingFetch, receiptIn } from '../../clients/typescript/src/payments.ts'
import { type Market, makeMarket, type Program, startProgram } from '../conformance/x402/program.ts'
import { codeOf, folderIn, installClient, program, ROOT } from '../support/guides.ts'
import { until } from '../support/live-service.ts'
import { rpc } from '../support/payments-fixtures.ts'
import { wallet } from '../support/wallet.ts'
import { inPython, PYTHON } from './tools.ts'

/** What the READMEs of the clients show and what stands in examples, run as it stands against the program. */
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')

let market: Market
let service: Program
let dir: string
const ends: (() => unknown)[] = []
before(async () => {
  dir = folderIn()
  await installClient(dir)
  market = await makeMarket()
  service = await startProgram({ after: (end) => void ends.push(end as () => unknown) }, market)
})
after(async () => {
  for (const end of ends) await end()
  market?.remove()
})

let built = 0

const compiled = (code: string): string => program(dir, String(built++), code)

interface Running {
  readonly lines: string[]
  kill(): void
  /** lines of its output once it has ended well */
  readonly ended: Promise<readonly string[]>
}

function start(t: TestContext, file: string, args: readonly string[], env: Record<string, string>): Running {
  const child = spawn(file, args, { cwd: dir, env: { ...process.env, ...env }, timeout: 120_000 })
  t.after(() => child.kill('SIGKILL'))
  let [out, err] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    err += text
  })
  const lines = (): string[] => out.trim().split('\n')
  const ended = new Promise<readonly string[]>((done, fail) => {
    child.on('error', fail)
    child.on('close', (code) => (code === 0 ? done(lines()) : fail(new Error(`ended with ${code}: ${err}${out}`))))
  })
  ended.catch(() => {})
  return {
    get lines() {
      return lines()
    },
    kill: () => void child.kill('SIGTERM'),
    ended,
  }
}

const inNode = (t: TestContext, contents: string, env: Record<string, string>): Promise<readonly string[]> =>
  start(t, process.execPath, [compiled(contents)], env).ended

/** What the pages call what a test knows. */
const named = (): Record<string, string> => ({ URL: service.url, KEY: market.key, MINT: market.mint })

/** The node of the chain that the service takes payments on. */
async function chain(): Promise<string> {
  const answer = await fetch(`${service.url}/.well-known/x402`)
  const { payments } = (await answer.json()) as { payments: { rpc_url: string } }
  return payments.rpc_url
}

/** A new wallet with a dollar, as a reader names it. */
async function purse(): Promise<Record<string, string>> {
  const [{ address, key }, rpcUrl] = [wallet(), await chain()]
  await rpc(rpcUrl, 'sandbox_faucet', [address, { usdc: '1000000' }])
  const { d = '', x = '' } = key.export({ format: 'jwk' })
  const secret = Buffer.concat([d, x].map((part) => Buffer.from(part, 'base64url')))
  return { WALLET_SECRET: base58Encode(secret.toString('latin1')), RPC_URL: rpcUrl }
}

const TRADE = /^2[678] (buy|sell) \d+(\.\d+)?(e-\d+)?$/
const CARD = /^\S.* (None|null|\d+(\.\d)?) (green|yellow|red|neutral)$/

test('the page of the TypeScript client', async (t) => {
  const [ask, errors, follow, pay, ...more] = codeOf('clients/typescript/README.md', 'ts')
  assert.deepEqual(more, [])
  const asked = await inNode(t, ask!, named())
  for (const line of asked.slice(0, -1)) assert.match(line, CARD)
  assert.match(asked.at(-1)!, /^\d+ (green|yellow|red|neutral)$/)
  assert.deepEqual(await inNode(t, errors!, named()), ['402 payment_required true null'])
  const followed = await inNode(t, follow!, named())
  assert.equal(followed.length >= 3, true)
  for (const line of followed) assert.match(line, TRADE)
  const inSandbox = pay!.replace('{ wallet, ', `{ wallet, network: '${PLAY.v2}', `)
  const [paid, score] = await inNode(t, inSandbox, { ...named(), ...(await purse()) })
  assert.equal(paid, 'paid true')
  assert.match(score!, /^(null|\d+(\.\d)?)$/)
})

test('the page of the Python client', inPython, async (t) => {
  const env = { ...named(), PYTHONPATH: join(ROOT, 'clients/python'), PYTHONDONTWRITEBYTECODE: '1' }
  const run = (code: string) => start(t, PYTHON!, ['-c', code], env).ended
  const [ask, errors, follow, awaited, ...more] = codeOf('clients/python/README.md', 'python')
  assert.deepEqual(more, [])
  const asked = await run(ask!)
  for (const line of asked.slice(0, -1)) assert.match(line, CARD)
  assert.deepEqual(await run(errors!), ['402 payment_required True None'])
  for (const line of await run(follow!)) assert.match(line, TRADE)
  assert.deepEqual(await run(awaited!), ['token_created'])
})

for (const version of [1, 2] as const) {
  test(`the TypeScript client pays in version ${version}, to the unit`, async () => {
    const wallet = await service.buyer()
    const rpcUrl = await chain()
    const network = PLAY.v2
    const receipts: unknown[] = []
    const client = createClient({
      baseUrl: service.url,
      fetch: payingFetch({ wallet, version, network, rpcUrl }),
      onResponse: (response) => void receipts.push(receiptIn(response)?.success),
    })
    const had = await service.tokens(wallet.address)
    const { data } = await client.snapshot(market.mint)
    assert.equal(data.meta?.mint, market.mint)
    const { priceUnits } = ENDPOINTS.find(({ id }) => id === 'snapshot')!
    assert.equal(had - (await service.tokens(wallet.address)), priceUnits)
    assert.deepEqual(receipts, [true])
    const careful = createClient({
      baseUrl: service.url,
      fetch: payingFetch({ wallet, version, network, rpcUrl, maxPerCall: '$0.001' }),
    })
    await assert.rejects(careful.snapshot(market.mint))
    assert.equal(had - (await service.tokens(wallet.address)), priceUnits)
  })
}

test('the gate asks before it buys', async (t) => {
  const { url } = service
  const env = { TI_URL: url, TI_KEY: market.key, TOKENS: '150', AFTER_SEQ: '400', WAIT_MS: '0' }
  const lines = await inNode(t, read('examples/gate.ts'), env)
  assert.equal(lines.length, 151)
  for (const line of lines.slice(0, -1)) assert.match(line, /^(buy {2}\S.* \w{32,44}|pass \S.*: .+)$/)
  const bought = lines.filter((line) => line.startsWith('buy')).length
  t.diagnostic(lines.at(-1)!)
  assert.equal(bought > 0 && bought < 150, true, 'some of each')
  assert.match(lines.at(-1)!, new RegExp(`^150 tokens, ${bought} bought on paper, -?[\\d.]+% of one stake$`))
})

test('the agent over MCP', async (t) => {
  const { url } = service
  const [tools, ...said] = await inNode(t, read('examples/agent.ts'), { TI_URL: url, TI_KEY: market.key })
  assert.match(tools!, /^tools: .*\bscan_token\b/)
  assert.equal(said.length, 3)
  for (const line of said)
    assert.match(line, /^\S.*: \d+ bundles own [\d.]+% of supply; it (is in one hand|looks fine|is rated \w+)$/)
})

test('the Telegram bot answers, waits when it is told to, and shows no markup of strangers', async (t) => {
  const { url } = service
  const telegram = await startTelegram(t)
  const bot = start(t, process.execPath, [compiled(read('examples/telegram-bot.ts'))], {
    TELEGRAM_API: telegram.url,
    TELEGRAM_TOKEN: '1:secret',
    TI_URL: url,
    TI_KEY: market.key,
  })
  telegram.say(`/who ${market.mint}`, '/who@bot 11111111111111111111111111111111', '/who <b>', 'nothing for it')
  await until('it has answered', () => telegram.answers.length === 3)
  const [who, nobody, wrong] = telegram.answers
  assert.match(who!, /^\S+ <b>[^<>]+<\/b> \([^<>]+\)\nscore [^<>]+$/)
  assert.equal(nobody, 'Nothing is known about this mint.')
  assert.equal(wrong, 'Send <code>/who MINT</code>.')
  assert.equal(telegram.refused(), 1, 'told to wait once, and came again')
  bot.kill()
  await bot.ended
})

/** The three methods as they are documented; the first message is refused with `retry_after`. */
async function startTelegram(t: TestContext) {
  const answers: string[] = []
  const waiting: { update_id: number; message: object }[] = []
  let refused = 0
  const server = createServer((request, response) => {
    let text = ''
    const reply = (status: number, body: object): void =>
      void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    request.setEncoding('utf8').on('data', (more: string) => {
      text += more
    })
    request.on('end', () => {
      const body = JSON.parse(text)
      if (request.url === '/bot1:secret/getUpdates') {
        const result = waiting.filter(({ update_id }) => update_id >= body.offset)
        // a long poll that is short
        return void setTimeout(() => reply(200, { ok: true, result }), result.length > 0 ? 0 : 50)
      }
      if (request.url !== '/bot1:secret/sendMessage') return reply(404, { ok: false, description: 'Not Found' })
      if (refused === 0) {
        refused++
        return reply(429, { ok: false, description: 'Too Many Requests', parameters: { retry_after: 1 } })
      }
      answers.push(body.text)
      reply(200, { ok: true, result: {} })
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    answers,
    refused: () => refused,
    say(...texts: string[]) {
      for (const text of texts) waiting.push({ update_id: waiting.length + 1, message: { chat: { id: 7 }, text } })
    },
  }
}
