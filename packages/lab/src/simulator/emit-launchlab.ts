import { LAUNCHLAB_START, START_REAL_TOKEN, TOTAL_SUPPLY } from './curve.ts'
import { type CurveProgram, emitTrade, makeCurve } from './emit-curves.ts'
import { markOf, tokenAccount } from './keys.ts'
import type { CreateAction, MigrateAction, TradeAction } from './plan.ts'
import { ASSOCIATED, LAUNCHLAB, SYSTEM, TOKEN, TOKEN_2022, WRAPPED_SOL } from './programs.ts'
import { begin, keyOf, keysOf, quiet, type Scene } from './scene.ts'
import { account, beginCall, begin as beginEvent, end, text, u8, u64 } from './scratch.ts'
import type { SimToken } from './tokens.ts'

/** Raydium's LaunchLab in the layouts that the decoder cites: TradeEvent of 147 bytes, constant-product curves. */
const MARK = {
  initialize: markOf('global:initialize'),
  buy: markOf('global:buy_exact_in'),
  sell: markOf('global:sell_exact_in'),
  migrate: markOf('global:migrate_to_cpswap'),
  poolCreate: markOf('event:PoolCreateEvent'),
  trade: markOf('event:TradeEvent'),
}
/** Lamports raised before a launch migrates. */
const RAISES = 85_000_000_000

export function emitLabCreate(scene: Scene, action: CreateAction): void {
  const { common } = scene
  const { token } = action
  const keys = keysOf(scene, token)
  const deployer = keyOf(scene, token.deployer)
  const accounts = [deployer, deployer, common.global, common.config, common.labAuthority, keys.curve, keys.mint]
  accounts.push(
    WRAPPED_SOL,
    keys.curveVault,
    keys.curveQuoteVault,
    keys.metadata,
    TOKEN_2022.key,
    TOKEN.key,
    SYSTEM.key,
  )
  begin(scene, LAUNCHLAB, 1, accounts, initializeData(token), 'Initialize')
  makeCurve(scene, action, LAUNCHLAB, common.labAuthority)
  beginEvent(MARK.poolCreate)
  account(keys.curve)
  account(deployer)
  account(common.config)
  u8(6)
  texts(token)
  u8(0)
  u64(TOTAL_SUPPLY)
  u64(START_REAL_TOKEN)
  u64(RAISES)
  u8(1)
  for (let vesting = 3; vesting > 0; vesting--) u64(0)
  u8(0)
  quiet(scene, LAUNCHLAB, 2, [common.pumpAuthority], end())
  scene.builder.log(LAUNCHLAB.success)
}

function initializeData(token: SimToken): Buffer {
  beginCall(MARK.initialize)
  u8(6)
  texts(token)
  return end()
}

function texts({ name, symbol, uri }: SimToken): void {
  text(name)
  text(symbol)
  text(uri)
}

const CURVE: CurveProgram = {
  program: LAUNCHLAB,
  authority: ({ common }) => common.labAuthority,
  call(scene, action) {
    const { common } = scene
    const { isBuy, tokens } = action
    const keys = keysOf(scene, action.token)
    const user = keyOf(scene, action.wallet)
    const accounts = [user, common.labAuthority, common.global, common.config, keys.curve]
    accounts.push(tokenAccount(user, keys.mint), tokenAccount(user, WRAPPED_SOL), keys.curveVault, keys.curveQuoteVault)
    accounts.push(keys.mint, WRAPPED_SOL, TOKEN_2022.key, TOKEN.key, common.pumpAuthority, LAUNCHLAB.key)
    beginCall(isBuy ? MARK.buy : MARK.sell)
    u64(isBuy ? action.userQuote : tokens)
    u64(0)
    u64(0)
    return { accounts, data: end(), name: isBuy ? 'BuyExactIn' : 'SellExactIn' }
  },
  events: (scene, action) => [tradeEvent(scene, action)],
}

/** `real_base` counts tokens sold so far, `real_quote` the quote raised. */
function tradeEvent(scene: Scene, action: TradeAction): Buffer {
  const { isBuy, quote, tokens, userQuote } = action
  const sold = START_REAL_TOKEN - action.realToken
  const sign = isBuy ? 1 : -1
  beginEvent(MARK.trade)
  account(keysOf(scene, action.token).curve)
  u64(START_REAL_TOKEN)
  u64(LAUNCHLAB_START.virtualToken)
  u64(LAUNCHLAB_START.virtualQuote)
  u64(sold - sign * tokens)
  u64(action.realQuote - sign * quote)
  u64(sold)
  u64(action.realQuote)
  u64(isBuy ? userQuote : tokens)
  u64(isBuy ? tokens : userQuote)
  u64(action.protocolFee)
  u64(action.creatorFee)
  u64(0)
  u64(0)
  u8(isBuy ? 0 : 1)
  u8(action.completes ? 1 : 0)
  u8(true)
  return end()
}

export const emitLabTrade = (scene: Scene, action: TradeAction): void => emitTrade(scene, action, CURVE)

/** Migrates to another program's pool. There is no event, so the instruction is the only evidence. */
export function emitLabMigration(scene: Scene, { token, wallet }: MigrateAction): void {
  const { common } = scene
  const keys = keysOf(scene, token)
  const accounts = [keyOf(scene, wallet), keys.mint, WRAPPED_SOL, common.config, common.config, keys.pool]
  accounts.push(keys.poolVault, keys.poolQuoteVault, keys.lpMint, common.config, common.config, common.config)
  accounts.push(common.config, common.config, common.config, common.config, common.labAuthority, keys.curve)
  accounts.push(common.global, keys.curveVault, keys.curveQuoteVault, TOKEN.key, ASSOCIATED.key, SYSTEM.key)
  beginCall(MARK.migrate)
  begin(scene, LAUNCHLAB, 1, accounts, end(), 'MigrateToCpswap')
  scene.builder.log(LAUNCHLAB.success)
}
