// A sniper's gate: it decides on each launch from the verdicts as they are made, and sells what turns red. It asks nothing, so no call
// comes between an event and its decision. It trades on paper: put your orders into `send`.
//
//   TI_URL=http://127.0.0.1:4000 TI_KEY=sk_live_… npx tsx examples/gate.ts
//
// BUY: the first colours that are bought (green). A launch without a colour for WINDOW slots (1,500) is passed: neutral is no pass.
// ORDER_MS: what a paper order takes (400). AFTER_SEQ=0: plays what the service keeps; without it only new launches count.
import { setTimeout as pause } from 'node:timers/promises'
import { createClient, type TokenCreated, type VerdictChanged } from '@token-intelligence/client'

const { TI_URL = 'http://127.0.0.1:4000', TI_KEY = null, AFTER_SEQ } = process.env
const { BUY = 'green', WINDOW = '1500', ORDER_MS = '400' } = process.env
const client = createClient({ baseUrl: TI_URL, apiKey: TI_KEY })
/** The slot of the newest verdict, and what waits for a newer one. */
let clock = 0
let tick = (): void => {}
const stop = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    stop.abort()
    tick()
  })
}
const how = { signal: stop.signal, ...(AFTER_SEQ !== undefined && { afterSeq: Number(AFTER_SEQ) }) }

type Launch = TokenCreated['data']
type Verdict = VerdictChanged['data']

/** The launches without a decision, oldest first. */
const open = new Map<string, Launch>()
/** Verdicts on tokens whose launch has not come: two topics keep no order between them. Most are on older tokens. */
const early = new Map<string, Verdict[]>()
const MOST_EARLY = 1_000
const held = new Set<string>()
/** The last order of each token that has one on its way. */
const orders = new Map<string, Promise<void>>()
const MOST_ORDERS = 50
const count = { launches: 0, decisions: 0, undecided: 0, orders: 0 }

async function send(side: 'buy' | 'sell', mint: string): Promise<void> {
  await pause(Number(ORDER_MS))
  console.log(side === 'buy' ? 'bought' : 'sold', mint)
}

/** Sends an order beside those of other tokens. While too many are on their way it waits: the service keeps what follows. */
async function order(side: 'buy' | 'sell', mint: string): Promise<void> {
  while (orders.size >= MOST_ORDERS) await Promise.race(orders.values())
  const sent: Promise<void> = (orders.get(mint) ?? Promise.resolve())
    .then(() => send(side, mint))
    .catch((error: Error) => console.error(`${side} ${mint}: ${error.message}`))
    .finally(() => orders.get(mint) === sent && orders.delete(mint))
  orders.set(mint, sent)
  count.orders = Math.max(count.orders, orders.size)
}

/** Decides on a launch by its first verdict, or by none in time. */
async function decide({ mint, slot }: Launch, verdict: Verdict | null): Promise<void> {
  open.delete(mint)
  count.decisions++
  const isBought = verdict !== null && BUY.split(',').includes(verdict.colour)
  const why =
    verdict === null
      ? `neutral none time ${slot}`
      : `${verdict.colour} ${verdict.code} ${verdict.event} ${verdict.slot}`
  console.log(isBought ? 'buy' : 'pass', mint, why)
  if (!isBought) return
  held.add(mint)
  await order('buy', mint)
}

async function hear(verdict: Verdict): Promise<void> {
  const { mint, slot, colour, code, event } = verdict
  clock = Math.max(clock, slot)
  tick()
  // A launch that the verdicts have left behind was not decided in time.
  for (const launch of open.values()) {
    if (launch.slot + Number(WINDOW) >= clock) break
    await decide(launch, null)
  }
  const launch = open.get(mint)
  if (launch !== undefined) return decide(launch, verdict)
  if (colour === 'red' && held.delete(mint)) {
    console.log('sell', mint, colour, code, event, slot)
    return order('sell', mint)
  }
  early.set(mint, [...(early.get(mint) ?? []), verdict])
  if (early.size > MOST_EARLY) early.delete(early.keys().next().value!)
}

async function followLaunches(): Promise<void> {
  for await (const { data, type } of client.tokenEvents({ ...how, filter: 'type == "token_created"' })) {
    if (type !== 'token_created') continue
    // Launches run ahead of the verdicts by a window at most, so that few are undecided.
    while (open.size > 0 && data.slot > clock + Number(WINDOW) && !stop.signal.aborted)
      await new Promise<void>((done) => {
        tick = done
      })
    count.launches++
    open.set(data.mint, data)
    count.undecided = Math.max(count.undecided, open.size)
    const missed = early.get(data.mint) ?? []
    early.delete(data.mint)
    for (const verdict of missed) await hear(verdict)
  }
}

async function followVerdicts(): Promise<void> {
  for await (const { data } of client.verdicts(how)) await hear(data)
}

await Promise.all([followLaunches(), followVerdicts()])
await Promise.all(orders.values())
const { launches, decisions, undecided, orders: most } = count
console.log(`${launches} launches, ${decisions} decisions; at most ${undecided} undecided and ${most} orders at once`)
