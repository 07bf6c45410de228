import type { Key } from '@ti/core/base/ids.ts'
import { ZERO_KEY } from '@ti/core/base/ids.ts'
import { QUOTE } from '@ti/core/model/events.ts'
import {
  LP_FEE_BPS,
  CREATOR_FEE_BPS as SWAP_CREATOR_FEE_BPS,
  PROTOCOL_FEE_BPS as SWAP_PROTOCOL_FEE_BPS,
} from './amm.ts'
import {
  CREATOR_FEE_BPS,
  PROTOCOL_FEE_BPS,
  START_REAL_TOKEN,
  START_VIRTUAL_SOL,
  START_VIRTUAL_TOKEN,
  START_VIRTUAL_USDC,
  TOTAL_SUPPLY,
} from './curve.ts'
import type { MigrateAction, TradeAction } from './plan.ts'
import { TOKEN_2022, USDC, WRAPPED_SOL } from './programs.ts'
import { account, begin, beginCall, end, text, u8, u16, u32, u64, zeros } from './scratch.ts'
import type { SimToken, TokenKeys } from './tokens.ts'

/**
 * Event payloads in the layouts of 2026 (field order from the IDLs of @pump-fun/pump-sdk 2.0.0 and pump-swap-sdk
 * 1.20.0, truncated like the chain of July 2026).
 */
const DISCRIMINATOR = {
  trade: Buffer.from('bddb7fd34ee661ee', 'hex'),
  create: Buffer.from('1b72a94ddeeb6376', 'hex'),
  complete: Buffer.from('5f72619cd42e9808', 'hex'),
  migration: Buffer.from('bde95db95c94ea94', 'hex'),
  buy: Buffer.from('67f4521f2cf57777', 'hex'),
  sell: Buffer.from('3e2f370aa503dc2a', 'hex'),
  createPool: Buffer.from('b1310cd2a076a774', 'hex'),
  mayhem: Buffer.from('31487b2d6e40b085', 'hex'),
}
const BUYBACK_BPS = 5_000
/** The same payload as a log line. */
export const dataLine = (data: Buffer): string => `Program data: ${data.toString('base64', 8)}`

const quoteMint = (token: SimToken): Key => (token.quote === QUOTE.SOL ? ZERO_KEY : USDC)

export function createPayload(token: SimToken, keys: TokenKeys, deployer: Key, time: number): Buffer {
  const sol = token.quote === QUOTE.SOL
  begin(DISCRIMINATOR.create)
  text(token.name)
  text(token.symbol)
  text(token.uri)
  account(keys.mint)
  account(keys.curve)
  account(deployer)
  account(deployer)
  u64(time)
  u64(START_VIRTUAL_TOKEN)
  u64(sol ? START_VIRTUAL_SOL : 0)
  u64(START_REAL_TOKEN)
  u64(TOTAL_SUPPLY)
  account(TOKEN_2022.key)
  u8(token.mayhem)
  u8(false)
  account(quoteMint(token))
  u64(sol ? START_VIRTUAL_SOL : START_VIRTUAL_USDC)
  return end()
}

interface TradeNames {
  readonly user: Key
  readonly deployer: Key
  readonly feeRecipient: Key
  readonly instruction: string
  readonly time: number
}

export function tradePayload(action: TradeAction, keys: TokenKeys, names: TradeNames): Buffer {
  const { token } = action
  const sol = token.quote === QUOTE.SOL
  begin(DISCRIMINATOR.trade)
  account(keys.mint)
  u64(sol ? action.quote : 0)
  u64(action.tokens)
  u8(action.isBuy)
  account(names.user)
  u64(names.time)
  u64(sol ? action.quoteAfter : 0)
  u64(action.baseAfter)
  u64(sol ? action.realQuote : 0)
  u64(action.realToken)
  account(names.feeRecipient)
  u64(PROTOCOL_FEE_BPS)
  u64(action.protocolFee)
  account(names.deployer)
  u64(CREATOR_FEE_BPS)
  u64(action.creatorFee)
  u8(true)
  zeros(24)
  u64(names.time)
  text(names.instruction)
  u8(token.mayhem)
  u64(0)
  u64(0)
  u64(BUYBACK_BPS)
  u64(Math.floor(action.protocolFee / 2))
  u32(token.shared ? 1 : 0)
  if (token.shared) {
    account(names.deployer)
    u16(10_000)
  }
  account(quoteMint(token))
  u64(action.quote)
  u64(action.quoteAfter)
  u64(action.realQuote)
  return end()
}

export function completePayload(token: SimToken, keys: TokenKeys, user: Key, time: number): Buffer {
  begin(DISCRIMINATOR.complete)
  account(user)
  account(keys.mint)
  account(keys.curve)
  u64(time)
  account(quoteMint(token))
  return end()
}

