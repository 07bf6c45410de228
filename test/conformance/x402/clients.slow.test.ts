import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { BATCH_ENDPOINTS, FREE_ENDPOINTS, PRICED_ENDPOINTS } from '@ti/core/contract/endpoints.ts'
import { PLAY } from '@ti/service/access/x402/network.ts'
import { decodePaymentResponseHeader } from '@x402/fetch'
import { decode, encode } from '../../support/payments-fixtures.ts'
import { CLIENTS, type ToolResult } from '../mcp/client.ts'
import { type Market, makeMarket, type Program, startProgram, type Wallet } from './program.ts'

/** The real program, and official clients who buy from it on the chain inside it; what moved is asked of its node. */
let market: Market
before(async () => {
  market = await makeMarket()
})
after(() => market?.remove())

const NOWHERE = '4uQeVj5tqViQh7yWWGStvkEG1Zmhx6uasJtWCJziofM'

/** Units that left the buyer and reached the seller while `run` ran: the same. */
async function moved(program: Program, buyer: string, run: () => Promise<void>): Promise<number> {
  const [had, earned] = [await program.tokens(buyer), await program.earned()]
  await run()
  const spent = had - (await program.tokens(buyer))
  assert.equal((await program.earned()) - earned, spent)
  return spent
}

/** The last payment of a wallet, sent by hand. In V2 it names the call that it is sent with, which its owner may change. */
const again = ({ url }: Program, { sent }: Wallet, path: string, more: Record<string, string> = {}) =>
  fetch(url + path, { headers: { ...named(sent.at(-1)!, path), ...more } })

const named = (headers: Record<string, string>, path: string) =>
  Object.fromEntries(
    Object.entries(headers).map(([name, text]) => {
      const payment = decode<{ resource?: { url: string } }>(text)
      if (payment.resource === undefined) return [name, text]
      const resource = { url: new URL(path, payment.resource.url).href }
      return [name, encode({ ...payment, resource })]
    }),
  )

for (const version of [2, 1] as const) {
  test(`the official client buys each priced operation in V${version}, to the unit`, async (t) => {
    const program = await startProgram(t, market)
    const buyer = await program.buyer()
    const wallet = program.wallet(buyer, version)
    const names = ['x-payment-response', 'payment-response']
    const [mine, other] = version === 1 ? names : names.reverse()
    const bought: string[] = []
    for (const { id, priceUnits } of PRICED_ENDPOINTS) {
      let charged = false
      const spent = await moved(program, buyer.address, async () => {
        const answer = await wallet.get(market.paths[id])
        const text = await answer.text()
        assert.equal(answer.status, 200, `${id}: ${text.slice(0, 300)}`)
        const { data } = JSON.parse(text) as { data: unknown }
        charged = !Array.isArray(data) || data.length > 0
        const receipt = answer.headers.get(mine!)
        assert.equal(receipt !== null, charged, id)
        assert.equal(answer.headers.get(other!), null)
        assert.equal(answer.headers.get('cache-control'), 'no-store')
        if (receipt === null) return
        const { success, payer, network, transaction } = decodePaymentResponseHeader(receipt)
        assert.deepEqual([success, payer, network], [true, buyer.address, version === 1 ? PLAY.v1 : PLAY.v2])
        await program.confirmed(transaction)
      })
      assert.equal(spent, charged ? priceUnits : 0, id)
      if (charged) bought.push(id)
      else assert.equal((await again(program, wallet, market.paths[id])).status, 200, 'empty once more, and free')
    }
    // none of the capture's tokens is old enough to survive, and no agent has earned in it
    assert.deepEqual(
      bought,
      PRICED_ENDPOINTS.map(({ id }) => id).filter((id) => id !== 'survivors' && id !== 'agents'),
    )
  })

  test(`V${version}: a batch costs what it finds, once each`, async (t) => {
    const program = await startProgram(t, market)
    const buyer = await program.buyer()
    const wallet = program.wallet(buyer, version)
    const { mint, other } = market
    const path = '/v1/tokens/batch'
    const asked = { mints: [mint, NOWHERE, other, mint], fields: 'meta,score' }
    const spent = await moved(program, buyer.address, async () => {
      assert.equal((await wallet.post(path, { mints: [NOWHERE] })).status, 404)
      assert.equal(wallet.sent.length, 0, 'nothing was asked for what is not found')
      const answer = await wallet.post(path, asked)
      assert.equal(answer.status, 200)
      const { data } = (await answer.json()) as { data: { tokens: { mint: string }[]; not_found: string[] } }
      assert.deepEqual([data.tokens.map((token) => token.mint), data.not_found], [[mint, other], [NOWHERE]])
      const headers = { ...wallet.sent.at(-1)!, 'content-type': 'application/json' }
      const repeat = (body: object) =>
        fetch(program.url + path, { method: 'POST', headers, body: JSON.stringify(body) })
      assert.equal((await repeat({ mints: [mint, other] })).status, 402, 'the payment was for another batch')
    })
    assert.equal(spent, 40_000)
  })

  test(`V${version}: what is not data is not charged, and the payment stays good for what is`, async (t) => {
    const program = await startProgram(t, market)
    const buyer = await program.buyer()
    const wallet = program.wallet(buyer, version)
    const { survivors, trader, new: fresh, snapshot } = market.paths
    const free = await moved(program, buyer.address, async () => {
      assert.equal((await wallet.get(`/v1/traders/${NOWHERE}`)).status, 404)
      assert.equal((await again(program, wallet, survivors)).status, 200)
      const asSent = await fetch(program.url + survivors, { headers: wallet.sent.at(-1)! })
      assert.equal(asSent.status, version === 1 ? 200 : 402)
      assert.equal((await again(program, wallet, '/v1/traders/x')).status, 400)
      assert.equal((await again(program, wallet, snapshot)).status, 402)
      const pro = { authorization: `Bearer ${market.key}` }
      const kept = await again(program, wallet, trader, pro)
      assert.equal(kept.status, 200)
      assert.deepEqual(
        ['payment-response', 'x-payment-response'].map((name) => kept.headers.get(name)),
        [null, null],
      )
    })
    assert.equal(free, 0)
    const spent = await moved(program, buyer.address, async () => {
      const [first, second] = [await again(program, wallet, trader), await again(program, wallet, trader)]
      assert.deepEqual([first.status, second.status], [200, 200])
      assert.equal(await second.text(), await first.text(), 'one payment has one answer')
      assert.equal((await again(program, wallet, fresh)).status, 402)
    })
    assert.equal(spent, 10_000)
    assert.equal(wallet.sent.length, 1, 'all of it was one payment')
  })
}

