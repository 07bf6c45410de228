import {
  type BundleStep,
  type FunderStep,
  keyOf,
  type MarketOptions,
  type TradeStep,
  type TransferStep,
} from '../support/bundles-market.ts'
import { type Facts, factsAt } from './bundles-facts.ts'

/**
 * Section 8 of the methodology a second time, slowly and plainly: nothing is kept but the list of steps and the evidence
 * found so far; every fact is looked up by walking the steps again. It shares no code and no constant with the engine.
 */
export interface ReferenceGroup {
  readonly firstSlot: number
  readonly founder: number
  readonly members: readonly number[]
  readonly confirmedSlot: number
  readonly peak: number
  readonly balance: number
  readonly bought: number
  readonly sold: number
  readonly red: boolean
}

export interface ReferenceResult {
  readonly groups: ReferenceGroup[]
  /** per pair: wallets, and each family with the slot in which it was found */
  readonly pairs: readonly unknown[]
  readonly rugged: ReadonlySet<number>
}

interface Evidence {
  readonly a: number
  readonly b: number
  readonly found: Map<string, number>
}

interface Gang {
  readonly no: number
  readonly firstSlot: number
  readonly founder: number
  members: number[]
  confirmedSlot: number
  peak: number
  flows: { slot: number; net: number }[]
  red: boolean
  netSellSlot: number
}

