import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'
import { after, before, type TestContext, test } from 'node:test'
import { ENDPOINTS } from '@ti/core/contract/endpoints.ts'
import { createClient } from '../../clients/typescript/src/index.ts'
import { payingFetch, receiptIn } from '../../clients/typescript/src/payments.ts'
import { type Market, makeMarket, type Program, startProgram } from '../conformance/x402/program.ts'
import { createFakeTelegram } from '../fakes/telegram.ts'
import { command } from '../simulation/service.ts'
import { until } from '../support/live-service.ts'
import { inPython, PYTHON } from './tools.ts'
import { createUserFolder, start, typescript, type UserFolder } from './user-folder.ts'

/** What the READMEs of the clients show, the Telegram bot and the notebook, run as they stand against the program. */
const ROOT = resolve(import.meta.dirname, '../..')
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')
const blocks = (path: string, language: string): string[] =>
  [...read(path).matchAll(new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\``, 'gm'))].map(([, code]) => code!)

let market: Market
let program: Program
let folder: UserFolder
const ends: (() => unknown)[] = []
before(async () => {
  folder = await createUserFolder()
  market = await makeMarket()
  program = await startProgram({ after: (end) => void ends.push(end as () => unknown) }, market)
})
after(async () => {
  folder?.remove()
  for (const end of ends) await end()
  market?.remove()
})

const inNode = (t: TestContext, contents: string, env: Record<string, string>): Promise<readonly string[]> =>
  start(t, folder.dir, typescript(folder.write(contents)), env).ended

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
  const run = (code: string) => start(t, folder.dir, [PYTHON!, '-c', code], env).ended
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

test('the Telegram bot: who has blocked it, floods it or is answered late holds up nobody', async (t) => {
  const telegram = createFakeTelegram('1:secret', Date.now)
  let sends = 0
  // a long poll that is short
  const server = createServer((request, response) => {
    const isPoll = request.url!.endsWith('/getUpdates')
    if (!isPoll) response.on('finish', () => sends++)
    setTimeout(() => telegram.serve(request, response), isPoll ? 50 : 0)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const bot = start(t, folder.dir, typescript('telegram-bot.ts'), {
    TELEGRAM_API: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    TELEGRAM_TOKEN: '1:secret',
    TI_URL: program.url,
    TI_KEY: market.key,
  })
  let id = 1
  const say = (chat: number, text: string): void =>
    telegram.update({ update_id: id++, message: { chat: { id: chat }, text } })
  const [LATE, BLOCKED, FLOODS, WHO, NOBODY, WRONG, LAST] = [1, 2, 3, 4, 5, 6, 7]
  const who = `/who ${market.mint}`
  telegram.blocked.add(`${BLOCKED}`)
  const hour = { error_code: 429, description: 'Too Many Requests', parameters: { retry_after: 3_600 } }
  telegram.refuse(hour)
  say(LATE, who)
  await until('it is told to wait', () => sends === 1)
  for (let i = 0; i < 200; i++) say(FLOODS, '/start')
  say(BLOCKED, who)
  say(WHO, who)
  say(NOBODY, '/who@bot 11111111111111111111111111111111')
  say(WRONG, '/who <b>')
  say(WRONG, 'nothing for it')
  await until('they are answered', () => [WHO, NOBODY, WRONG].every((chat) => telegram.texts(chat).length === 1))
  say(LAST, who)
  await until('it goes on', () => telegram.texts(LAST).length === 1)
  const [answer] = telegram.sent.filter(({ chat }) => chat === `${WHO}`)
  assert.match(answer!.text, /^(🟢|🟡|🔴|⚪) \S+ \([^\n]+\)\n.+/)
  assert.deepEqual(
    answer!.entities.map(({ type }) => type),
    ['b'],
    'no markup of strangers',
  )
  assert.deepEqual(telegram.texts(NOBODY), ['Nothing is known about this mint.'])
  assert.deepEqual(telegram.texts(WRONG), ['Send /who MINT.'])
  assert.deepEqual(telegram.texts(LATE), [])
  assert.equal(bot.errors.match(/bot was blocked by the user/g)?.length, 1, 'tried once, and said')
  bot.kill()
  await bot.ended
})

interface Notebook {
  readonly cells: readonly { readonly cell_type: string; readonly source: readonly string[] }[]
}

test('the notebook over the export: its cells, one after the other', async (t) => {
  const out = join(folder.dir, 'out')
  await command('export', '--parquet', out, '--data-dir', market.dataDir)
  const { cells } = JSON.parse(read('examples/export.ipynb')) as Notebook
  const code = cells.filter(({ cell_type }) => cell_type === 'code').map(({ source }) => source.join(''))
  // Deno's kernel names packages by where they come from, and has the process without an import
  const lines = await inNode(t, code.join('\n').replaceAll("'npm:", "'"), { OUT: out })
  for (const line of lines) t.diagnostic(line)
  assert.match(lines[0]!, /^[1-9]\d* launches, [1-9]\d* trades, as of slot \d+$/)
  assert.match(lines[1]!, /^pumpfun: [1-9]\d* of [1-9]\d* graduated$/)
  assert.match(lines.at(-1)!, /^[1-9]\d*\.\d% of the first 20 trades of each token were bundled$/)
})