/** listed to everybody, answered with a key of an account */
const OF_AN_ACCOUNT = ['alerts_recent', 'watch_add', 'watch_remove', 'watches_list']

test('MCP clients of both versions list, are quoted, pay in both places and are charged to the unit', async (t) => {
  const program = await startProgram(t, market)
  const buyer = await program.buyer()
  const { client: payer } = program.wallet(buyer)
  const { mint, other, trader, deployer } = market
  const argumentsOf = {
    snapshot: { mint },
    trades: { mint },
    trader: { address: trader },
    deployer: { address: deployer },
    who: { mint },
    check: { mint },
    explain: { mint },
    actor: { id: '0' },
    positions: { wallet: trader },
    history: { mint, limit: 10 },
    trader_windows: { address: trader, detail: 'windows' },
    deployer_windows: { address: deployer, detail: 'windows' },
    batch: { mints: [mint, NOWHERE, other] },
  }
  const isPaid = ({ isError, _meta }: ToolResult): boolean =>
    isError !== true && (_meta?.['x402/payment-response'] as { success?: boolean } | undefined)?.success === true
  const tools = [
    ...PRICED_ENDPOINTS.flatMap(({ id, tool, priceUnits }) => (tool === null ? [] : [{ id, tool, priceUnits }])),
    ...BATCH_ENDPOINTS.map(({ id, tool, priceUnits }) => ({ id, tool, priceUnits: 2 * priceUnits })),
  ]

  for (const [clientNo, [name, connect]] of Object.entries(CLIENTS).entries()) {
    const client = await connect(new URL(`${program.url}/mcp`), {})
    const keyed = await connect(new URL(`${program.url}/mcp`), { authorization: `Bearer ${market.key}` })
    const listed = (await client.listTools()).map((tool) => tool.name)
    const all = [...new Set([...tools, ...FREE_ENDPOINTS].map(({ tool }) => tool as string)), ...OF_AN_ACCOUNT]
    assert.deepEqual(listed.sort(), all.sort())
    for (const [i, { id, tool, priceUnits }] of tools.entries()) {
      // one buys all, the others every second one: together they stay below what an address may ask for unpaid in a minute
      if (clientNo > 0 && i % 2 === 0) continue
      // no agent has earned in this market, and an empty list is free
      if (id === 'agents') continue
      const args: Record<string, unknown> = id in argumentsOf ? argumentsOf[id as keyof typeof argumentsOf] : {}
      const spent = await moved(program, buyer.address, async () => {
        const quote = await client.callTool(tool, args)
        assert.equal(quote.isError, true)
        type Offer = Parameters<typeof payer.createPaymentPayload>[0]
        const payload = await payer.createPaymentPayload(quote.structuredContent as unknown as Offer)
        const carried = encode(payload)
        for (const secret of [carried, String(payload.payload.transaction)]) program.secrets.add(secret)
        // a Pro key beside it: answered, and not charged
        const free = await keyed.callTool(tool, { ...args, x_payment: carried })
        assert.deepEqual([free.isError ?? false, free._meta?.['x402/payment-response']], [false, undefined])
        const result =
          i % 2 === 0
            ? await client.callTool(tool, args, { 'x402/payment': payload })
            : await client.callTool(tool, { ...args, x_payment: carried })
        assert.ok(isPaid(result), `${name}, ${tool}: ${JSON.stringify(result).slice(0, 300)}`)
        const { data, meta } = JSON.parse(result.content[0]!.text!) as { data: unknown; meta: unknown }
        assert.ok(data !== undefined && meta !== undefined)
        assert.deepEqual((await client.callTool(tool, { ...args, x_payment: carried })).content, result.content)
      })
      assert.equal(spent, priceUnits, `${name}, ${tool}`)
    }
    await client.close()
    await keyed.close()
  }
})
