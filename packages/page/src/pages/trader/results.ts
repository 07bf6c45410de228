import type { WalletPosition } from '@ti/core/contract/positions.ts'

interface Result {
  /** SOL */
  readonly made: number
  readonly open: number
  /** number of tokens with a gain and with a loss */
  readonly won: number
  readonly lost: number
}

/** Sums over positions; unknown results are omitted. */
export function resultOf(positions: readonly Pick<WalletPosition, 'realised_sol' | 'unrealised_sol'>[]): Result {
  const known = positions.flatMap(({ realised_sol }) => (realised_sol === null ? [] : [realised_sol]))
  return {
    made: known.reduce((sum, value) => sum + value, 0),
    open: positions.reduce((sum, { unrealised_sol }) => sum + (unrealised_sol ?? 0), 0),
    won: known.filter((value) => value > 0).length,
    lost: known.filter((value) => value < 0).length,
  }
}