export function migrationPayload(action: MigrateAction, keys: TokenKeys, user: Key, time: number): Buffer {
  begin(DISCRIMINATOR.migration)
  account(user)
  account(keys.mint)
  u64(action.tokens)
  u64(action.quote)
  u64(action.migrationFee)
  account(keys.curve)
  u64(time)
  account(keys.pool)
  account(quoteMint(action.token))
  return end()
}

/** LP units of a pool that opens with these amounts; the first 100 have no owner. */
export const liquidityOf = ({ tokens, quote }: Pick<MigrateAction, 'tokens' | 'quote'>): number =>
  Math.floor(Math.sqrt(tokens) * Math.sqrt(quote))
export const LIQUIDITY_MIN = 100

export function createPoolPayload(
  action: MigrateAction,
  keys: TokenKeys,
  creator: Key,
  deployer: Key,
  time: number,
): Buffer {
  const sol = action.token.quote === QUOTE.SOL
  const liquidity = liquidityOf(action)
  begin(DISCRIMINATOR.createPool)
  u64(time)
  u16(0)
  account(creator)
  account(keys.mint)
  account(sol ? WRAPPED_SOL : USDC)
  u8(6)
  u8(sol ? 9 : 6)
  u64(action.tokens)
  u64(action.quote)
  u64(action.tokens)
  u64(action.quote)
  u64(LIQUIDITY_MIN)
  u64(liquidity)
  u64(liquidity - LIQUIDITY_MIN)
  u8(255)
  account(keys.pool)
  account(keys.lpMint)
  account(keys.curveVault)
  account(keys.curveQuoteVault)
  account(deployer)
  u8(action.token.mayhem)
  return end()
}

interface SwapNames {
  readonly user: Key
  readonly userBase: Key
  readonly userQuote: Key
  readonly feeRecipient: Key
  readonly feeAccount: Key
  readonly deployer: Key
  readonly time: number
}

export function swapPayload(action: TradeAction, keys: TokenKeys, names: SwapNames): Buffer {
  const { isBuy } = action
  begin(isBuy ? DISCRIMINATOR.buy : DISCRIMINATOR.sell)
  u64(names.time)
  u64(action.tokens)
  u64(isBuy ? Math.ceil(action.userQuote * 1.05) : Math.floor(action.userQuote * 0.95))
  u64(action.tokensBefore)
  u64(isBuy ? action.userQuote : 0)
  u64(action.baseBefore)
  u64(action.quoteBefore)
  u64(action.quote)
  u64(LP_FEE_BPS)
  u64(action.lpFee)
  u64(SWAP_PROTOCOL_FEE_BPS)
  u64(action.protocolFee)
  u64(isBuy ? action.quote + action.lpFee : action.quote - action.lpFee)
  u64(action.userQuote)
  account(keys.pool)
  account(names.user)
  account(names.userBase)
  account(names.userQuote)
  account(names.feeRecipient)
  account(names.feeAccount)
  account(names.deployer)
  u64(SWAP_CREATOR_FEE_BPS)
  u64(action.creatorFee)
  if (isBuy) {
    u8(true)
    zeros(24)
    u64(names.time)
    u64(action.tokens)
    text('buy')
  }
  zeros(16)
  u64(BUYBACK_BPS)
  u64(Math.floor(action.protocolFee / 2))
  u64(action.token.pool!.virtualQuote)
  zeros(8)
  u8(false)
  u64(TOTAL_SUPPLY)
  return end()
}

/** The mayhem program's own event, which is deliberately unknown to decoders. */
export function mayhemPayload(keys: TokenKeys, time: number): Buffer {
  begin(DISCRIMINATOR.mayhem)
  account(keys.mint)
  u64(time)
  zeros(56)
  return end()
}

const CALL = {
  create: Buffer.from('d6904cec5f8b31b4', 'hex'),
  buy: Buffer.from('66063d1201daebea', 'hex'),
  sell: Buffer.from('33e685a4017f83ad', 'hex'),
  buyExact: Buffer.from('38fc74089edfcd5f', 'hex'),
  buyV2: Buffer.from('b817ee6167c5d33d', 'hex'),
  sellV2: Buffer.from('5df6823ce7e940b2', 'hex'),
  migrate: Buffer.from('9beae792ec9ea21e', 'hex'),
  createPool: Buffer.from('e992d18ecf6840bc', 'hex'),
} as const

/** Instruction data: discriminator and up to two amounts. */
export function callData(name: keyof typeof CALL, ...amounts: readonly number[]): Buffer {
  beginCall(CALL[name])
  for (const amount of amounts) u64(amount)
  return end()
}

/** create_v2: three texts, creator, two flags. */
export function createCallData(token: SimToken, deployer: Key): Buffer {
  beginCall(CALL.create)
  text(token.name)
  text(token.symbol)
  text(token.uri)
  account(deployer)
  u8(token.mayhem)
  u8(false)
  return end()
}
