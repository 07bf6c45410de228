import { type Key, type Sig, sigAt } from '../../base/ids.ts'
import { QUOTE, VENUE } from '../../decode/events.ts'
import type { RawTransaction } from '../types.ts'
import { type Builder, createBuilder } from './builder.ts'
import { TOTAL_SUPPLY } from './curve.ts'
import { RENT } from './exchange.ts'
import { deriveKey, tokenAccount } from './keys.ts'
import {
  callData,
  completePayload,
  createCallData,
  createPayload,
  createPoolPayload,
  dataLine,
  mayhemPayload,
  migrationPayload,
  quoteMint,
  swapPayload,
  tradePayload,
} from './payload.ts'
import type { Action, CreateAction, MigrateAction, PlannedTransaction, SlotPlan, TradeAction, TransferAction } from './plan.ts'
import { ASSOCIATED, BUDGET, FEES, MAYHEM, type Program, PUMP, PUMPSWAP, ROUTER, SYSTEM, TIP, TOKEN, TOKEN_2022, USDC, WRAPPED_SOL } from './programs.ts'
import { createRandom, type Random } from './random.ts'
import { type SimToken, tokenKeys } from './tokens.ts'
import { type Wallet, walletKey } from './traders.ts'

/** Lamports of accounts that belong to everybody: their balances are not followed from transaction to transaction. */
const COMMON_LAMPORTS = 10_000_000_000
const COMMON_TOKENS = 50_000_000_000
const SET_LIMIT = Buffer.from('02400d0300', 'hex')
const SET_PRICE = Buffer.from('0340420f0000000000', 'hex')
const CREATE_ACCOUNT = Buffer.from([1])
const CLOSE_ACCOUNT = Buffer.from([9])
const MINT_TO = Buffer.from('0700' + '00c16ff286230003', 'hex')
const GET_FEES = Buffer.from('e7257e55cf5b3f34', 'hex')

/** Writes a planned slot as transactions, instruction by instruction, as the chain would show them. */
export interface Emitter {
  emit(plan: SlotPlan, time: number): RawTransaction[]
}

