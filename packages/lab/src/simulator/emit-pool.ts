import { QUOTE } from '@ti/core/model/events.ts'
import { RESERVED } from './emit-curve.ts'
import { RENT } from './exchange.ts'
import { tokenAccount } from './keys.ts'
import { callData, createPoolPayload, LIQUIDITY_MIN, liquidityOf, migrationPayload, swapPayload } from './payload.ts'
import type { MigrateAction, TradeAction } from './plan.ts'
import { ASSOCIATED, FEES, PUMP, PUMPSWAP, SYSTEM, TOKEN, TOKEN_2022, USDC, WRAPPED_SOL } from './programs.ts'
import {
  approach,
  begin,
  COMMON_TOKENS,
  checkedData,
  closeVault,
  event,
  keyOf,
  keysOf,
  leave,
  openVault,
  quiet,
  type Scene,
  transferData,
} from './scene.ts'

export function emitSwap(scene: Scene, action: TradeAction): void {
  const { builder, common, time } = scene
  const { token, wallet, isBuy, tokens } = action
  const keys = keysOf(scene, token)
  const user = keyOf(scene, wallet)
  const mint = token.quote === QUOTE.SOL ? WRAPPED_SOL : USDC
  const userBase = openVault(scene, keys.mint, user, user, action.opens, action.tokensBefore)
  const userQuote = tokenAccount(user, mint)
  const feeAccount = tokenAccount(common.swapFeeRecipient, mint)
  builder.holds(keys.poolVault, keys.mint, keys.pool, 6, action.baseBefore)
  const depth = approach(scene, wallet, user, keys.mint)
  const accounts = [keys.pool, user, common.config, keys.mint, mint, userBase, userQuote, keys.poolVault]
  accounts.push(keys.poolQuoteVault, common.swapFeeRecipient, feeAccount, TOKEN_2022.key, TOKEN.key, SYSTEM.key)
  accounts.push(ASSOCIATED.key, common.swapAuthority, PUMPSWAP.key, tokenAccount(keys.creatorVault, mint))
  accounts.push(keys.creatorVault, common.feeConfig, FEES.key)
  const data = isBuy ? callData('buy', tokens, action.userQuote * 2) : callData('sell', tokens, 0)
  begin(scene, PUMPSWAP, depth, accounts, data, isBuy ? 'Buy' : 'Sell')
  const [from, to] = isBuy ? [keys.poolVault, userBase] : [userBase, keys.poolVault]
  quiet(scene, TOKEN_2022, depth + 1, [from, keys.mint, to, isBuy ? keys.pool : user], checkedData(tokens))
  builder.moveTokens(from, to, tokens)
  settle(scene, action, depth + 1)
  const deployer = keyOf(scene, token.deployer)
  const names = { user, userBase, userQuote, feeRecipient: common.swapFeeRecipient, feeAccount, deployer, time }
  event(scene, PUMPSWAP, depth + 1, common.swapAuthority, swapPayload(action, keys, names))
  builder.log(PUMPSWAP.success)
  leave(scene, wallet, token)
  if (action.closes) closeVault(scene, userBase, user)
}

/** Moves quote into or out of the pool, and the fees. SOL passes through a temporary wrapped account. */
function settle(scene: Scene, action: TradeAction, depth: number): void {
  const { builder, common } = scene
  const { token, isBuy, lpFee } = action
  const keys = keysOf(scene, token)
  const user = keyOf(scene, action.wallet)
  const sol = token.quote === QUOTE.SOL
  const mint = sol ? WRAPPED_SOL : USDC
  const userQuote = tokenAccount(user, mint)
  if (!sol) builder.holds(userQuote, USDC, user, 6, COMMON_TOKENS + (isBuy ? action.userQuote : 0))
  const toPool = isBuy ? action.quote + lpFee : lpFee - action.quote
  const parts = [
    { owner: keys.pool, vault: keys.poolQuoteVault, before: action.quoteBefore, amount: toPool },
    { owner: common.swapFeeRecipient, before: COMMON_TOKENS, amount: action.protocolFee },
    { owner: keys.creatorVault, before: COMMON_TOKENS, amount: action.creatorFee },
  ]
  for (const { owner, vault = tokenAccount(owner, mint), before, amount } of parts) {
    builder.account(vault, RENT.tokenAccount + (sol ? before : 0))
    builder.holds(vault, mint, owner, sol ? 9 : 6, before)
    const [from, to] = amount > 0 ? [userQuote, vault] : [vault, userQuote]
    quiet(scene, TOKEN, depth, [from, mint, to, amount > 0 ? user : keys.pool], checkedData(Math.abs(amount)))
    builder.mint(vault, amount)
    if (sol) builder.pay(user, vault, amount)
    else builder.mint(userQuote, -amount)
  }
}

