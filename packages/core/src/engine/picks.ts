import type { Position, Token } from '../model/state.ts'
import { HISTORY } from './constants.ts'
import type { LiveToken } from './resident.ts'

/**
 * First buys that wait for their verdict (methodology, section 3), linked through the positions of the buyers: however
 * many there are, the token's record has only the ends of the list.
 */

/** Called at a wallet's first buy. Returns the position that now points to it, if another waits already. */
export function addPick({ token, positions }: LiveToken, position: Position, slot: number): Position | null {
  // no wallet waits twice, not even after a first buy of nothing
  if (token.mcap === 0 || position.pick > 0) return null
  const due = slot + HISTORY.pickSlots
  const last = token.lastPick < 0 ? null : positions.get(token.lastPick)!
  if (last === null) {
    token.firstPick = position.wallet
    token.firstDue = due
  } else {
    last.nextPick = position.wallet
    last.nextAfter = due - token.lastDue
  }
  position.pick = token.mcap
  token.lastPick = position.wallet
  token.lastDue = due
  return last
}

/** Takes the first pick off the list if it is due at `slot`. */
export function takePick(live: LiveToken, slot: number): Readonly<Position> | null {
  const { token } = live
  if (token.firstPick < 0 || token.firstDue > slot) return null
  const position = live.positionOf(token.firstPick)
  if (position.nextPick < 0) dropPicks(token)
  else {
    token.firstPick = position.nextPick
    token.firstDue += position.nextAfter
  }
  return position
}

export function dropPicks(token: Token): void {
  token.firstPick = -1
  token.firstDue = -1
  token.lastPick = -1
  token.lastDue = -1
}
