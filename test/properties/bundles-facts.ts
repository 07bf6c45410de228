import type {
  ActorStep,
  BundleStep,
  FunderStep,
  HistoryStep,
  MarketOptions,
  TradeStep,
} from '../support/bundles-market.ts'

interface Partner {
  readonly wallet: number
  gaps: number[]
}

/** Facts as they stand after the first `n` steps, found by walking them. */
export function factsAt(all: readonly BundleStep[], n: number) {
  const steps = all.slice(0, n)
  const trades = steps.filter((step): step is TradeStep => step.kind === 'trade')
  const fundings: FunderStep[] = []
  for (const step of steps) {
    if (step.kind !== 'funder' || step.wallet === step.funder) continue
    if (!fundings.some(({ wallet }) => wallet === step.wallet)) fundings.push(step)
  }
  const enlisted: ActorStep[] = []
  for (const step of steps) {
    if (step.kind === 'actor' && !enlisted.some(({ wallet }) => wallet === step.wallet)) enlisted.push(step)
  }
  const actor = (wallet: number): number => enlisted.find((one) => one.wallet === wallet)?.actor ?? -1
  const payersOf = (wallet: number): number[] => {
    const payers: number[] = []
    for (const trade of trades) {
      if (trade.wallet !== wallet || trade.payer < 0 || trade.payer === wallet) continue
      if (payers[payers.length - 1] !== trade.payer) payers.push(trade.payer)
    }
    return payers
  }
  const everyone = new Set(trades.map(({ wallet }) => wallet))
  const elsewhere = (wallet: number, what: 'mintsBought' | 'trades' | 'bundled'): number =>
    steps
      .filter((step): step is HistoryStep => step.kind === 'history' && step.wallet === wallet)
      .reduce((sum, step) => sum + step[what], 0)
  const mintsBought = (wallet: number): number =>
    new Set(trades.filter((t) => t.wallet === wallet && t.isBuy).map(({ mint }) => mint)).size +
    elsewhere(wallet, 'mintsBought')
  const firstBuy = (mint: number, wallet: number) =>
    trades.find((t) => t.mint === mint && t.wallet === wallet && t.isBuy)
  return {
    steps: n,
    trades,
    actor,
    /** wallets of its actor, in order of joining */
    companions: (wallet: number): number[] =>
      enlisted.filter((one) => one.actor === actor(wallet)).map((one) => one.wallet),
    funding: (wallet: number) => fundings.find((f) => f.wallet === wallet),
    funded: (wallet: number) => fundings.filter((f) => f.funder === wallet).length,
    exchange: (wallet: number) => fundings.some((f) => f.funder === wallet && f.exchange),
    payer: (wallet: number) => payersOf(wallet).pop() ?? -1,
    paidFor: (payer: number) => {
      let times = 0
      for (const wallet of everyone) times += payersOf(wallet).filter((p) => p === payer).length
      return times
    },
    mintsBought,
    elsewhere,
    firstBuy,
    mints: new Set(steps.flatMap((step) => ('mint' in step ? [step.mint] : []))).size,
    has: (mint: number, wallet: number) =>
      steps.some(
        (step) =>
          (step.kind === 'trade' && step.mint === mint && step.wallet === wallet) ||
          (step.kind === 'transfer' && step.mint === mint && (step.from === wallet || step.to === wallet)),
      ),
    partners: (wallet: number): Partner[] => {
      const partners: Partner[] = []
      for (const [i, trade] of trades.entries()) {
        if (trade.wallet !== wallet || firstBuy(trade.mint, wallet) !== trade) continue
        const before = trades.slice(0, i).filter((t) => t.mint === trade.mint && trade.slot - t.slot <= 5)
        for (const other of before.slice(-32)) {
          if (other.wallet === wallet || firstBuy(other.mint, other.wallet) !== other) continue
          meet(partners, other.wallet, trade.slot - other.slot)
        }
      }
      return partners
    },
  }
}
/**
 * Budgets of first buys after the first `n` steps: who bought which mint with one that few used until then, and how often each was
 * counted. One that was uncommon on a mint is not counted there again.
 */
export function budgetsAt(all: readonly BundleStep[], n: number, before: MarketOptions['budgets']) {
  const known: { mint: number; wallet: number; budget: number }[] = []
  const counts = new Map(before.common)
  let counted = before.all
  const bought = new Set<string>()
  for (const step of all.slice(0, n)) {
    if (step.kind !== 'trade' || !step.isBuy || bought.has(`${step.mint} ${step.wallet}`)) continue
    const { mint, wallet, budget = -1 } = step
    bought.add(`${mint} ${wallet}`)
    if (budget < 0) continue
    const isKnown = known.some((one) => one.mint === mint && one.budget === budget)
    const isUncommon = counted >= 3_000 && (counts.get(budget) ?? 0) * 1_000 <= counted * 3
    if (isKnown || isUncommon) known.push({ mint, wallet, budget })
    if (isKnown) continue
    counts.set(budget, (counts.get(budget) ?? 0) + 1)
    counted++
  }
  return { known, counts, all: counted }
}

export type Facts = ReturnType<typeof factsAt>

function meet(partners: Partner[], wallet: number, gap: number): void {
  const known = partners.find((partner) => partner.wallet === wallet)
  if (known !== undefined) return void known.gaps.push(gap)
  if (partners.length === 8) {
    const once = partners.find(({ gaps }) => gaps.length === 1)
    if (once === undefined) return
    partners.splice(partners.indexOf(once), 1)
  }
  partners.push({ wallet, gaps: [gap] })
}