export function detect(all: readonly BundleStep[], mint: number, options: MarketOptions): ReferenceResult {
  const pairs: Evidence[] = []
  const gangs: Gang[] = []
  /** who backs whom on this mint, in the order in which it was noticed */
  const backed: { wallet: number; by: number }[] = []
  const rugged = new Set<number>()
  let isRugged = false

  const gangOf = (wallet: number): Gang | undefined => gangs.find(({ members }) => members.includes(wallet))

  /** What a wallet has, and did, on this mint after `n` steps. */
  function holding(wallet: number, n: number) {
    const h = { balance: 0, bought: 0, sold: 0, received: 0, paid: 0, got: 0 }
    for (const step of all.slice(0, n)) {
      if (step.kind === 'transfer' && step.mint === mint) {
        if (step.to === wallet) {
          h.balance += step.tokens
          h.received += step.tokens
        }
        if (step.from === wallet) h.balance -= Math.min(step.tokens, h.balance)
      }
      if (step.kind !== 'trade' || step.mint !== mint || step.wallet !== wallet) continue
      h[step.isBuy ? 'bought' : 'sold'] += step.tokens
      h[step.isBuy ? 'paid' : 'got'] += step.paid
      h.balance = step.isBuy ? h.balance + step.tokens : Math.max(0, h.balance - step.tokens)
    }
    return h
  }
  /** Lamports of its purchases since it last gave everything away, which ends a holding. */
  function paidSince(wallet: number, n: number): number {
    const h = { balance: 0, peak: 0, cost: 0, paid: 0, over: false }
    const gain = (tokens: number, cost: number): void => {
      if (h.over) Object.assign(h, { peak: 0, paid: h.cost, over: false })
      h.balance += tokens
      h.cost += cost
      h.paid += cost
      h.peak = Math.max(h.peak, h.balance)
    }
    for (const step of all.slice(0, n)) {
      if (step.kind === 'transfer' && step.mint === mint) {
        if (step.to === wallet) gain(step.tokens, 0)
        if (step.from !== wallet) continue
        const left = Math.max(0, h.balance - step.tokens)
        h.cost = left === 0 ? 0 : h.cost - Math.round(h.cost * ((h.balance - left) / h.balance))
        h.balance = left
        if (left * 100 <= h.peak) h.over = true
      }
      if (step.kind !== 'trade' || step.mint !== mint || step.wallet !== wallet) continue
      if (step.isBuy) gain(step.tokens, step.paid)
      else h.balance = Math.max(0, h.balance - step.tokens)
    }
    return h.paid
  }
  const together = (gang: Gang, n: number): number => gang.members.reduce((sum, id) => sum + holding(id, n).balance, 0)

  /** The first SOL was no dust, and half of what it paid here. */
  function tradesWith(funding: FunderStep, n: number): boolean {
    return funding.lamports >= 20_000_000 && 2 * funding.lamports >= paidSince(funding.wallet, n)
  }

  function sharesFunder(facts: Facts, n: number, a: number, b: number): boolean {
    const [fa, fb] = [facts.funding(a), facts.funding(b)]
    const isOwn = (id: number): boolean => id === options.deployer || (!facts.exchange(id) && facts.funded(id) <= 64)
    if (fa?.funder === b) return isOwn(b) && tradesWith(fa, n)
    if (fb?.funder === a) return isOwn(a) && tradesWith(fb, n)
    if (b === options.deployer && isDeployers(facts, a)) return tradesWith(fa!, n)
    if (a === options.deployer && isDeployers(facts, b)) return tradesWith(fb!, n)
    if (fa === undefined || fb === undefined || fa.funder !== fb.funder) return false
    if (Math.abs(fa.fundedAt - fb.fundedAt) > 216_000 || !tradesWith(fa, n) || !tradesWith(fb, n)) return false
    return fa.funder === options.deployer || isCrew(facts, fa.funder)
  }

  /** funded by the deployer over at most two hops, each within a day of the launch */
  function isDeployers(facts: Facts, wallet: number): boolean {
    const near = (at: number): boolean => Math.abs(at - options.createdSlot) <= 216_000
    const first = facts.funding(wallet)
    if (options.deployer < 0 || first === undefined || !near(first.fundedAt)) return false
    if (first.funder === options.deployer) return true
    const second = facts.funding(first.funder)
    return second !== undefined && second.funder === options.deployer && near(second.fundedAt)
  }

  /** three wallets of one funder, a quarter of all it funded, twenty times as many as chance would bring */
  function isCrew(facts: Facts, funder: number): boolean {
    if (facts.exchange(funder)) return false
    const here = backed.filter(({ wallet, by }) => by === funder && facts.funding(wallet)?.funder === funder).length
    const funded = facts.funded(funder)
    const chance = funded * Math.max(1, facts.buyers(mint).size)
    return here >= 3 && here * 4 >= funded && here * options.wallets >= 20 * chance
  }

  function sharesPayer(facts: Facts, a: number, b: number): boolean {
    const [pa, pb] = [facts.payer(a), facts.payer(b)]
    const isOwn = (payer: number): boolean => facts.paidFor(payer) <= 16
    if (pa === b) return isOwn(b)
    if (pb === a) return isOwn(a)
    return pa >= 0 && pa === pb && isOwn(pa)
  }

  /** `n`: steps that have happened, this one included */
  function compare(n: number, a: number, b: number, slot: number): void {
    const facts = factsAt(all, n)
    if (sharesPayer(facts, a, b)) note(a, b, 'payer', slot)
    if (sharesFunder(facts, n, a, b)) note(a, b, 'funder', slot)
  }

  function note(one: number, other: number, family: string, slot: number): void {
    const [a, b] = [Math.min(one, other), Math.max(one, other)]
    const known = pairs.find((pair) => pair.a === a && pair.b === b)
    if (known !== undefined) {
      if (!known.found.has(family)) known.found.set(family, slot)
      return
    }
    pairs.push({ a, b, found: new Map([[family, slot]]) })
    const [left, right] = [gangOf(a), gangOf(b)]
    if (left !== undefined && right !== undefined) {
      const [older, younger] = [left, right].sort((x, y) => x.firstSlot - y.firstSlot || x.no - y.no)
      if (left !== right) absorb(older!, younger!, slot)
      return
    }
    const gang = left ?? right ?? newGang(a, b, slot)
    for (const id of [a, b]) if (!gang.members.includes(id)) gang.members.push(id)
  }

  function newGang(a: number, b: number, slot: number): Gang {
    const gang: Gang = {
      no: gangs.length,
      firstSlot: slot,
      founder: keyOf(a) < keyOf(b) ? a : b,
      members: [],
      confirmedSlot: -1,
      peak: 0,
      flows: [],
      red: false,
      netSellSlot: -1,
    }
    gangs.push(gang)
    return gang
  }

  function absorb(into: Gang, other: Gang, slot: number): void {
    const isStill = (gang: Gang): boolean => gang.red && slot - gang.netSellSlot < 1_500
    into.red = isStill(into) || isStill(other)
    into.netSellSlot = Math.max(into.netSellSlot, other.netSellSlot)
    into.members.push(...other.members)
    into.flows.push(...other.flows)
    into.peak = Math.max(into.peak, other.peak)
    const confirmed = [into.confirmedSlot, other.confirmedSlot].filter((s) => s >= 0)
    into.confirmedSlot = confirmed.length === 0 ? -1 : Math.min(...confirmed)
    other.members = []
  }

  function settle(gang: Gang | undefined, n: number, slot: number): void {
    if (gang === undefined) return
    gang.peak = Math.max(gang.peak, together(gang, n))
    if (gang.confirmedSlot < 0 && gang.peak >= options.supply / 200) gang.confirmedSlot = slot
    if (isRugged) accuse(gang, n)
  }

  /** Those of a confirmed group who have got more than they paid, as long as they have. */
  function accuse({ confirmedSlot, members }: Gang, n: number): void {
    for (const id of confirmedSlot < 0 ? [] : members) {
      if (holding(id, n).got > holding(id, n).paid) rugged.add(id)
      else rugged.delete(id)
    }
  }

  function onTrade(step: TradeStep, n: number): void {
    const { wallet, slot } = step
    const facts = factsAt(all, n)
    learn(facts, wallet)
    const own = facts.trades.filter((one) => one.mint === mint)
    // the buys of the newest transaction that bought, one after the other
    const buys = own.filter((one) => one.isBuy).reverse()
    const end = buys.findIndex((one) => one.slot !== slot || one.tx !== step.tx)
    const inTx = buys.slice(1, end < 0 ? buys.length : end).reverse()
    if (step.isBuy) for (const other of inTx) if (other.wallet !== wallet) note(wallet, other.wallet, 'atomic', slot)
    const seen = new Set([wallet])
    for (const other of kinOf(facts, wallet)) {
      if (!seen.has(other) && facts.has(mint, other)) compare(n, wallet, other, slot)
      seen.add(other)
    }
    if (!step.isBuy) {
      onUse(wallet, n, slot)
      for (const other of givers(wallet, n)) note(wallet, other, 'consolidation', slot)
    }
    const gang = gangOf(wallet)
    if (gang === undefined) return
    gang.flows.push({ slot, net: step.isBuy ? -step.tokens : step.tokens })
    const before = holding(wallet, n - 1).balance - holding(wallet, n).balance
    gang.peak = Math.max(gang.peak, together(gang, n) + Math.max(0, before))
    judge(gang, n, slot)
    settle(gang, n, slot)
  }

  function judge(gang: Gang, n: number, slot: number): void {
    if (gang.red && slot - gang.netSellSlot >= 1_500) gang.red = false
    const from = Math.floor(slot / 25) - 30
    const net = gang.flows.filter((f) => Math.floor(f.slot / 25) >= from).reduce((sum, f) => sum + f.net, 0)
    if (net <= 0) return
    gang.netSellSlot = slot
    const sum = (what: 'bought' | 'sold'): number => gang.members.reduce((s, id) => s + holding(id, n)[what], 0)
    const halfSold = sum('sold') >= sum('bought') / 2 && net >= options.supply / 200
    if (halfSold || net >= options.supply / 50) gang.red = true
  }

  function learn(facts: Facts, wallet: number): void {
    const funder = facts.funding(wallet)?.funder
    const add = (by: number): void => {
      if (!backed.some((one) => one.wallet === wallet && one.by === by)) backed.push({ wallet, by })
    }
    if (
      funder !== undefined &&
      (funder === options.deployer || (!facts.exchange(funder) && facts.funded(funder) <= 64))
    )
      add(funder)
    if (facts.payer(wallet) >= 0 && facts.paidFor(facts.payer(wallet)) <= 16) add(facts.payer(wallet))
  }

  function kinOf(facts: Facts, wallet: number): number[] {
    const of = (by: number): number[] => backed.filter((one) => one.by === by).map((one) => one.wallet)
    const backers = [facts.funding(wallet)?.funder ?? -1, facts.payer(wallet)].filter((by) => by >= 0)
    const own = isDeployers(facts, wallet) ? [options.deployer] : []
    return [...backers.flatMap((by) => [by, ...of(by)]), ...own, ...of(wallet)]
  }

  /** Gifts to or from the wallet that are more than dust, with what each was at its time. */
  const gifts = (n: number): { from: number; to: number; bought: boolean }[] =>
    all.slice(0, n).flatMap((step, i) => {
      if (step.kind !== 'transfer' || step.mint !== mint) return []
      const { from, to, slot, tx } = step
      const tokens = Math.min(step.tokens, holding(from, i).balance)
      const { bought, received } = holding(to, i + 1)
      if (tokens * 2_000 < options.supply && tokens * 10 < bought + received) return []
      const buys = factsAt(all, i).trades.filter((one) => one.mint === mint && one.isBuy)
      const isBought = buys.some((one) => one.wallet === from && one.slot === slot && one.tx === tx)
      return [{ from, to, bought: isBought }]
    })

  /** It parted with a tenth of what it was given: whoever gave to it last is its partner. */
  function onUse(wallet: number, n: number, slot: number): void {
    const { balance, received } = holding(wallet, n)
    if (balance >= received * 0.9) return
    const made = gifts(n)
    const between = (x: number, y: number) =>
      made.filter(({ from, to }) => (from === x && to === y) || (from === y && to === x))
    const others = made.flatMap(({ from, to }) => (from === wallet ? [to] : to === wallet ? [from] : []))
    for (const giver of new Set(others)) {
      const own = between(giver, wallet)
      if (own.at(-1)!.to !== wallet) continue
      const takers = new Set(made.filter(({ from }) => from === giver).map(({ to }) => to))
      const still = [...takers].filter((taker) => between(giver, taker).at(-1)!.to === taker)
      if (own.some(({ bought }) => !bought) || still.length >= 3) note(giver, wallet, 'transfer', slot)
    }
  }

  /** whose bags, bought and left alone, are what this wallet sold beyond all it had: every selection of them is tried */
  function givers(seller: number, n: number): number[] {
    const own = holding(seller, n)
    const beyond = own.sold - own.bought
    if (own.balance > 0 || beyond <= 0 || beyond * 200 < options.supply) return []
    const bags = [...factsAt(all, n).buyers(mint)]
      .map((wallet) => ({ wallet, ...holding(wallet, n) }))
      .filter(({ wallet, balance, bought, sold }) => wallet !== seller && sold === 0 && balance === bought)
      .filter(({ balance }) => balance * 2_000 >= options.supply && balance <= beyond && balance % 1e6 !== 0)
    const single = bags.filter(({ balance }) => bags.filter((one) => one.balance === balance).length === 1)
    const first = single.sort((x, y) => y.balance - x.balance).slice(0, 24)
    const pick = (from: number, rest: number): number[] | null => {
      if (rest === 0) return []
      for (let i = from; i < first.length; i++) {
        const more = first[i]!.balance <= rest ? pick(i + 1, rest - first[i]!.balance) : null
        if (more !== null) return [first[i]!.wallet, ...more]
      }
      return null
    }
    const found = pick(0, beyond) ?? []
    return found.length >= 3 ? found : []
  }

  function onTransfer({ from, to, slot }: TransferStep, n: number): void {
    onUse(from, n, slot)
    settle(gangOf(from), n, slot)
    settle(gangOf(to), n, slot)
  }

  function onFunder(step: FunderStep, n: number): void {
    const facts = factsAt(all, n)
    if (facts.funding(step.wallet) !== step || !facts.has(mint, step.wallet)) return
    learn(facts, step.wallet)
    for (const other of new Set(kinOf(facts, step.wallet)))
      if (other !== step.wallet && facts.has(mint, other)) compare(n, step.wallet, other, step.slot)
    settle(gangOf(step.wallet), n, step.slot)
  }

  all.forEach((step, i) => {
    if (step.kind === 'funder') onFunder(step, i + 1)
    else if (!('mint' in step) || step.mint !== mint) return
    else if (step.kind === 'trade') onTrade(step, i + 1)
    else if (step.kind === 'transfer') onTransfer(step, i + 1)
    else {
      isRugged = true
      for (const gang of gangs) accuse(gang, i + 1)
    }
  })

  const total = (gang: Gang, what: 'balance' | 'bought' | 'sold'): number =>
    gang.members.reduce((sum, id) => sum + holding(id, all.length)[what], 0)
  return {
    groups: gangs
      .filter(({ members }) => members.length > 0)
      .map((gang) => ({
        firstSlot: gang.firstSlot,
        founder: gang.founder,
        members: [...gang.members].sort((a, b) => a - b),
        confirmedSlot: gang.confirmedSlot,
        peak: gang.peak,
        balance: total(gang, 'balance'),
        bought: total(gang, 'bought'),
        sold: total(gang, 'sold'),
        red: gang.red,
      })),
    pairs: pairs
      .map(({ a, b, found }) => ({ a, b, found: [...found].sort(([x], [y]) => (x < y ? -1 : 1)) }))
      .sort((x, y) => x.a - y.a || x.b - y.b),
    rugged,
  }
}
