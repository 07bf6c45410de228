import type { Sig } from '../base/ids.ts'
import type { TradeRow } from '../model/rows.ts'

/**
 * Numbers the frames of trade rows, which must come in chain order. The trades of one transaction in one token form one
 * frame, placed at its first trade. A row without a signature is a frame of its own.
 */
export interface FrameNumbers {
  /** The index of the row's frame, from 0. */
  of(row: Pick<TradeRow, 'sig' | 'token'>): number
  /** The number of frames so far. */
  readonly count: number
}

/** Numbers the frames of one block; a transaction never spans blocks. */
export function numberFrames(): FrameNumbers {
  let sig = '' as Sig
  /** tokens of the current transaction in frame order: the first `known`, of which the first has the number `first` */
  const tokens: number[] = []
  let known = 0
  let first = 0
  return {
    of(row) {
      if (row.sig === '' || row.sig !== sig) {
        first += known
        known = 0
        sig = row.sig
      }
      for (let i = 0; i < known; i++) if (tokens[i] === row.token) return first + i
      tokens[known] = row.token
      return first + known++
    },
    get count() {
      return first + known
    },
  }
}
