import type { Key } from '@ti/core/base/ids.ts'
import { TOTAL_SUPPLY } from './curve.ts'
import { MINT_SUPPLY, RESERVED } from './emit-curve.ts'
import { RENT } from './exchange.ts'
import { tokenAccount } from './keys.ts'
import type { CreateAction, TradeAction } from './plan.ts'
import { type Program, SYSTEM, TOKEN, TOKEN_2022, WRAPPED_SOL } from './programs.ts'
import {
  approach,
  begin,
  COMMON_LAMPORTS,
  checkedData,
  closeVault,
  keyOf,
  keysOf,
  leave,
  openVault,
  quiet,
  type Scene,
  transferData,
} from './scene.ts'

/** Common parts of LaunchLab and Meteora's bonding curve: SOL in a vault, and events only as self-calls. */
export interface CurveProgram {
  readonly program: Program
  /** The owner of the vaults. */
  authority(scene: Scene): Key
  /** The instruction, its accounts and its name in the log. */
  call(
    scene: Scene,
    action: TradeAction,
  ): { readonly accounts: readonly Key[]; readonly data: Buffer; readonly name: string }
  /** Payloads of the trade's events, in order. */
  events(scene: Scene, action: TradeAction): readonly Buffer[]
}

/** Creates the mint, the launch account and its vault with the whole supply. */
export function makeCurve(scene: Scene, { token }: CreateAction, program: Program, authority: Key): void {
  const { builder } = scene
  const keys = keysOf(scene, token)
  const deployer = keyOf(scene, token.deployer)
  const made: readonly (readonly [Key, number])[] = [
    [keys.mint, RENT.mint],
    [keys.curve, RENT.curve],
    [keys.curveVault, RENT.tokenAccount],
  ]
  for (const [account] of made) builder.account(account, 0)
  builder.holds(keys.curveVault, keys.mint, authority, 6, null)
  for (const [account, rent] of made) {
    quiet(scene, SYSTEM, 2, [deployer, account], transferData(rent))
    builder.pay(deployer, account, rent)
  }
  quiet(scene, TOKEN_2022, 2, [keys.mint, keys.curveVault, program.key], MINT_SUPPLY)
  builder.mint(keys.curveVault, TOTAL_SUPPLY)
}

export function emitTrade(scene: Scene, action: TradeAction, curve: CurveProgram): void {
  const { builder } = scene
  const { token, wallet, isBuy, tokens } = action
  const keys = keysOf(scene, token)
  const user = keyOf(scene, wallet)
  const authority = curve.authority(scene)
  const vault = openVault(scene, keys.mint, user, user, action.opens, action.tokensBefore)
  const inVault = action.realToken + RESERVED + (isBuy ? tokens : -tokens)
  builder.holds(keys.curveVault, keys.mint, authority, 6, inVault)
  const { accounts, data, name } = curve.call(scene, action)
  const depth = approach(scene, wallet, user, keys.mint)
  begin(scene, curve.program, depth, accounts, data, name)
  const [from, to] = isBuy ? [keys.curveVault, vault] : [vault, keys.curveVault]
  quiet(scene, TOKEN_2022, depth + 1, [from, keys.mint, to, isBuy ? authority : user], checkedData(tokens))
  builder.moveTokens(from, to, tokens)
  settle(scene, action, authority, depth + 1)
  for (const payload of curve.events(scene, action))
    quiet(scene, curve.program, depth + 1, [scene.common.pumpAuthority], payload)
  builder.log(curve.program.success)
  leave(scene, wallet, token)
  if (action.closes) closeVault(scene, vault, user)
}

/** Moves SOL into or out of the launch's vault, and the fees, through a temporary wrapped account. */
function settle(scene: Scene, action: TradeAction, authority: Key, depth: number): void {
  const { builder, common } = scene
  const { isBuy, quote, realQuote } = action
  const keys = keysOf(scene, action.token)
  const user = keyOf(scene, action.wallet)
  const wrapped = tokenAccount(user, WRAPPED_SOL)
  const before = realQuote + (isBuy ? -quote : quote)
  builder.account(keys.curveQuoteVault, RENT.tokenAccount + before)
  builder.holds(keys.curveQuoteVault, WRAPPED_SOL, authority, 9, before)
  builder.account(common.feeRecipient, COMMON_LAMPORTS)
  const [from, to] = isBuy ? [wrapped, keys.curveQuoteVault] : [keys.curveQuoteVault, wrapped]
  quiet(scene, TOKEN, depth, [from, WRAPPED_SOL, to, isBuy ? user : authority], checkedData(quote))
  const amount = isBuy ? quote : -quote
  builder.pay(user, keys.curveQuoteVault, amount)
  builder.mint(keys.curveQuoteVault, amount)
  builder.pay(user, common.feeRecipient, action.protocolFee + action.creatorFee)
}
