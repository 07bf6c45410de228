// A sniper's gate: it looks up who is behind a new token before it buys. It buys on paper and prints the result at the end.
//
//   TI_URL=http://127.0.0.1:4000 TI_KEY=sk_live_… npx tsx examples/gate.ts
//
// TOKENS: the number of tokens to judge (20). AFTER_SEQ: the token event to begin after; without it only new tokens count.
// WAIT_MS: the wait before a token is judged, because a token has no holders in its first second (10,000).
import { setTimeout as pause } from 'node:timers/promises'
import { ApiError, createClient, type TokenSnapshot } from '@token-intelligence/client'

const { TI_URL = 'http://127.0.0.1:4000', TI_KEY = null, TOKENS = '20', AFTER_SEQ, WAIT_MS = '10000' } = process.env
const client = createClient({ baseUrl: TI_URL, apiKey: TI_KEY })
const GROUPS = ['market', 'holders', 'bundles', 'score', 'ratings'] as const

/** The reasons against a purchase. Unknown is a reason too: `neutral` is not a pass. */
function objections({ score, ratings, holders, bundles }: TokenSnapshot): string[] {
  const { value = null } = score ?? {}
  return [
    value === null && 'no score yet',
    value !== null && value < 4 && `score ${value}`,
    ratings?.bundle !== 'green' && `bundles ${ratings?.bundle} (${bundles?.owned_pct_supply}% of supply)`,
    ratings?.pump_dump === 'red' && 'more dump than pump',
    (holders?.count ?? 0) < 10 && `only ${holders?.count} holders`,
  ].filter((reason) => reason !== false)
}

interface Position {
  readonly mint: string
  readonly symbol: string
  readonly mcap: number
}

async function judge(mint: string, symbol: string): Promise<Position | null> {
  const { data } = await client.snapshot(mint, { fields: GROUPS })
  const reasons = objections(data)
  console.log(reasons.length === 0 ? `buy  ${symbol} ${mint}` : `pass ${symbol}: ${reasons.join(', ')}`)
  return reasons.length === 0 ? { mint, symbol, mcap: data.market?.mcap ?? 0 } : null
}

const bought: Position[] = []
let judged = 0
for await (const { type, data } of client.tokenEvents(AFTER_SEQ === undefined ? {} : { afterSeq: Number(AFTER_SEQ) })) {
  if (type !== 'token_created') continue
  await pause(Number(WAIT_MS))
  try {
    const position = await judge(data.mint, data.symbol)
    if (position !== null) bought.push(position)
  } catch (error) {
    // The token is gone or the service is busy: never buy a token without an answer about it.
    if (!(error instanceof ApiError)) throw error
    console.log(`pass ${data.symbol}: ${error.message}`)
  }
  if (++judged >= Number(TOKENS)) break
}

let sum = 0
for (const { mint, mcap } of bought) {
  const { data } = await client.snapshot(mint, { fields: ['market'] })
  sum += mcap === 0 ? 0 : (data.market?.mcap ?? 0) / mcap - 1
}
console.log(`${judged} tokens, ${bought.length} bought on paper, ${(100 * sum).toFixed(1)}% of one stake`)
