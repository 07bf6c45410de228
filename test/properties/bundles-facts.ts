import type { BundleStep, FunderStep, TradeStep, TransferStep } from '../support/bundles-market.ts'

/** Facts as they stand after the first `n` steps, found by walking them. */
export function factsAt(all: readonly BundleStep[], n: number) {
  const steps = all.slice(0, n)
  const trades = steps.filter((step): step is TradeStep => step.kind === 'trade')
  const transfers = steps.filter((step): step is TransferStep => step.kind === 'transfer')
  const fundings: FunderStep[] = []
  for (const step of steps) {
    if (step.kind === 'funder' && step.wallet !== step.funder && !fundings.some(({ wallet }) => wallet === step.wallet))
      fundings.push(step)
  }
  /** others who signed for the wallet, one after the other */
  const payersOf = (wallet: number): number[] => {
    const payers: number[] = []
    for (const trade of trades) {
      if (trade.wallet !== wallet) continue
      const [other] = [trade.payer, trade.tipper].filter((one) => one >= 0 && one !== wallet)
      if (other !== undefined && payers.at(-1) !== other) payers.push(other)
    }
    return payers
  }
  const everyone = new Set(trades.map(({ wallet }) => wallet))
  return {
    trades,
    transfers,
    funding: (wallet: number) => fundings.find((one) => one.wallet === wallet),
    funded: (wallet: number) => fundings.filter(({ funder }) => funder === wallet).length,
    exchange: (wallet: number) => fundings.some(({ funder, exchange }) => funder === wallet && exchange),
    payer: (wallet: number) => payersOf(wallet).at(-1) ?? -1,
    paidFor: (payer: number) =>
      [...everyone].reduce((sum, wallet) => sum + payersOf(wallet).filter((one) => one === payer).length, 0),
    buyers: (mint: number) => new Set(trades.filter((one) => one.mint === mint && one.isBuy).map((one) => one.wallet)),
    has: (mint: number, wallet: number) =>
      trades.some((one) => one.mint === mint && one.wallet === wallet) ||
      transfers.some((one) => one.mint === mint && (one.from === wallet || one.to === wallet)),
  }
}

export type Facts = ReturnType<typeof factsAt>
