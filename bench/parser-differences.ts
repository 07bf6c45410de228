import { keyToBase58 } from '@ti/core/base/base58.ts'
import type { TradeEvent } from '@ti/core/model/events.ts'

/** A trade as solana-dex-parser reports it. */
export interface DexTrade {
  readonly user?: string
  readonly amm?: string
  readonly inputToken: { readonly mint: string; readonly amountRaw: string }
  readonly outputToken: { readonly mint: string; readonly amountRaw: string }
}

/** One file's trades from both parsers. */
export interface Compared {
  readonly file: string
  readonly ours: readonly TradeEvent[]
  readonly theirs: readonly DexTrade[]
}

const SUPPLY_TO_CURVE =
  'no trade: the whole supply is minted to the curve while the creator pays rent, which is read from balances'

/** Trades that only the general parser reports: file number, AMM, and the reason. */
const EXPLAINED: readonly { readonly file: string; readonly amm: string; readonly why: string }[] = [
  {
    file: '00',
    amm: 'RaydiumCPMM',
    why: 'the first hop of a route, another token for SOL on an exchange that is no market of a launchpad; the second hop is ours',
  },
  ...['04', '05', '06', '07'].map((file) => ({ file, amm: 'Unknown', why: SUPPLY_TO_CURVE })),
]

/**
 * Compares by user and token amount and describes the result. Throws for a trade that only we report, for an
 * unexplained one that only the other parser reports, and for an unused explanation.
 */
export function agreement(compared: readonly Compared[]): string {
  const open = [...EXPLAINED]
  const wrong: string[] = []
  let same = 0
  for (const { file, ours, theirs } of compared) {
    const left = [...theirs]
    for (const trade of ours) {
      const place = left.findIndex((one) => isSame(trade, one))
      if (place < 0) wrong.push(`${file}: only ours: ${keyToBase58(trade.user)} ${trade.tokenAmount}`)
      else left.splice(place, 1)
      same += place < 0 ? 0 : 1
    }
    for (const one of left) {
      const place = open.findIndex((it) => file.startsWith(it.file) && it.amm === one.amm)
      if (place < 0) wrong.push(`${file}: only its: ${one.amm} ${one.user} ${one.outputToken.amountRaw}`)
      else open.splice(place, 1)
    }
  }
  for (const { file, amm } of open) wrong.push(`${file}: the trade of ${amm} that was explained is not told any more`)
  if (wrong.length > 0) throw new Error(`solana-dex-parser and we differ:\n  ${wrong.join('\n  ')}`)
  const reasons = EXPLAINED.map(({ file, amm, why }) => `\n        ${file} ${amm}: ${why}`)
  return `all ${same} of our trades are among its ${same + EXPLAINED.length} (user and token amount); the others:${reasons.join('')}`
}

const isSame = ({ user, isBuy, tokenAmount }: TradeEvent, one: DexTrade): boolean =>
  one.user === keyToBase58(user) && (isBuy ? one.outputToken : one.inputToken).amountRaw === String(tokenAmount)
