import { METEORA_DAMM_AUTHORITY, METEORA_DBC_AUTHORITY } from '@ti/core/model/programs.ts'
import { type CurveProgram, emitTrade, makeCurve } from './emit-curves.ts'
import { markOf, tokenAccount } from './keys.ts'
import type { CreateAction, MigrateAction, TradeAction } from './plan.ts'
import { METEORA_DBC, SYSTEM, TOKEN, TOKEN_2022, WRAPPED_SOL } from './programs.ts'
import { begin, keyOf, keysOf, quiet, type Scene } from './scene.ts'
import { account, beginCall, begin as beginEvent, end, text, u8, u64 } from './scratch.ts'

/** Meteora's Dynamic Bonding Curve (interface 0.1.10), one segment; each swap is emitted twice, as a self-call. */
const MARK = {
  create: markOf('global:initialize_virtual_pool_with_token2022'),
  swap: markOf('global:swap'),
  migrate: markOf('global:migration_damm_v2'),
  initializePool: markOf('event:EvtInitializePool'),
  swapEvent: markOf('event:EvtSwap'),
  toldAgain: markOf('event:EvtSwap2'),
  complete: markOf('event:EvtCurveComplete'),
}
/** Lamports raised before a launch migrates. */
const RAISES = 85_000_000_000

export function emitDbcCreate(scene: Scene, action: CreateAction): void {
  const { common } = scene
  const { token } = action
  const keys = keysOf(scene, token)
  const deployer = keyOf(scene, token.deployer)
  const accounts = [common.config, METEORA_DBC_AUTHORITY, deployer, keys.mint, WRAPPED_SOL, keys.curve]
  accounts.push(keys.curveVault, keys.curveQuoteVault, deployer, TOKEN.key, TOKEN_2022.key, SYSTEM.key)
  beginCall(MARK.create)
  text(token.name)
  text(token.symbol)
  text(token.uri)
  begin(scene, METEORA_DBC, 1, accounts, end(), 'InitializeVirtualPoolWithToken2022')
  makeCurve(scene, action, METEORA_DBC, METEORA_DBC_AUTHORITY)
  beginEvent(MARK.initializePool)
  account(keys.curve)
  account(common.config)
  account(deployer)
  account(keys.mint)
  u8(1)
  u64(scene.time)
  quiet(scene, METEORA_DBC, 2, [common.pumpAuthority], end())
  scene.builder.log(METEORA_DBC.success)
}

const CURVE: CurveProgram = {
  program: METEORA_DBC,
  authority: () => METEORA_DBC_AUTHORITY,
  call(scene, action) {
    const { common } = scene
    const keys = keysOf(scene, action.token)
    const user = keyOf(scene, action.wallet)
    const vaults = [tokenAccount(user, keys.mint), tokenAccount(user, WRAPPED_SOL)]
    const [input, output] = action.isBuy ? [vaults[1]!, vaults[0]!] : [vaults[0]!, vaults[1]!]
    const accounts = [METEORA_DBC_AUTHORITY, common.config, keys.curve, input, output, keys.curveVault]
    accounts.push(keys.curveQuoteVault, keys.mint, WRAPPED_SOL, user, TOKEN_2022.key, TOKEN.key)
    accounts.push(common.feeRecipient, common.pumpAuthority, METEORA_DBC.key)
    beginCall(MARK.swap)
    u64(action.isBuy ? action.userQuote : action.tokens)
    u64(0)
    return { accounts, data: end(), name: 'Swap' }
  },
  events(scene, action) {
    const events = [swapEvent(scene, action), secondEvent(scene, action)]
    return action.completes ? [...events, completeEvent(scene, action)] : events
  },
}

/** The input with and without its fee, and the output; the fee is taken from the quote. */
function amountsOf({ isBuy, quote, tokens, userQuote }: TradeAction) {
  return isBuy
    ? { included: userQuote, excluded: quote, output: tokens }
    : { included: tokens, excluded: tokens, output: userQuote }
}

/** Square root of the price after the trade, Q64.64. */
function root({ quoteAfter, baseAfter }: TradeAction): void {
  const value = BigInt(Math.round(Math.sqrt(quoteAfter / baseAfter) * 2 ** 52)) << 12n
  u64(Number(value & 0xffff_ffff_ffff_ffffn))
  u64(Number(value >> 64n))
}

function result(action: TradeAction, output: number): void {
  u64(output)
  root(action)
  u64(action.creatorFee)
  u64(action.protocolFee)
  u64(0)
}

function head(scene: Scene, action: TradeAction, mark: Buffer): void {
  beginEvent(mark)
  account(keysOf(scene, action.token).curve)
  account(scene.common.config)
  u8(action.isBuy)
  u8(false)
}

function swapEvent(scene: Scene, action: TradeAction): Buffer {
  const { included, excluded, output } = amountsOf(action)
  head(scene, action, MARK.swapEvent)
  u64(included)
  u64(0)
  u64(excluded)
  result(action, output)
  u64(included)
  u64(scene.time)
  return end()
}

function secondEvent(scene: Scene, action: TradeAction): Buffer {
  const { included, excluded, output } = amountsOf(action)
  head(scene, action, MARK.toldAgain)
  u64(included)
  u64(0)
  u8(0)
  u64(included)
  u64(excluded)
  u64(0)
  result(action, output)
  u64(action.realQuote)
  u64(RAISES)
  u64(scene.time)
  return end()
}

function completeEvent(scene: Scene, action: TradeAction): Buffer {
  beginEvent(MARK.complete)
  account(keysOf(scene, action.token).curve)
  account(scene.common.config)
  u64(action.baseAfter)
  u64(action.realQuote)
  return end()
}

export const emitDbcTrade = (scene: Scene, action: TradeAction): void => emitTrade(scene, action, CURVE)

export function emitDbcMigration(scene: Scene, { token, wallet }: MigrateAction): void {
  const { common } = scene
  const keys = keysOf(scene, token)
  const accounts = [keys.curve, common.global, common.config, METEORA_DBC_AUTHORITY, keys.pool, common.global]
  accounts.push(common.global, common.global, METEORA_DAMM_AUTHORITY, common.global, common.global, keys.poolVault)
  accounts.push(keys.poolQuoteVault, keys.mint, WRAPPED_SOL, keys.curveVault, keys.curveQuoteVault)
  accounts.push(keyOf(scene, wallet), TOKEN.key, TOKEN_2022.key, SYSTEM.key)
  beginCall(MARK.migrate)
  begin(scene, METEORA_DBC, 1, accounts, end(), 'MigrationDammV2')
  scene.builder.log(METEORA_DBC.success)
}
