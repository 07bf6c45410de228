import { key } from '@ti/core/base/base58.ts'
import type { Key } from '@ti/core/base/ids.ts'
import { METEORA_DBC, METEORA_DBC_AUTHORITY, WRAPPED_SOL } from '@ti/core/model/programs.ts'
import type { Call } from './answers.ts'
import { join, u8, u64, WHO } from './encode.ts'
import * as meteora from './meteora.ts'

/** A market on Meteora’s curve for tokens that something else moves: the calls to add to a transaction. */
export interface DbcMarket {
  launch(user: Key): Call
  /** Prices are those of a curve without fees. */
  trade(user: Key, isBuy: boolean, tokens: bigint): Call
}

export function createDbcMarket(mint: Key, supply: bigint): DbcMarket {
  const piece = meteora.pieceOf(30e9, 1.073 * Number(supply))

  /** What the curve asks for `tokens`, rounded up; it moves the price. */
  function quoteFor(tokens: bigint): bigint {
    const before = piece.root
    piece.root = (piece.liquidity * before) / (piece.liquidity - tokens * before) + 1n
    return ((piece.liquidity * (piece.root - before)) >> 128n) + 1n
  }

  return {
    launch(user) {
      const made = {
        call: 'createSpl',
        creator: user,
        payer: user,
        config: meteora.CONFIG,
        quoteMint: WRAPPED_SOL,
      } as const
      const accounts = meteora.createAccounts(made).map((one) => (one === WHO.mint ? mint : one))
      const vault = [mint, meteora.BASE_VAULT, METEORA_DBC_AUTHORITY]
      return {
        call: [METEORA_DBC, accounts, meteora.createData(made.call, 'Life', 'LIFE', '')],
        inner: [
          [key(meteora.TOKEN_PROGRAM_TEXT), vault, join(u8(7), u64(supply))],
          meteora.dbc(meteora.evtInitializePool(WHO.pool, user, mint)),
        ],
      }
    },
    trade(user, isBuy, tokens) {
      const quote = isBuy ? quoteFor(tokens) : meteora.sellTo(piece, tokens)
      const [included, output] = isBuy ? [quote, tokens] : [tokens, quote]
      const fees = [0n, 0n, 0n] as const
      const swap = { pool: WHO.pool, isBuy, included, excluded: included, output, root: piece.root, fees }
      return meteora.swapCall(meteora.swapAccounts(mint, WRAPPED_SOL, user), swap)
    },
  }
}
