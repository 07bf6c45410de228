import type { ClassSums } from '../../model/buckets.ts'
import type { Position, Token } from '../../model/state.ts'
import { CLASS, type Class, classOf, isFreshKnown } from '../class-memory.ts'
import { FIRST_BUYERS } from '../constants.ts'
import { hasValue } from '../units.ts'
import { isLaunchSeen } from '../unseen.ts'
import type { ReadToken } from './holding.ts'

/**
 * Ownership by class with its history: current holdings, peak and sales, and the fate of the first buyers. Read from
 * sums of the fold, so the number of holders does not matter. Base units; null if unknown.
 */
interface Who {
  readonly classes: Readonly<Record<ClassName, Readonly<ClassSums> | null>>
  readonly firstBuyers: FirstBuyers | null
}

export type ClassName = 'deployer' | 'insiders' | 'firstBlock' | 'firstSeconds' | 'fresh' | 'bundled' | 'kols'

/** The fate of a first buyer; `unpriced`: sold for a quote of unknown price. */
type Fate = 'holding' | 'gain' | 'loss' | 'moved' | 'unpriced'

interface FirstBuyers {
  readonly count: number
  readonly fates: Readonly<Record<Fate, number>>
  /** Base units they ever bought, hold now, sold, and sent on beyond what they were sent. */
  readonly bought: number
  readonly held: number
  readonly sold: number
  readonly moved: number
  /** Lamports that those who sold at a gain or a loss paid and got in their last episodes. */
  readonly paid: number
  readonly got: number
}

/** `firstSlot` is that of the log. */
export function whoOf({ token, positions }: Pick<ReadToken, 'token' | 'positions'>, firstSlot: number): Who {
  const sums = (which: Class): Readonly<ClassSums> => classOf(token, which)
  return {
    classes: {
      deployer: token.deployer < 0 ? null : sums(CLASS.deployer),
      insiders: sums(CLASS.insiders),
      firstBlock: token.createdKnown ? sums(CLASS.firstBlock) : null,
      firstSeconds: token.createdKnown ? sums(CLASS.firstSeconds) : null,
      fresh: isFreshKnown(token, firstSlot) ? sums(CLASS.fresh) : null,
      bundled: sums(CLASS.bundled),
      kols: sums(CLASS.kols),
    },
    firstBuyers: isLaunchSeen(token) ? firstBuyersOf(token, positions) : null,
  }
}

function firstBuyersOf(token: Token, positions: ReadToken['positions']): FirstBuyers {
  const fates = { holding: 0, gain: 0, loss: 0, moved: 0, unpriced: 0 }
  let [bought, held, sold, moved, paid, got] = [0, 0, 0, 0, 0, 0]
  for (const wallet of token.firstBuyers) {
    const position = positions.get(wallet)!
    bought += position.bought
    held += position.balance
    sold += position.sold
    moved += Math.max(0, position.bought + position.received - position.balance - position.sold)
    const fate = fateOf(token, position)
    fates[fate]++
    if (fate !== 'gain' && fate !== 'loss') continue
    paid += position.episodeIn
    got += position.episodeOut
  }
  return { count: token.firstBuyers.length, fates, bought, held, sold, moved, paid, got }
}

/** `holding` above a trace, `moved` if more left by transfer than by sale, else the result of the last episode. */
export function fateOf(token: Token, position: Position): Fate {
  const { balance, bought, received, sold, episodeIn, episodeOut } = position
  const all = bought + received
  if (balance > all * FIRST_BUYERS.leftShare) return 'holding'
  if (all - balance - sold > sold) return 'moved'
  if (!hasValue(token)) return 'unpriced'
  return episodeOut > episodeIn ? 'gain' : 'loss'
}
