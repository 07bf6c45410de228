import type { BundleStep, FunderStep, TradeStep } from '../support/bundles-market.ts'

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
  const payersOf = (wallet: number): number[] => {
    const payers: number[] = []
    for (const trade of trades) {
      if (trade.wallet !== wallet || trade.payer < 0 || trade.payer === wallet) continue
      if (payers[payers.length - 1] !== trade.payer) payers.push(trade.payer)
    }
    return payers
  }
  const everyone = new Set(trades.map(({ wallet }) => wallet))
  const mintsBought = (wallet: number): Set<number> =>
    new Set(trades.filter((t) => t.wallet === wallet && t.isBuy).map(({ mint }) => mint))
  const firstBuy = (mint: number, wallet: number) =>
    trades.find((t) => t.mint === mint && t.wallet === wallet && t.isBuy)
  return {
    trades,
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
    firstBuy,
    mints: new Set(steps.flatMap((step) => (step.kind === 'funder' ? [] : [step.mint]))).size,
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
