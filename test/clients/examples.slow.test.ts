import assert from 'node:assert/strict'
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
import { createFakeTelegram } from '../fakes/telegram.ts'
import { codeOf, EXAMPLES, folderIn, installClient, program, ROOT } from '../support/guides.ts'
import { until } from '../support/live-service.ts'
import { rpc } from '../support/payments-fixtures.ts'
import { wallet } from '../support/wallet.ts'
import { start } from './start.ts'
import { inPython, PYTHON } from './tools.ts'

/** What the READMEs of the clients show, and the Telegram bot, run as they stand against the program. */
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

const inNode = (t: TestContext, code: string, env: Record<string, string>): Promise<readonly string[]> =>
  start(t, dir, [process.execPath, program(dir, String(built++), code)], env).ended

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
  const run = (code: string) => start(t, dir, [PYTHON!, '-c', code], env).ended
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
  const bot = start(t, dir, [process.execPath, program(dir, 'telegram-bot', EXAMPLES.get('telegram-bot')!)], {
    TELEGRAM_API: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    TELEGRAM_TOKEN: '1:secret',
    TI_URL: service.url,
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