export function createEmitter(seed: number): Emitter {
  const named = (name: string): Key => deriveKey(seed, 'program', name)
  const common = {
    global: named('global'),
    feeRecipient: named('fee recipient'),
    swapFeeRecipient: named('swap fee recipient'),
    config: named('config'),
    feeConfig: named('fee config'),
    pumpAuthority: named('pump event authority'),
    swapAuthority: named('swap event authority'),
    volume: named('volume'),
    mintAuthority: named('mint authority'),
    mayhemState: named('mayhem state'),
  }
  const signatureBytes = Buffer.alloc(64)

  const signature = (random: Random): Sig => {
    for (let i = 0; i < 64; i += 4) signatureBytes.writeUInt32LE(random.uint32(), i)
    return sigAt(signatureBytes, 0)
  }

  function emit(plan: SlotPlan, time: number): RawTransaction[] {
    const random = createRandom(seed, plan.slot, 0x51697)
    const seconds = Math.floor(time)
    return plan.transactions.map((transaction, index) => write(transaction, signature(random), index, seconds))
  }

  function write(planned: PlannedTransaction, sig: Sig, index: number, time: number): RawTransaction {
    const builder = createBuilder()
    const payer = walletKey(seed, planned.payer)
    for (const row of planned.wallets) builder.account(walletKey(seed, row.wallet), row.before)
    builder.burn(payer, planned.fee)
    outer(builder, BUDGET, [], SET_LIMIT)
    outer(builder, BUDGET, [], SET_PRICE)
    for (const action of planned.actions) act(builder, action, time)
    if (planned.tip > 0) {
      builder.account(TIP, COMMON_LAMPORTS)
      outer(builder, SYSTEM, [payer, TIP], transferData(planned.tip))
      builder.pay(payer, TIP, planned.tip)
    }
    if (!planned.failed) return builder.finish(sig, index, null)
    builder.log(`Program ${PUMP.text} failed: custom program error: 0x1772`)
    return builder.finish(sig, index, { payer, fee: planned.fee })
  }

  function act(builder: Builder, action: Action, time: number): void {
    if (action.kind === 'create') create(builder, action, time)
    else if (action.kind === 'transfer') transfer(builder, action)
    else if (action.kind === 'migrate') migrate(builder, action, time)
    else if (action.venue === VENUE.pump) curveTrade(builder, action, time)
    else swap(builder, action, time)
  }

  // --- pump

  function create(builder: Builder, { token }: CreateAction, time: number): void {
    const keys = tokenKeys(seed, token)
    const deployer = walletKey(seed, token.deployer)
    for (const made of [keys.mint, keys.curve, keys.curveVault]) builder.account(made, 0)
    builder.holds(keys.curveVault, keys.mint, keys.curve, 6, null)
    const accounts = [keys.mint, common.mintAuthority, keys.curve, keys.curveVault, common.global, deployer, SYSTEM.key]
    accounts.push(TOKEN_2022.key, ASSOCIATED.key, MAYHEM.key, common.mayhemState, common.pumpAuthority, PUMP.key)
    begin(builder, PUMP, 1, accounts, createCallData(token, deployer), 'CreateV2')
    for (const [made, rent] of [
      [keys.mint, RENT.mint],
      [keys.curve, RENT.curve],
      [keys.curveVault, RENT.tokenAccount],
    ] as const) {
      inner(builder, SYSTEM, 2, [deployer, made], transferData(rent))
      builder.pay(deployer, made, rent)
    }
    inner(builder, TOKEN_2022, 2, [keys.mint, keys.curveVault, common.mintAuthority], MINT_TO)
    builder.mint(keys.curveVault, TOTAL_SUPPLY)
    event(builder, PUMP, 2, common.pumpAuthority, createPayload(token, keys, deployer, time))
    builder.log(PUMP.success)
  }

  function curveTrade(builder: Builder, action: TradeAction, time: number): void {
    const { token, wallet, isBuy } = action
    const keys = tokenKeys(seed, token)
    const user = walletKey(seed, wallet)
    const userVault = openVault(builder, action, keys.mint, user)
    builder.holds(keys.curveVault, keys.mint, keys.curve, 6, action.realToken + RESERVED + (isBuy ? 1 : -1) * action.tokens)
    const sol = token.quote === QUOTE.SOL
    const exact = sol && isBuy && wallet.patience > 1
    const depth = callDepth(builder, wallet, user, keys.mint)
    const accounts = sol
      ? [common.global, common.feeRecipient, keys.mint, keys.curve, keys.curveVault, userVault, user, SYSTEM.key]
      : [common.global, keys.mint, USDC, TOKEN_2022.key, TOKEN.key, ASSOCIATED.key, common.feeRecipient, common.config, common.feeConfig]
    if (sol) accounts.push(TOKEN_2022.key, keys.creatorVault, common.pumpAuthority, PUMP.key, common.volume)
    else accounts.push(common.volume, keys.curve, keys.curveVault, keys.curveQuoteVault, user, userVault, PUMP.key)
    begin(builder, PUMP, depth, accounts, tradeCall(action, sol, exact), tradeName(sol, isBuy, exact))
    inner(builder, FEES, depth + 1, [common.feeConfig, PUMP.key], GET_FEES)
    const [from, to] = isBuy ? [keys.curveVault, userVault] : [userVault, keys.curveVault]
    inner(builder, TOKEN_2022, depth + 1, [from, keys.mint, to, isBuy ? keys.curve : user], checkedData(action.tokens))
    builder.moveTokens(from, to, action.tokens)
    settleCurve(builder, action, user, depth + 1)
    const instruction = exact ? 'buy_exact_sol_in' : isBuy ? 'buy' : 'sell'
    const names = { user, deployer: walletKey(seed, token.deployer), feeRecipient: common.feeRecipient, instruction, time }
    event(builder, PUMP, depth + 1, common.pumpAuthority, tradePayload(action, keys, names))
    if (action.completes)
      event(builder, PUMP, depth + 1, common.pumpAuthority, completePayload(token, keys, user, time))
    builder.log(PUMP.success)
    finishDepth(builder, wallet, depth, keys.mint, time)
    if (action.closes) closeVault(builder, userVault, user)
  }

  /** Quote and fees between trader, curve, protocol and creator. */
  function settleCurve(builder: Builder, action: TradeAction, user: Key, depth: number): void {
    const { token, isBuy, protocolFee, creatorFee } = action
    const keys = tokenKeys(seed, token)
    const fromUser = isBuy ? action.quote + protocolFee + creatorFee : 0
    const realBefore = action.realQuote + (isBuy ? -1 : 1) * action.quote
    if (token.quote === QUOTE.SOL) {
      const held = builder.account(keys.curve, realBefore + RENT.curve)
      builder.account(common.feeRecipient, COMMON_LAMPORTS)
      builder.account(keys.creatorVault, COMMON_LAMPORTS)
      const source = isBuy ? user : keys.curve
      const parts: readonly (readonly [Key, number])[] = isBuy
        ? [[keys.curve, action.quote], [common.feeRecipient, protocolFee], [keys.creatorVault, creatorFee]]
        : [[user, action.userQuote], [common.feeRecipient, protocolFee], [keys.creatorVault, creatorFee]]
      for (const [target, lamports] of parts) {
        // the program moves its own lamports without a call
        if (isBuy) inner(builder, SYSTEM, depth, [source, target], transferData(lamports))
        builder.pay(source, target, lamports)
      }
      void held
      return
    }
    const userQuote = tokenAccount(user, USDC)
    const feeVault = tokenAccount(common.feeRecipient, USDC)
    const creatorVault = tokenAccount(keys.creatorVault, USDC)
    builder.holds(userQuote, USDC, user, 6, COMMON_TOKENS + fromUser)
    builder.holds(keys.curveQuoteVault, USDC, keys.curve, 6, realBefore)
    builder.holds(feeVault, USDC, common.feeRecipient, 6, COMMON_TOKENS)
    builder.holds(creatorVault, USDC, keys.creatorVault, 6, COMMON_TOKENS)
    const source = isBuy ? userQuote : keys.curveQuoteVault
    const target = isBuy ? keys.curveQuoteVault : userQuote
    const main = isBuy ? action.quote : action.userQuote
    for (const [to, amount] of [[target, main], [feeVault, protocolFee], [creatorVault, creatorFee]] as const) {
      inner(builder, TOKEN, depth, [source, USDC, to, isBuy ? user : keys.curve], checkedData(amount))
      builder.moveTokens(source, to, amount)
    }
  }

  // --- PumpSwap

  function swap(builder: Builder, action: TradeAction, time: number): void {
    const { token, wallet, isBuy, lpFee, protocolFee, creatorFee } = action
    const keys = tokenKeys(seed, token)
    const user = walletKey(seed, wallet)
    const sol = token.quote === QUOTE.SOL
    const quote = sol ? WRAPPED_SOL : USDC
    const userVault = openVault(builder, action, keys.mint, user)
    const userQuote = tokenAccount(user, quote)
    const feeVault = tokenAccount(common.swapFeeRecipient, quote)
    const creatorVault = tokenAccount(keys.creatorVault, quote)
    const vaults = [keys.poolQuoteVault, feeVault, creatorVault]
    const owners = [keys.pool, common.swapFeeRecipient, keys.creatorVault]
    for (const [i, vault] of vaults.entries()) {
      const before = i === 0 ? action.quoteBefore : COMMON_TOKENS
      builder.account(vault, RENT.tokenAccount + (sol ? before : 0))
      builder.holds(vault, quote, owners[i]!, sol ? 9 : 6, before)
    }
    builder.holds(keys.poolVault, keys.mint, keys.pool, 6, action.baseBefore)
    if (!sol) builder.holds(userQuote, USDC, user, 6, COMMON_TOKENS + (isBuy ? action.userQuote : 0))
    const depth = callDepth(builder, wallet, user, keys.mint)
    const accounts = [keys.pool, user, common.config, keys.mint, quote, userVault, userQuote, keys.poolVault]
    accounts.push(keys.poolQuoteVault, common.swapFeeRecipient, feeVault, TOKEN_2022.key, TOKEN.key, SYSTEM.key)
    accounts.push(ASSOCIATED.key, common.swapAuthority, PUMPSWAP.key, creatorVault, keys.creatorVault)
    const data = isBuy ? callData('buy', action.tokens, Math.ceil(action.userQuote * 1.05)) : callData('sell', action.tokens, 0)
    begin(builder, PUMPSWAP, depth, accounts, data, isBuy ? 'Buy' : 'Sell')
    const [from, to] = isBuy ? [keys.poolVault, userVault] : [userVault, keys.poolVault]
    inner(builder, TOKEN_2022, depth + 1, [from, keys.mint, to, isBuy ? keys.pool : user], checkedData(action.tokens))
    builder.moveTokens(from, to, action.tokens)
    const poolChange = isBuy ? action.quote + lpFee : -(action.quote - lpFee)
    for (const [i, amount] of [poolChange, protocolFee, creatorFee].entries()) {
      const vault = vaults[i]!
      inner(builder, TOKEN, depth + 1, [userQuote, quote, vault, user], checkedData(Math.abs(amount)))
      builder.mint(vault, amount)
      if (sol) builder.pay(user, vault, amount)
      else builder.mint(userQuote, -amount)
    }
    const names = {
      user,
      userBase: userVault,
      userQuote,
      feeRecipient: common.swapFeeRecipient,
      feeAccount: feeVault,
      deployer: walletKey(seed, token.deployer),
      time,
    }
    event(builder, PUMPSWAP, depth + 1, common.swapAuthority, swapPayload(action, keys, names))
    builder.log(PUMPSWAP.success)
    finishDepth(builder, wallet, depth, keys.mint, time)
    if (action.closes) closeVault(builder, userVault, user)
  }

  function migrate(builder: Builder, action: MigrateAction, time: number): void {
    const { token, tokens, quote, migrationFee } = action
    const keys = tokenKeys(seed, token)
    const payer = walletKey(seed, MIGRATOR(token, builder))
    void payer
  }

  return { emit }
}
