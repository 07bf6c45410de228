import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'
import { after, before, type TestContext, test } from 'node:test'
import { ENDPOINTS } from '@ti/core/contract/endpoints.ts'
import { build } from 'esbuild'
import { createClient } from '../../clients/typescript/src/index.ts'
import { payingFetch, receiptIn } from '../../clients/typescript/src/payments.ts'
import { type Market, makeMarket, type Program, startProgram } from '../conformance/x402/program.ts'
import { until } from '../support/live-service.ts'
import { inPython, PYTHON } from './tools.ts'

/** What the READMEs of the clients show and what stands in examples, run as it stands against the program. */
const ROOT = resolve(import.meta.dirname, '../..')
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')
const blocks = (path: string, language: string): string[] =>
  [...read(path).matchAll(new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\``, 'gm'))].map(([, code]) => code!)

let market: Market
let program: Program
let dir: string
const ends: (() => unknown)[] = []
before(async () => {
  // among the packages, so that those that an example imports are found
  dir = mkdtempSync(join(ROOT, 'node_modules/.examples-'))
  market = await makeMarket()
  program = await startProgram({ after: (end) => void ends.push(end as () => unknown) }, market)
})
after(async () => {
  rmSync(dir, { recursive: true, force: true })
  for (const end of ends) await end()
  market?.remove()
})

let built = 0

/** A program of TypeScript, with this client as the package that it imports; where it is. */
async function compiled(contents: string): Promise<string> {
  const outfile = join(dir, `${built++}.mjs`)
  const client = join(ROOT, 'clients/typescript/src')
  await build({
    stdin: { contents, loader: 'ts', resolveDir: dir },
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    external: ['@solana/*', '@x402/*', '@modelcontextprotocol/*'],
    alias: {
      '@token-intelligence/client/payments': join(client, 'payments.ts'),
      '@token-intelligence/client': join(client, 'index.ts'),
    },
    outfile,
  })
  return outfile
}

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

const inNode = async (t: TestContext, contents: string, env: Record<string, string>): Promise<readonly string[]> =>
  start(t, process.execPath, [await compiled(contents)], env).ended

/** What the pages call what a test knows. */
const named = (): Record<string, string> => ({ URL: program.url, KEY: market.key, MINT: market.mint })

const WALLET = `
import { generateKeyPairSigner } from '@solana/kit'
const wallet = await generateKeyPairSigner()
const { payments: { rpc_url: rpcUrl, network } } = await (await fetch(process.env.URL + '/.well-known/x402')).json()
const faucet = { jsonrpc: '2.0', id: 1, method: 'sandbox_faucet', params: [wallet.address, { usdc: '1000000' }] }
await fetch(rpcUrl, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(faucet) })
`

const TRADE = /^2[678] (buy|sell) \d+(\.\d+)?(e-\d+)?$/
const CARD = /^\S.* (None|null|\d+(\.\d)?) (green|yellow|red|neutral)$/

test('the page of the TypeScript client', async (t) => {
  const [ask, errors, follow, pay, ...more] = blocks('clients/typescript/README.md', 'ts')
  assert.deepEqual(more, [])
  const asked = await inNode(t, ask!, named())
  for (const line of asked.slice(0, -1)) assert.match(line, CARD)
  assert.match(asked.at(-1)!, /^\d+ (green|yellow|red|neutral)$/)
  assert.deepEqual(await inNode(t, errors!, named()), ['402 payment_required true null'])
  const followed = await inNode(t, follow!, named())
  assert.equal(followed.length >= 3, true)
  for (const line of followed) assert.match(line, TRADE)
  const [paid, score] = await inNode(t, WALLET + pay!.replace('{ wallet, ', '{ wallet, network, '), named())
  assert.equal(paid, 'paid true')
  assert.match(score!, /^(null|\d+(\.\d)?)$/)
})

test('the page of the Python client', inPython, async (t) => {
  const env = { ...named(), PYTHONPATH: join(ROOT, 'clients/python'), PYTHONDONTWRITEBYTECODE: '1' }
  const run = (code: string) => start(t, PYTHON!, ['-c', code], env).ended
  const [ask, errors, follow, awaited, ...more] = blocks('clients/python/README.md', 'python')
  assert.deepEqual(more, [])
  const asked = await run(ask!)
  for (const line of asked.slice(0, -1)) assert.match(line, CARD)
  assert.deepEqual(await run(errors!), ['402 payment_required True None'])
  for (const line of await run(follow!)) assert.match(line, TRADE)
  assert.deepEqual(await run(awaited!), ['token_created'])
})

for (const version of [1, 2] as const) {
  test(`the TypeScript client pays in version ${version}, to the unit`, async () => {
    const wallet = await program.buyer()
    const { payments } = (await (await fetch(`${program.url}/.well-known/x402`)).json()) as {
      payments: { rpc_url: string; network: `${string}:${string}` }
    }
    const { rpc_url: rpcUrl, network } = payments
    const receipts: unknown[] = []
    const client = createClient({
      baseUrl: program.url,
      fetch: payingFetch({ wallet, version, network, rpcUrl }),
      onResponse: (response) => void receipts.push(receiptIn(response)?.success),
    })
    const had = await program.tokens(wallet.address)
    const { data } = await client.snapshot(market.mint)
    assert.equal(data.meta?.mint, market.mint)
    const { priceUnits } = ENDPOINTS.find(({ id }) => id === 'snapshot')!
    assert.equal(had - (await program.tokens(wallet.address)), priceUnits)
    assert.deepEqual(receipts, [true])
    const careful = createClient({
      baseUrl: program.url,
      fetch: payingFetch({ wallet, version, network, rpcUrl, maxPerCall: '$0.001' }),
    })
    await assert.rejects(careful.snapshot(market.mint))
    assert.equal(had - (await program.tokens(wallet.address)), priceUnits)
  })
}

test('the gate asks before it buys', async (t) => {
  const { url } = program
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
  const { url } = program
  const [tools, ...said] = await inNode(t, read('examples/agent.ts'), { TI_URL: url, TI_KEY: market.key })
  assert.match(tools!, /^tools: .*\bscan_token\b/)
  assert.equal(said.length, 3)
  for (const line of said)
    assert.match(line, /^\S.*: \d+ bundles own [\d.]+% of supply; it (is in one hand|looks fine|is rated \w+)$/)
})

test('the Telegram bot answers, waits when it is told to, and shows no markup of strangers', async (t) => {
  const { url } = program
  const telegram = await startTelegram(t)
  const bot = start(t, process.execPath, [await compiled(read('examples/telegram-bot.ts'))], {
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
