import type { Sig } from '../base/ids.ts'
import type { TradeRow } from '../model/rows.ts'

/**
 * Numbers the frames of trade rows given in chain order. The trades of one transaction in one token are one frame, at the
 * place of its first trade. Rows without a signature are frames of their own.
 */
export interface FrameNumbers {
  /** the row's frame, counted from 0 */
  of(row: Pick<TradeRow, 'sig' | 'token'>): number
  /** frames so far */
  readonly count: number
}

/** Starts at a block: a transaction never reaches into the next one. */
export function numberFrames(): FrameNumbers {
  let sig = '' as Sig
  /** tokens of the current transaction, in the order of its frames; the first of them has the number `first` */
  const tokens: number[] = []
  let first = 0
  return {
    of(row) {
      if (row.sig === '' || row.sig !== sig) {
        first += tokens.length
        tokens.length = 0
        sig = row.sig
      }
      const known = tokens.indexOf(row.token)
      return first + (known >= 0 ? known : tokens.push(row.token) - 1)
    },
    get count() {
      return first + tokens.length
    },
  }
}
