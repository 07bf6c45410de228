import type { Key } from '@ti/core/base/ids.ts'
import { QUOTE } from '@ti/core/model/events.ts'
import { START_REAL_TOKEN, TOTAL_SUPPLY } from './curve.ts'
import { RENT } from './exchange.ts'
import { tokenAccount } from './keys.ts'
import { callData, completePayload, createCallData, createPayload, tradePayload } from './payload.ts'
import type { CreateAction, TradeAction } from './plan.ts'
import { ASSOCIATED, FEES, MAYHEM, PUMP, SYSTEM, TOKEN, TOKEN_2022, USDC } from './programs.ts'
import {
  approach,
  begin,
  COMMON_LAMPORTS,
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

/** Tokens that the curve's vault keeps for the pool. */
export const RESERVED = TOTAL_SUPPLY - START_REAL_TOKEN
/** MintTo of the whole supply: instruction 7, 10^15. */
export const MINT_SUPPLY = Buffer.from('070080c6a47e8d0300', 'hex')

export function emitCreate(scene: Scene, { token }: CreateAction): void {
  const { builder, common } = scene
  const keys = keysOf(scene, token)
  const deployer = keyOf(scene, token.deployer)
  const made: readonly (readonly [Key, number])[] = [
    [keys.mint, RENT.mint],
    [keys.curve, RENT.curve],
    [keys.curveVault, RENT.tokenAccount],
  ]
  for (const [account] of made) builder.account(account, 0)
  builder.holds(keys.curveVault, keys.mint, keys.curve, 6, null)
  const accounts = [keys.mint, common.mintAuthority, keys.curve, keys.curveVault, common.global, deployer, SYSTEM.key]
  accounts.push(TOKEN_2022.key, ASSOCIATED.key, MAYHEM.key, common.mayhemState, common.pumpAuthority, PUMP.key)
  begin(scene, PUMP, 1, accounts, createCallData(token, deployer), 'CreateV2')
  for (const [account, rent] of made) {
    quiet(scene, SYSTEM, 2, [deployer, account], transferData(rent))
    builder.pay(deployer, account, rent)
  }
  quiet(scene, TOKEN_2022, 2, [keys.mint, keys.curveVault, common.mintAuthority], MINT_SUPPLY)
  builder.mint(keys.curveVault, TOTAL_SUPPLY)
  event(scene, PUMP, 2, common.pumpAuthority, createPayload(token, keys, deployer, scene.time))
  builder.log(PUMP.success)
}

export function emitCurveTrade(scene: Scene, action: TradeAction): void {
  const { builder, common, time } = scene
  const { token, wallet, isBuy, tokens } = action
  const keys = keysOf(scene, token)
  const user = keyOf(scene, wallet)
  const vault = openVault(scene, keys.mint, user, user, action.opens, action.tokensBefore)
  const inVault = action.realToken + RESERVED + (isBuy ? tokens : -tokens)
  builder.holds(keys.curveVault, keys.mint, keys.curve, 6, inVault)
  const exact = token.quote === QUOTE.SOL && isBuy && wallet.patience > 1
  const depth = approach(scene, wallet, user, keys.mint)
  call(scene, action, vault, depth, exact)
  const [from, to] = isBuy ? [keys.curveVault, vault] : [vault, keys.curveVault]
  quiet(scene, TOKEN_2022, depth + 1, [from, keys.mint, to, isBuy ? keys.curve : user], checkedData(tokens))
  builder.moveTokens(from, to, tokens)
  if (token.quote === QUOTE.SOL) settleSol(scene, action, depth + 1)
  else settleUsdc(scene, action, depth + 1)
  const deployer = keyOf(scene, token.deployer)
  const instruction = exact ? 'buy_exact_sol_in' : isBuy ? 'buy' : 'sell'
  const names = { user, deployer, feeRecipient: common.feeRecipient, instruction, time }
  event(scene, PUMP, depth + 1, common.pumpAuthority, tradePayload(action, keys, names))
  if (action.completes) event(scene, PUMP, depth + 1, common.pumpAuthority, completePayload(token, keys, user, time))
  builder.log(PUMP.success)
  leave(scene, wallet, token)
  if (action.closes) closeVault(scene, vault, user)
}

/** buy, sell and buy_exact_sol_in on SOL curves, the v2 pair on USDC curves; accounts in the IDL's order. */
function call(scene: Scene, action: TradeAction, vault: Key, depth: number, exact: boolean): void {
  const { common } = scene
  const { token, isBuy, tokens } = action
  const keys = keysOf(scene, token)
  const user = keyOf(scene, action.wallet)
  if (token.quote === QUOTE.SOL) {
    const accounts = [common.global, common.feeRecipient, keys.mint, keys.curve, keys.curveVault, vault, user]
    const rest = isBuy ? [TOKEN_2022.key, keys.creatorVault] : [keys.creatorVault, TOKEN_2022.key]
    accounts.push(SYSTEM.key, ...rest, common.pumpAuthority, PUMP.key)
    if (isBuy) accounts.push(common.volume)
    accounts.push(common.feeConfig, FEES.key)
    if (exact) begin(scene, PUMP, depth, accounts, callData('buyExact', action.userQuote, tokens), 'BuyExactSolIn')
    else if (isBuy) begin(scene, PUMP, depth, accounts, callData('buy', tokens, action.userQuote * 2), 'Buy')
    else begin(scene, PUMP, depth, accounts, callData('sell', tokens, 0), 'Sell')
    return
  }
  const accounts = [common.global, keys.mint, USDC, TOKEN_2022.key, TOKEN.key, ASSOCIATED.key, common.feeRecipient]
  accounts.push(tokenAccount(common.feeRecipient, USDC), common.config, tokenAccount(common.config, USDC), keys.curve)
  accounts.push(keys.curveVault, keys.curveQuoteVault, user, vault, tokenAccount(user, USDC), keys.creatorVault)
  accounts.push(tokenAccount(keys.creatorVault, USDC), common.feeConfig, FEES.key, SYSTEM.key, PUMP.key)
  if (isBuy) begin(scene, PUMP, depth, accounts, callData('buyV2', tokens, action.userQuote * 2), 'BuyV2')
  else begin(scene, PUMP, depth, accounts, callData('sellV2', tokens, 0), 'SellV2')
}

function settleSol(scene: Scene, action: TradeAction, depth: number): void {
  const { builder, common } = scene
  const { isBuy, quote, realQuote } = action
  const keys = keysOf(scene, action.token)
  const user = keyOf(scene, action.wallet)
  builder.account(keys.curve, RENT.curve + realQuote + (isBuy ? -quote : quote))
  builder.account(common.feeRecipient, COMMON_LAMPORTS)
  builder.account(keys.creatorVault, COMMON_LAMPORTS)
  if (isBuy) {
    quiet(scene, SYSTEM, depth, [user, keys.curve], transferData(action.userQuote))
    builder.pay(user, keys.curve, action.userQuote)
  } else builder.pay(keys.curve, user, action.userQuote)
  // a program pays from its own account without a call
  builder.pay(keys.curve, common.feeRecipient, action.protocolFee)
  builder.pay(keys.curve, keys.creatorVault, action.creatorFee)
}

function settleUsdc(scene: Scene, action: TradeAction, depth: number): void {
  const { builder, common } = scene
  const { isBuy, quote, realQuote } = action
  const keys = keysOf(scene, action.token)
  const user = keyOf(scene, action.wallet)
  const userVault = tokenAccount(user, USDC)
  const feeVault = tokenAccount(common.feeRecipient, USDC)
  const creatorVault = tokenAccount(keys.creatorVault, USDC)
  builder.holds(userVault, USDC, user, 6, COMMON_TOKENS + (isBuy ? action.userQuote : 0))
  builder.holds(keys.curveQuoteVault, USDC, keys.curve, 6, realQuote + (isBuy ? -quote : quote))
  builder.holds(feeVault, USDC, common.feeRecipient, 6, COMMON_TOKENS)
  builder.holds(creatorVault, USDC, keys.creatorVault, 6, COMMON_TOKENS)
  const from = isBuy ? userVault : keys.curveQuoteVault
  const parts: readonly (readonly [Key, number])[] = [
    isBuy ? [keys.curveQuoteVault, quote] : [userVault, action.userQuote],
    [feeVault, action.protocolFee],
    [creatorVault, action.creatorFee],
  ]
  for (const [to, amount] of parts) {
    quiet(scene, TOKEN, depth, [from, USDC, to, isBuy ? user : keys.curve], checkedData(amount))
    builder.moveTokens(from, to, amount)
  }
}
