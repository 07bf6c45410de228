import type { PlannedFact } from './plan.ts'
import { createRandom } from './random.ts'
import type { Origin, Wallet } from './traders.ts'

/** Exchanges that fund most wallets. */
export const EXCHANGES = 8
/** Slots until the answer is known: a few to a minute's worth. */
const ANSWER = { from: 3, span: 147 }
/** Slots: recurring wallets are up to three weeks older than the market, strangers minutes to hours. */
const OLD_SLOTS = 4_500_000
const STRANGER_SLOTS = 20_000

export interface Funding {
  /** Lets outside observers look up a wallet's funder, once per wallet. Deployers come first. */
  lookUp(wallet: Wallet, slot: number, deploys?: boolean): void
}

interface FundingOptions {
  readonly seed: number
  readonly start: number
  /** Share of wallets, and of deployers, whose funders the observers can trace. */
  readonly traced: number
  readonly tracedDeployers: number
  /** Schedules a fact that is known `delay` slots after `slot`. */
  later(slot: number, delay: number, fact: PlannedFact): void
}

/** Wallets without an assigned funder were funded by an exchange, or by a wallet of their owner. */
export function createFunding({ seed, start, traced, tracedDeployers, later }: FundingOptions): Funding {
  const random = createRandom(seed, 0xf00d, 3)
  const ordinary = ({ id, fresh }: Wallet, slot: number): Origin => {
    const exchange = random.chance(fresh ? 0.7 : 0.6)
    const funder = exchange ? `exchange:${Math.floor(EXCHANGES * random.float() ** 2)}` : `purse of ${id}`
    const back = fresh ? random.exponential(STRANGER_SLOTS) : random.int(OLD_SLOTS)
    return origin(funder, (fresh ? slot : start) - 20 - back, exchange)
  }
  return {
    lookUp(wallet, slot, deploys = false) {
      if (wallet.origin?.asked === true) return
      wallet.origin ??= ordinary(wallet, slot)
      let id = wallet.id
      for (let o: Origin | null = wallet.origin; o !== null && !o.asked; o = o.above) {
        o.asked = true
        const { funder, exchange, lamports = wallet.fortune } = o
        if (random.chance(deploys && id === wallet.id ? tracedDeployers : traced)) {
          const delay = ANSWER.from + random.int(ANSWER.span)
          later(slot, delay, { kind: 'funding', wallet: id, funder, slot: o.slot, exchange, lamports })
        }
        id = funder
      }
    },
  }
}

/** `funder`: id of the funding wallet; `above`: the funder's own funding, if it can be looked up too. */
export const origin = (
  funder: string,
  slot: number,
  exchange = false,
  above: Origin | null = null,
  ring: string | null = null,
  lamports?: number,
): Origin => ({
  funder,
  slot: Math.max(0, Math.floor(slot)),
  exchange,
  lamports,
  above,
  ring,
  asked: false,
})
