import { keyToBase58 } from '../base/base58.ts'
import { isoMicrosOrNull } from '../base/time.ts'
import type { AppLife } from '../contract/app.ts'
import { SLOT_SECONDS } from '../engine/constants.ts'
import { tokenState } from '../engine/token-state.ts'
import { verdictOf } from '../engine/verdict/said.ts'
import type { Token } from '../model/state.ts'

/** The fate of a launch as of `slot`; reads no holder. */
export function renderLife(token: Token, slot: number): AppLife {
  const after = (at: number): number => Math.max(0, Math.round(10 * (at - token.createdSlot) * SLOT_SECONDS) / 10)
  const reached = (at: number): number | null => (at < 0 ? null : after(at))
  const { mint, symbol, name, createdTime, mcap, ath, athSlot, migratedSlot, drainedSlot } = token
  return {
    mint: keyToBase58(mint),
    symbol,
    name,
    colour: verdictOf(token).name,
    state: tokenState(token, slot).state,
    launched_at: isoMicrosOrNull(createdTime),
    age_s: after(slot),
    mcap,
    peak: athSlot < 0 ? null : { mcap: ath, s: after(athSlot) },
    graduated_s: reached(migratedSlot),
    drained_s: reached(drainedSlot),
  }
}
