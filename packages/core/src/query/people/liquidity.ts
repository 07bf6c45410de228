import { keyToBase58, sigToBase58 } from '../../base/base58.ts'
import { baseUnits } from '../../base/decimal.ts'
import type { Who } from '../../contract/who.ts'
import { liquidityOf, sharesOf, withdrawnFrom } from '../../engine/liquidity.ts'
import { isMigrated } from '../../engine/tokens.ts'
import { hasValue, valueIn } from '../../engine/units.ts'
import { ratio, sol } from '../round.ts'
import type { TokenView } from '../view.ts'

/** The liquidity of the pool where the token trades, or of the one that is planned. */
export function renderLiquidity({ live, wallet, market }: TokenView): Who['liquidity'] {
  const { token } = live
  const liquidity = liquidityOf(token)
  if (liquidity === null) return null
  const shares = sharesOf(liquidity)
  const withdrawn = withdrawnFrom(liquidity)
  return {
    planned: !isMigrated(token) && liquidity.pool === token.curve,
    locked_share: shares && ratio(shares.locked),
    pullable_share: shares && ratio(shares.pullable),
    withdrawn: withdrawn && {
      sol: hasValue(token) ? sol(valueIn(token, withdrawn.took, market.solUsd)) : null,
      tokens: withdrawn.tokens / baseUnits(token.decimals),
      by: withdrawn.most.wallet < 0 ? null : keyToBase58(wallet(withdrawn.most.wallet).address),
      slot: withdrawn.most.slot,
      signature: sigToBase58(withdrawn.most.sig),
    },
  }
}