/** Burn: instruction 8. */
function burnData(amount: number): Buffer {
  const data = Buffer.alloc(9)
  data[0] = 8
  data.writeBigUInt64LE(BigInt(amount), 1)
  return data
}

/** Graduation: the curve's quote and reserved tokens become a PumpSwap pool. */
export function emitMigration(scene: Scene, action: MigrateAction): void {
  const { builder, common, time } = scene
  const { token, tokens, quote, migrationFee } = action
  const keys = keysOf(scene, token)
  const payer = keyOf(scene, action.wallet)
  const sol = token.quote === QUOTE.SOL
  const mint = sol ? WRAPPED_SOL : USDC
  const made = [
    { account: keys.pool, rent: RENT.pool },
    { account: keys.lpMint, rent: RENT.lpMint },
    { account: keys.poolVault, rent: RENT.tokenAccount },
    { account: keys.poolQuoteVault, rent: RENT.tokenAccount },
  ]
  for (const { account } of made) builder.account(account, 0)
  builder.account(keys.curve, RENT.curve + (sol ? quote + migrationFee : 0))
  builder.holds(keys.curveVault, keys.mint, keys.curve, 6, RESERVED)
  builder.holds(keys.poolVault, keys.mint, keys.pool, 6, null)
  builder.holds(keys.poolQuoteVault, mint, keys.pool, sol ? 9 : 6, null)
  if (!sol) builder.holds(keys.curveQuoteVault, USDC, keys.curve, 6, quote)

  const accounts = [common.global, payer, keys.mint, keys.curve, keys.curveVault, payer, SYSTEM.key, TOKEN.key]
  accounts.push(PUMPSWAP.key, keys.pool, keys.lpMint, keys.poolVault, keys.poolQuoteVault, PUMP.key)
  begin(scene, PUMP, 1, accounts, callData('migrate'), 'Migrate')
  for (const { account, rent } of made) {
    quiet(scene, SYSTEM, 2, [payer, account], transferData(rent))
    builder.pay(payer, account, rent)
  }
  const pool = [keys.pool, common.config, payer, keys.mint, mint, keys.lpMint, keys.curveVault, keys.curveQuoteVault]
  begin(
    scene,
    PUMPSWAP,
    2,
    [...pool, keys.poolVault, keys.poolQuoteVault],
    callData('createPool', tokens, quote),
    'CreatePool',
  )
  quiet(scene, TOKEN_2022, 3, [keys.curveVault, keys.mint, keys.poolVault, keys.curve], checkedData(tokens))
  builder.moveTokens(keys.curveVault, keys.poolVault, tokens)
  if (sol) {
    builder.pay(keys.curve, keys.poolQuoteVault, quote)
    builder.pay(keys.curve, payer, migrationFee)
    builder.mint(keys.poolQuoteVault, quote)
  } else {
    quiet(scene, TOKEN, 3, [keys.curveQuoteVault, USDC, keys.poolQuoteVault, keys.curve], checkedData(quote))
    builder.moveTokens(keys.curveQuoteVault, keys.poolQuoteVault, quote)
  }
  const deployer = keyOf(scene, token.deployer)
  event(scene, PUMPSWAP, 3, common.swapAuthority, createPoolPayload(action, keys, payer, deployer, time))
  builder.log(PUMPSWAP.success)
  const lp = tokenAccount(payer, keys.lpMint)
  quiet(scene, TOKEN_2022, 2, [lp, keys.lpMint, payer], burnData(liquidityOf(action) - LIQUIDITY_MIN))
  event(scene, PUMP, 2, common.pumpAuthority, migrationPayload(action, keys, payer, time))
  builder.log(PUMP.success)
}
