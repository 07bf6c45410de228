import { type Key, keyAt } from '../base/ids.ts'
import { FEE_CHANGE, FEE_OWNERS_MAX, type FeeChange } from '../model/events.ts'
import { type Emission, skip } from './emission.ts'
import { tag, tagged, u32 } from './reader.ts'

/** Pump's fee program: who shares the creator's fees. It also tells every trade its fees, without an event. */
const CREATE = tag('8569aac8b874fb58')
const UPDATE = tag('15bac4b85be4e1cb')
const RESET = tag('cbcc97e27837d6f3')
const OWNER_BYTES = 34

/** Decodes the event payload whose discriminator is at `o`. All begin with time and mint. */
export function decodePumpFees(b: Buffer, o: number, at: Emission): void {
  if (b.length - o < 8) return skip(at, 'too_short:pump_fees')
  if (tagged(b, o, CREATE)) return decodeCreate(b, o, at)
  if (tagged(b, o, UPDATE))
    return pushShares(b, o, 112, at, FEE_CHANGE.shares_updated, 'pump_fees.UpdateFeeSharesEvent')
  if (tagged(b, o, RESET)) return decodeReset(b, o, at)
  skip(at, 'unknown_event:pump_fees')
}

/** Mint, curve, an optional pool, configuration, administrator, owners. */
function decodeCreate(b: Buffer, o: number, at: Emission): void {
  const name = 'pump_fees.CreateFeeSharingConfigEvent'
  if (b.length - o < 81) return skip(at, `too_short:${name}`)
  const option = b[o + 80]!
  if (option > 1) return skip(at, `guard:${name}`)
  pushShares(b, o, 81 + 32 * option + 64, at, FEE_CHANGE.shares_set, name)
}

/** Mint, configuration, the old administrator and owners, then the new ones. */
function decodeReset(b: Buffer, o: number, at: Emission): void {
  const name = 'pump_fees.ResetFeeSharingConfigEvent'
  const old = ownersEnd(b, o, 112)
  if (old < 0) return skip(at, `guard:${name}`)
  pushShares(b, o, old + 32, at, FEE_CHANGE.shares_reset, name)
}

/** The end of the list of owners at offset `p`; -1 if it is too long or does not fit. */
function ownersEnd(b: Buffer, o: number, p: number): number {
  if (b.length - o < p + 4) return -1
  const count = u32(b, o + p)
  const end = p + 4 + OWNER_BYTES * count
  return count > FEE_OWNERS_MAX || end > b.length - o ? -1 : end
}

function pushShares(b: Buffer, o: number, p: number, at: Emission, how: FeeChange, name: string): void {
  const end = ownersEnd(b, o, p)
  if (end < 0) return skip(at, `guard:${name}`)
  const owners: Key[] = []
  const shares: number[] = []
  for (let q = o + p + 4; q < o + end; q += OWNER_BYTES) {
    owners.push(keyAt(b, q))
    shares.push(b.readUInt16LE(q + 32))
  }
  const { sig, txIndex, outer, inner } = at
  at.out.push({ kind: 'shares', sig, txIndex, outer, inner, mint: keyAt(b, o + 16), how, owners, shares })
}
