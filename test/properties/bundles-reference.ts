import {
  type BundleStep,
  type FunderStep,
  keyOf,
  type MarketOptions,
  type TradeStep,
  type TransferStep,
} from '../support/bundles-market.ts'
import { budgetsAt, type Facts, factsAt } from './bundles-facts.ts'

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
  /** per pair: wallets, evidence as family, weight and slot, exits, and whether it linked them */
  readonly pairs: readonly unknown[]
  readonly rugged: ReadonlySet<number>
}

interface Evidence {
  readonly a: number
  readonly b: number
  readonly weights: Map<string, { weight: number; slot: number }>
  exits: number[]
  linked: boolean
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

const tierOf = (funded: number): number =>
  funded <= 4 ? 0.6 : funded <= 8 ? 0.38 : funded <= 16 ? 0.26 : funded <= 50 ? 0.16 : 0

export function detect(all: readonly BundleStep[], mint: number, options: MarketOptions): ReferenceResult {
  const pairs: Evidence[] = []
  const gangs: Gang[] = []
  const kin: { wallet: number; funder: number }[] = []
  const rugged = new Set<number>()
  let isRugged = false

  const gangOf = (wallet: number): Gang | undefined => gangs.find(({ members }) => members.includes(wallet))
  const pairOf = (a: number, b: number): Evidence | undefined =>
    pairs.find((pair) => pair.a === Math.min(a, b) && pair.b === Math.max(a, b))

  /** balance, bought and sold of a wallet after `n` steps */
  function holding(wallet: number, n: number) {
    const h = { balance: 0, bought: 0, sold: 0, received: 0, peak: 0 }
    // all of it was given away: the next tokens are a holding of their own
    let over = false
    const gain = (tokens: number): void => {
      h.balance += tokens
      h.peak = over ? h.balance : Math.max(h.peak, h.balance)
      over = false
    }
    for (const step of all.slice(0, n)) {
      if (step.kind === 'transfer' && step.mint === mint) {
        if (step.to === wallet) {
          gain(step.tokens)
          h.received += step.tokens
        }
        if (step.from === wallet) {
          h.balance -= Math.min(step.tokens, h.balance)
          if (h.balance * 100 <= h.peak) over = true
        }
      }
      if (step.kind !== 'trade' || step.mint !== mint || step.wallet !== wallet) continue
      if (step.isBuy) {
        h.bought += step.tokens
        gain(step.tokens)
      } else {
        h.sold += step.tokens
        h.balance = Math.max(0, h.balance - step.tokens)
      }
    }
    return h
  }
  const together = (gang: Gang, n: number): number => gang.members.reduce((sum, id) => sum + holding(id, n).balance, 0)

  function funderWeight(facts: Facts, a: number, b: number): number {
    const [fa, fb] = [facts.funding(a), facts.funding(b)]
    const weigh = (funder: number): number =>
      facts.exchange(funder) ? 0 : funder === options.deployer ? 0.95 : tierOf(facts.funded(funder))
    if (fa?.funder === b) return weigh(b)
    if (fb?.funder === a) return weigh(a)
    if ((b === options.deployer && isOwn(facts, a)) || (a === options.deployer && isOwn(facts, b))) return 0.95
    if (fa === undefined || fb === undefined || fa.funder !== fb.funder) return 0
    const weight = Math.abs(fa.fundedAt - fb.fundedAt) <= 216_000 ? weigh(fa.funder) : 0
    return weight > 0 && isCrew(facts, fa.funder) ? 0.95 : weight
  }

  /** funded by the deployer over at most two hops, each within a day of the launch */
  function isOwn(facts: Facts, wallet: number): boolean {
    const near = (at: number): boolean => Math.abs(at - options.createdSlot) <= 216_000
    const first = facts.funding(wallet)
    if (options.deployer < 0 || first === undefined || !near(first.fundedAt)) return false
    if (first.funder === options.deployer) return true
    const second = facts.funding(first.funder)
    return second !== undefined && second.funder === options.deployer && near(second.fundedAt)
  }

  /** three wallets of one funder, a quarter of all it funded, twenty times as many as chance would bring */
  function isCrew(facts: Facts, funder: number): boolean {
    const here = kin.filter((k) => k.funder === funder).length
    const buyers = new Set(facts.trades.filter((t) => t.mint === mint && t.isBuy).map(({ wallet }) => wallet)).size
    const [all, everybody] = [facts.funded(funder), options.wallets]
    return here >= 3 && here * 4 >= all && here * everybody >= 20 * all * Math.max(1, buyers)
  }

  function payerWeight(facts: Facts, a: number, b: number): number {
    const [pa, pb] = [facts.payer(a), facts.payer(b)]
    const weigh = (payer: number): number => (facts.paidFor(payer) <= 16 ? 0.95 : facts.paidFor(payer) <= 200 ? 0.9 : 0)
    if (pa === b) return weigh(b)
    if (pb === a) return weigh(a)
    return pa >= 0 && pa === pb ? weigh(pa) : 0
  }

  function past(facts: Facts, a: number, b: number) {
    const ab = facts.partners(a).find(({ wallet }) => wallet === b)?.gaps ?? []
    const ba = facts.partners(b).find(({ wallet }) => wallet === a)?.gaps ?? []
    const [first, second] = [facts.firstBuy(mint, a), facts.firstBuy(mint, b)]
    const here = first !== undefined && second !== undefined && Math.abs(first.slot - second.slot) <= 5 ? 1 : 0
    const k = ab.length + ba.length - here
    const [na, nb] = [facts.mintsBought(a), facts.mintsBought(b)]
    const late = (gaps: number[], most: number): number => gaps.filter((gap) => gap >= 1 && gap <= most).length
    const copies = (late(ab, 3) >= 3 && late(ba, 5) === 0) || (late(ba, 3) >= 3 && late(ab, 5) === 0)
    return { copies, history: k >= 3 && k * (facts.mints + options.otherMints) >= 10 * na * nb ? 0.5 : 0 }
  }

  /** `n`: steps that have happened, this one included */
  function compare(n: number, a: number, b: number, slot: number, seen: Map<string, number>, exit: boolean): void {
    const facts = factsAt(all, n)
    const { copies, history } = past(facts, a, b)
    seen.set('funder', funderWeight(facts, a, b))
    seen.set('payer', payerWeight(facts, a, b))
    seen.set('history', history)
    seen.set('budget', budgetWeight(facts, n, a, b))
    seen.set('actor', facts.actor(a) >= 0 && facts.actor(a) === facts.actor(b) ? 0.95 : 0)
    if (!exit && [...seen.values()].every((weight) => weight === 0)) return
    const pair: Evidence = pairOf(a, b) ?? {
      a: Math.min(a, b),
      b: Math.max(a, b),
      weights: new Map(),
      exits: [],
      linked: false,
    }
    if (copies) {
      for (const family of ['timing', 'history', 'block_exit', 'exodus']) {
        seen.delete(family)
        pair.weights.delete(family)
      }
    }
    const has = (family: string): boolean => (seen.get(family) ?? 0) > 0 || pair.weights.has(family)
    if (!has('timing') && !has('funder')) seen.delete('size')
    if (exit && (pair.exits.length === 0 || slot - pair.exits[pair.exits.length - 1]! >= 5)) pair.exits.push(slot)
    if (exit && pair.exits.length >= 2) seen.set('exits', 0.4)
    for (const [family, weight] of seen) {
      if (weight > (pair.weights.get(family)?.weight ?? 0)) pair.weights.set(family, { weight, slot })
    }
    const isEmpty = probability(pair) === 0 && pair.exits.length === 0 && !pair.linked
    if (isEmpty && pairs.includes(pair)) pairs.splice(pairs.indexOf(pair), 1)
    if (isEmpty) return
    if (!pairs.includes(pair)) pairs.push(pair)
    if (isLink(pair)) joinAll(pair, slot)
  }

  /** Joins by this link, then by those held back that are enough now, until nothing changes. */
  function joinAll(pair: Evidence, slot: number): void {
    let merged = join(pair, slot)
    while (merged) merged = pairs.some((held) => !held.linked && isLink(held) && join(held, slot))
  }

  function join(pair: Evidence, slot: number): boolean {
    if (pair.linked) return false
    const [left, right] = [gangOf(pair.a), gangOf(pair.b)]
    if (left !== undefined && right !== undefined && left !== right) {
      if (left.members.length >= 5 && right.members.length >= 5 && crossing(left, right, pair) < 2) return false
      pair.linked = true
      const older = [left, right].sort((x, y) => x.firstSlot - y.firstSlot || x.no - y.no)
      absorb(older[0]!, older[1]!, slot)
      return true
    }
    pair.linked = true
    const gang = left ?? right ?? newGang(pair)
    for (const id of [pair.a, pair.b]) if (!gang.members.includes(id)) gang.members.push(id)
    return false
  }

  function newGang(pair: Evidence): Gang {
    const gang: Gang = {
      no: gangs.length,
      firstSlot: Math.min(...[...pair.weights.values()].map(({ slot }) => slot)),
      founder: keyOf(pair.a) < keyOf(pair.b) ? pair.a : pair.b,
      ...{ members: [], confirmedSlot: -1, peak: 0, flows: [], red: false, netSellSlot: -1 },
    }
    gangs.push(gang)
    return gang
  }

  function crossing(left: Gang, right: Gang, pair: Evidence): number {
    if (probability(pair) < 0.8 - 1e-6) return 0
    return pairs.filter((other) => {
      if (!isLink(other) || probability(other) < 0.8 - 1e-6) return false
      const ends = [gangOf(other.a), gangOf(other.b)]
      return ends.includes(left) && ends.includes(right)
    }).length
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
    if (isRugged && gang.confirmedSlot >= 0) for (const id of gang.members) rugged.add(id)
  }

  function onTrade(step: TradeStep, n: number): void {
    const facts = factsAt(all, n)
    const earlier = facts.trades.filter((t) => t.mint === mint).slice(0, -1)
    const recent = earlier.filter((t) => step.slot - t.slot <= 5).slice(-32)
    const order = [...new Set(recent.map(({ wallet }) => wallet))]
    const run = bundleOf(step, recent)
    const entered = tookTogether(facts, step, recent)
    const { gone, weight: blockExit } = leftAtOnce(step, recent)
    learnKin(facts, step.wallet)
    const moved = pairs.filter((p) => p.weights.has('transfer') && (p.a === step.wallet || p.b === step.wallet))
    const partners = facts.partners(step.wallet).map((partner) => partner.wallet)
    const counterparties = moved.map(({ a, b }) => (a === step.wallet ? b : a))
    for (const other of [
      ...kinOf(facts, step.wallet),
      ...partners,
      ...companionsOf(facts, step.wallet),
      ...counterparties,
    ]) {
      if (!order.includes(other)) order.push(other)
    }
    for (const other of order) {
      if (other === step.wallet || !facts.has(mint, other)) continue
      const seen = new Map<string, number>()
      const theirs = recent.filter(({ wallet }) => wallet === other)
      for (const trade of theirs) compareTrades(step, trade, earlier, seen)
      const inBundle = run.filter(({ wallet }) => wallet === other)
      if (inBundle.length > 0) raise(seen, 'jito', options.sparse && isTelling(facts, [...run, step]) ? 0.95 : 0.5)
      if (entered.includes(other)) raise(seen, 'block_entry', 0.95)
      if (gone.includes(other)) raise(seen, 'block_exit', blockExit)
      const exit = theirs.some((t) => !step.isBuy && !t.isBuy && step.slot - t.slot <= 2)
      compare(n, step.wallet, other, step.slot, seen, exit)
    }
    for (const other of leavers(step, n)) {
      compare(n, step.wallet, other, step.slot, new Map([['exodus', 0.95]]), false)
    }
    for (const other of givers(step.wallet, n)) {
      compare(n, step.wallet, other, step.slot, new Map([['consolidation', 0.95]]), false)
    }
    const gang = gangOf(step.wallet)
    if (gang === undefined) return
    gang.flows.push({ slot: step.slot, net: step.isBuy ? -step.tokens : step.tokens })
    const before = holding(step.wallet, n - 1).balance - holding(step.wallet, n).balance
    gang.peak = Math.max(gang.peak, together(gang, n) + Math.max(0, before))
    judge(gang, n, step.slot)
    settle(gang, n, step.slot)
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

  function learnKin(facts: Facts, wallet: number): void {
    const funding = facts.funding(wallet)
    if (funding === undefined || kin.some((k) => k.wallet === wallet)) return
    const { funder } = funding
    const counts = !facts.exchange(funder) && (funder === options.deployer || facts.funded(funder) <= 50)
    if (counts) kin.push({ wallet, funder })
  }

  function kinOf(facts: Facts, wallet: number): number[] {
    const funding = facts.funding(wallet)
    const counts = funding !== undefined && kin.some((k) => k.wallet === wallet) && !facts.exchange(funding.funder)
    const siblings = counts ? kin.filter((k) => k.funder === funding.funder).map((k) => k.wallet) : []
    const children = kin.filter((k) => k.funder === wallet).map((k) => k.wallet)
    const own = isOwn(facts, wallet) ? [options.deployer] : []
    const { known } = budgetsAt(all, facts.steps, options.budgets)
    const budget = known.find((one) => one.mint === mint && one.wallet === wallet)?.budget
    const alike = known.filter((one) => one.mint === mint && one.budget === budget).map((one) => one.wallet)
    return [...siblings, ...(counts ? [funding.funder] : []), ...own, ...children, ...alike]
  }

  const companionsOf = (facts: Facts, wallet: number): number[] =>
    facts.actor(wallet) < 0 ? [] : facts.companions(wallet).filter((other) => facts.has(mint, other))

  function compareTrades(now: TradeStep, then: TradeStep, earlier: TradeStep[], seen: Map<string, number>): void {
    const add = (family: string, weight: number): void => {
      if (weight > (seen.get(family) ?? 0)) seen.set(family, weight)
    }
    const apart = now.slot === then.slot ? Math.abs(now.tx - then.tx) : Number.POSITIVE_INFINITY
    if (apart === 0 && now.isBuy && then.isBuy) add('atomic', 1)
    if (now.slot === then.slot && now.tipper >= 0 && now.tipper === then.tipper) add('jito', 0.7)
    if (now.isBuy !== then.isBuy) return
    if (apart <= 4) add('timing', timing(now.slot, earlier))
    const round = [now.paid, now.lamports, then.paid, then.lamports].some((amount) => amount % 10_000_000 === 0)
    const equal = now.paid === then.paid || now.lamports === then.lamports
    const close = (x: number, y: number): boolean => Math.abs(x - y) * 50 <= Math.max(x, y)
    if (equal && !round) add('size', 0.4)
    else if (close(now.paid, then.paid) || close(now.lamports, then.lamports)) add('size', 0.25)
  }

  /**
   * four wallets, or three where 500 tokens are known and none of them but the deployer has bought five tokens while at most a fifth of its
   * trades elsewhere were a group's
   */
  function isTelling(facts: Facts, trades: readonly TradeStep[]): boolean {
    const wallets = walletsOf(trades)
    const own = wallets.filter((wallet) => {
      const isGrouped = facts.elsewhere(wallet, 'bundled') * 5 > facts.elsewhere(wallet, 'trades')
      return wallet !== options.deployer && facts.mintsBought(wallet) >= 5 && !isGrouped
    })
    return wallets.length > 3 || (wallets.length === 3 && facts.mints + options.otherMints >= 500 && own.length === 0)
  }

  /** the trades right before, side by side in the slot and without a tip, where this one pays it */
  function bundleOf(now: TradeStep, recent: readonly TradeStep[]): TradeStep[] {
    if (now.tipper < 0) return []
    const run: TradeStep[] = []
    for (const trade of [...recent].reverse()) {
      const next = run[run.length - 1] ?? now
      const isAside = trade.slot === now.slot && next.tx - trade.tx <= 1
      if (!isAside || (trade.tx < now.tx && trade.tipper >= 0)) break
      run.push(trade)
    }
    return run
  }

  /** who bought in the slot right before, at most `apart` transactions from each to the next, behind the last transaction with a tip */
  function boughtBefore(now: TradeStep, recent: readonly TradeStep[], apart: number): TradeStep[] {
    const buys = recent.filter(({ isBuy, slot }) => isBuy && slot === now.slot)
    const tipped = buys.filter(({ tx, tipper }) => tx < now.tx && tipper >= 0 && tipper !== now.tipper)
    const run = [now]
    for (const trade of buys.slice(buys.indexOf(tipped[tipped.length - 1]!) + 1).reverse()) {
      if (run[run.length - 1]!.tx - trade.tx > apart) break
      run.push(trade)
    }
    return run
  }

  /**
   * those of three and more who took a fifth of supply, or a twentieth where blocks are mostly strangers'; there also who stand side by
   * side in the slot of the creation
   */
  function tookTogether(facts: Facts, now: TradeStep, recent: readonly TradeStep[]): number[] {
    if (!now.isBuy) return []
    const took = boughtBefore(now, recent, 4)
    const sizes = took.map(({ tokens }) => tokens)
    const beside = sizes.reduce((sum, size) => sum + size, 0) - Math.max(...sizes)
    if (walletsOf(took).length >= 3 && beside * 5 >= options.supply) return walletsOf(took)
    const others = walletsOf(took).filter((wallet) => wallet !== options.deployer)
    if (options.sparse && beside * 20 >= options.supply && others.length >= 3) return walletsOf(took)
    const aside = boughtBefore(now, recent, 1)
    return options.sparse && now.slot === options.createdSlot && isTelling(facts, aside) ? walletsOf(aside) : []
  }

  /** a sale that leaves a tenth at most of what the wallet had, which came 25 slots ago at least */
  function isWhole(trade: TradeStep): boolean {
    if (trade.isBuy) return false
    const at = all.indexOf(trade)
    const came = factsAt(all, at).firstBuy(mint, trade.wallet)?.slot
    if (came !== undefined && trade.slot - came < 25) return false
    if (trade.tokens * 1_000 < options.supply) return false
    if (buys(at, trade.wallet).some(({ slot }) => slot !== came)) return false
    const { balance, peak, sold } = holding(trade.wallet, at)
    // it sold before: it leaves piece by piece
    if (came !== undefined && sold > peak * 0.1) return false
    return holding(trade.wallet, at + 1).balance <= balance * 0.1
  }

  const buys = (n: number, wallet: number): TradeStep[] =>
    factsAt(all, n).trades.filter((one) => one.mint === mint && one.wallet === wallet && one.isBuy)

  /** both came by transfer, or both bought and first did so within 30 slots of each other */
  function cameTogether(n: number, a: number, b: number): boolean {
    const isGiven = (wallet: number): boolean => {
      const { received, bought } = holding(wallet, n)
      return bought === 0 || received > bought
    }
    if (isGiven(a) || isGiven(b)) return isGiven(a) && isGiven(b)
    const came = (wallet: number): number => buys(n, wallet)[0]!.slot
    return Math.abs(came(a) - came(b)) <= 30
  }

  function leftAtOnce(now: TradeStep, recent: readonly TradeStep[]): { gone: number[]; weight: number } {
    const n = all.indexOf(now) + 1
    const others = isWhole(now) ? recent.filter((t) => now.slot - t.slot <= 2 && t.wallet !== now.wallet) : []
    const left = recent.filter((t) => isWhole(t))
    // before anybody could have seen it
    const first = left.every(({ slot }) => slot === now.slot)
    const came = factsAt(all, n).firstBuy(mint, now.wallet)?.slot
    // two slots later it has seen the sale, and did not want to stay for long anyway
    const follows = (slot: number): boolean => slot < now.slot && came !== undefined && now.slot - came < 75
    const whole = others.filter(
      (t) =>
        isWhole(t) && !follows(t.slot) && ((first && t.slot === now.slot) || cameTogether(n, now.wallet, t.wallet)),
    )
    const sizes = [...whole, now].map(({ tokens }) => tokens)
    const beside = sizes.reduce((sum, size) => sum + size, 0) - Math.max(...sizes)
    const weight = walletsOf([...whole, now]).length >= 3 && beside * 200 >= options.supply ? 0.95 : 0
    return { gone: whole.map(({ wallet }) => wallet), weight }
  }

  /** who came within 30 slots of this wallet, and sold all within the bucket before this one and this one; all of them held for 150 */
  function leavers(now: TradeStep, n: number): number[] {
    const { firstBuy, trades } = factsAt(all, n)
    const came = (wallet: number): number => firstBuy(mint, wallet)?.slot ?? -1
    const own = came(now.wallet)
    if (!isWhole(now) || own < 0 || now.slot - own < 150) return []
    const bucket = (slot: number): number => Math.floor(slot / 25)
    const sales = new Map<string, { wallet: number; tokens: number }>()
    for (const { mint: of, isBuy, wallet, slot, tokens } of trades.filter((trade) => trade !== now)) {
      if (of !== mint || isBuy || wallet === now.wallet) continue
      if (bucket(slot) < bucket(now.slot) - 1) continue
      const { balance, peak } = holding(wallet, n)
      if (balance > peak * 0.1 || came(wallet) < 0 || Math.abs(came(wallet) - own) > 30) continue
      if (buys(n, wallet).some((one) => one.slot !== came(wallet))) continue
      const place = `${wallet} ${bucket(slot)}`
      sales.set(place, { wallet, tokens: (sales.get(place)?.tokens ?? 0) + tokens })
    }
    for (const [place, { wallet, tokens }] of sales) {
      const { peak, sold } = holding(wallet, n)
      if (sold - tokens > peak * 0.1) sales.delete(place)
    }
    const sizes = [now.tokens, ...[...sales.values()].map(({ tokens }) => tokens)]
    const beside = sizes.reduce((sum, size) => sum + size, 0) - Math.max(...sizes)
    const wallets = [...new Set([...sales.values()].map(({ wallet }) => wallet))]
    return wallets.length >= 4 && beside * 100 >= options.supply * 3 ? wallets : []
  }

  /** whose bags, bought and left alone, are what this wallet sold beyond all it had: every selection of them is tried */
  function givers(seller: number, n: number): number[] {
    const own = holding(seller, n)
    const beyond = own.sold - own.bought
    if (own.balance > 0 || beyond * 200 < options.supply) return []
    const { trades } = factsAt(all, n)
    const bags = [...new Set(trades.filter((one) => one.mint === mint && one.isBuy).map(({ wallet }) => wallet))]
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

  const walletsOf = (trades: readonly TradeStep[]): number[] => [...new Set(trades.map(({ wallet }) => wallet))]
  const raise = (seen: Map<string, number>, family: string, weight: number): void => {
    if (weight > (seen.get(family) ?? 0)) seen.set(family, weight)
  }
  const ofWallet = (wallet: number): Evidence[] => pairs.filter(({ a, b }) => a === wallet || b === wallet)
  const otherOf = ({ a, b }: Evidence, wallet: number): number => (a === wallet ? b : a)

  function budgetWeight(facts: Facts, n: number, a: number, b: number): number {
    const { known, counts, all: counted } = budgetsAt(all, n, options.budgets)
    const here = known.filter((one) => one.mint === mint)
    const budget = here.find(({ wallet }) => wallet === a)?.budget
    if (budget === undefined || here.find(({ wallet }) => wallet === b)?.budget !== budget) return 0
    const wallets = here.filter((one) => one.budget === budget).length
    const buyers = new Set(facts.trades.filter((t) => t.mint === mint && t.isBuy).map(({ wallet }) => wallet)).size
    const byChance = ((counts.get(budget) ?? 0) / counted) * Math.max(1, buyers)
    return wallets >= 3 && wallets >= 10 * byChance ? 0.95 : 0.6
  }

  function timing(slot: number, earlier: TradeStep[]): number {
    if (slot - options.createdSlot <= 2) return 0.35
    const bucket = Math.floor(slot / 25)
    const buys = earlier.filter((t) => t.isBuy && Math.floor(t.slot / 25) >= bucket - 30).length
    const start = Math.max((bucket - 30) * 25, options.createdSlot)
    const perSlot = buys / (slot - start + 1)
    return perSlot <= 3 ? 0.2 / (1 + perSlot) : 0
  }

  function onTransfer(step: TransferStep, n: number): void {
    const facts = factsAt(all, n)
    const inTx = facts.trades.filter((t) => t.mint === mint && t.slot === step.slot && t.tx === step.tx && t.isBuy)
    const seen = new Map([['transfer', 0.8]])
    if (inTx.some(({ wallet }) => wallet === step.from || wallet === step.to)) seen.set('handover', 0.9)
    compare(n, step.from, step.to, step.slot, seen, false)
    const [from, to] = [step.from, step.to]
    const dealt = ofWallet(from).filter((pair) => pair.weights.has('handover'))
    for (const pair of dealt.length >= 3 ? dealt : []) {
      if (!pair.weights.has('atomic')) compare(n, from, otherOf(pair, from), step.slot, new Map([['atomic', 1]]), false)
    }
    const bags = ofWallet(to).filter((pair) => {
      const { balance, peak, sold, bought, received } = holding(otherOf(pair, to), n)
      return pair.weights.has('transfer') && balance <= peak * 0.1 && sold < (bought + received) / 2
    })
    for (const pair of bags.length >= 3 ? bags : []) {
      if (pair.weights.has('consolidation')) continue
      compare(n, to, otherOf(pair, to), step.slot, new Map([['consolidation', 0.95]]), false)
    }
    settle(gangOf(step.from), n, step.slot)
    settle(gangOf(step.to), n, step.slot)
  }

  function onFunder(step: FunderStep, n: number): void {
    const facts = factsAt(all, n)
    if (facts.funding(step.wallet) !== step || !facts.has(mint, step.wallet)) return
    const recent = facts.trades.filter((t) => t.mint === mint)
    const last = recent[recent.length - 1]?.slot ?? 0
    // what the newest trade of the mint had left behind, as far as it is still recent
    const near = recent.filter((t) => last - t.slot <= 5).slice(-32)
    const order = near.filter((t) => step.slot - t.slot <= 5).map(({ wallet }) => wallet)
    learnKin(facts, step.wallet)
    for (const other of new Set([...order, ...kinOf(facts, step.wallet)])) {
      if (other !== step.wallet && facts.has(mint, other)) compare(n, step.wallet, other, step.slot, new Map(), false)
    }
    settle(gangOf(step.wallet), n, step.slot)
  }

  function onRug(): void {
    isRugged = true
    for (const { confirmedSlot, members } of gangs) if (confirmedSlot >= 0) for (const id of members) rugged.add(id)
  }

  all.forEach((step, i) => {
    if (step.kind === 'funder') onFunder(step, i + 1)
    else if (!('mint' in step) || step.mint !== mint) return
    else if (step.kind === 'trade') onTrade(step, i + 1)
    else if (step.kind === 'transfer') onTransfer(step, i + 1)
    else onRug()
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
    pairs: pairs.map(({ a, b, weights, exits, linked }) => {
      const evidence = [...weights].map(([family, { weight, slot }]) => ({ family, weight, slot }))
      return { a, b, evidence: evidence.sort((x, y) => (x.family < y.family ? -1 : 1)), exits: exits.length, linked }
    }),
    rugged,
  }
}

function counted(pair: Evidence): [string, number][] {
  const sized = pair.weights.has('timing') || pair.weights.has('funder')
  return [...pair.weights].filter(([f]) => f !== 'size' || sized).map(([f, { weight }]) => [f, weight])
}

const probability = (pair: Evidence): number => 1 - counted(pair).reduce((miss, [, weight]) => miss * (1 - weight), 1)

/** two wallets of one owner: neither family of a handover counts for a link */
function isLink(pair: Evidence): boolean {
  const handover = pair.weights.has('handover')
  const families = counted(pair)
    .map(([family]) => family)
    .filter((family) => family !== 'handover' && (family !== 'transfer' || !handover))
  const decisive = counted(pair).some(([, weight]) => weight >= 0.95)
  if (decisive) return true
  const telling = families.some((family) =>
    ['jito', 'funder', 'payer', 'transfer', 'history', 'exits', 'block_exit', 'budget'].includes(family),
  )
  return telling && families.length >= 2 && probability(pair) >= 0.7 - 1e-6
}
