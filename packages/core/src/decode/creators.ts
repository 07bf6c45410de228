import { type Key, keyAt } from '../base/ids.ts'
import { FEE_CHANGE, type FeeChange } from '../model/events.ts'
import { type Emission, skip } from './emission.ts'
import { type Tag, tag, tagged } from './reader.ts'

/** Events by which pump and PumpSwap change the creator of a token: the same keys at other offsets. */
interface Change extends Tag {
  readonly name: string
  readonly how: FeeChange
  /** Offsets after the discriminator's start. */
  readonly mint: number
  readonly creator: number
  /** 0 for events of a curve. */
  readonly pool: number
  /** A byte that says whether the fees go to the holders; 0 if there is none. */
  readonly toHolders: number
}

function changeOf(
  hex: string,
  name: string,
  how: FeeChange,
  mint: number,
  creator: number,
  pool = 0,
  toHolders = 0,
): Change {
  return { ...tag(hex), name, how, mint, creator, pool, toHolders }
}

const { set_creator, metadata, sharing, takeover, holder_rewards } = FEE_CHANGE

export const PUMP_CHANGES: readonly Change[] = [
  changeOf('ed347b25f5fb48d2', 'pump.SetCreatorEvent', set_creator, 16, 80),
  changeOf('8ecb06207f69bfa2', 'pump.SetMetaplexCreatorEvent', metadata, 16, 112),
  changeOf('9ba768dcd56cf303', 'pump.MigrateBondingCurveCreatorEvent', sharing, 16, 144),
  changeOf('6e7ce262aaff1178', 'pump.AdminCtoEvent', takeover, 48, 144, 0, 176),
  // no longer in the interface
]

export const POOL_CHANGES: readonly Change[] = [
  changeOf('f2e7eb664163bdd3', 'pump_amm.SetBondingCurveCoinCreatorEvent', set_creator, 16, 112, 48),
  changeOf('966bc77b7ccf66e4', 'pump_amm.SetMetaplexCoinCreatorEvent', metadata, 16, 112, 48),
  changeOf('aadd52c793a5f72e', 'pump_amm.MigratePoolCoinCreatorEvent', sharing, 16, 144, 48),
  changeOf('2f23a3f9969d937a', 'pump_amm.AdminCtoPoolEvent', takeover, 16, 112, 48, 144),
  changeOf('2ddc5d181961ac68', 'pump_amm.AdminSetCoinCreatorEvent', takeover, 48, 144, 80),
]

/** Reads the payload at `o` if it is one of `changes`. */
export function readCreatorChange(changes: readonly Change[], b: Buffer, o: number, at: Emission): boolean {
  const change = changes.find((one) => tagged(b, o, one))
  if (change === undefined) return false
  const { name, how, mint, creator, pool, toHolders } = change
  if (b.length - o < Math.max(creator + 32, toHolders + 1)) skip(at, `too_short:${name}`)
  else {
    const isForHolders = toHolders > 0 && b[o + toHolders] !== 0
    const place = pool === 0 ? null : keyAt(b, o + pool)
    pushCreator(at, keyAt(b, o + mint), isForHolders ? holder_rewards : how, keyAt(b, o + creator), place)
  }
  return true
}

export function pushCreator(at: Emission, mint: Key, how: FeeChange, creator: Key, pool: Key | null): void {
  const { sig, txIndex, outer, inner } = at
  at.out.push({ kind: 'creator', sig, txIndex, outer, inner, mint, how, creator, pool })
}
