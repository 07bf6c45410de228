import { type BlockProducer, SOL } from './block-producer.ts'
import type { People } from './people.ts'
import type { Position, SimToken } from './tokens.ts'
import type { Habit, Wallet } from './traders.ts'

const HABITS: readonly Habit[] = ['holder', 'holder', 'regular', 'retail', 'momentum', 'dip', 'veteran']

interface Arrival {
  readonly people: number
  /** Slots within which they come. */
  readonly span: number
  /** SOL of the median purchase. */
  readonly size: number
  /** Share that does not sell on its own. */
  readonly stays: number
  readonly before?: (wallet: Wallet, slot: number) => void
  readonly after?: (position: Position, slot: number) => void
}

/** People who come to a launch one by one and have nothing to do with each other. */
export interface Honest {
  /** The positions, which are added as their owners come. */
  arrive(token: SimToken, slot: number, arrival: Arrival): readonly Position[]
}

export function createHonest(producer: BlockProducer, people: People): Honest {
  const { random, traders, agenda } = producer
  return {
    arrive(token, slot, { people: count, span, size, stays, before, after }) {
      const here: Position[] = []
      for (let n = count; n > 0; n--) {
        agenda.after(slot, 1 + span * random.float() ** 1.5, (due) => {
          const wallet = traders.pick(random.pick(HABITS), random)
          const lamports = Math.min(SOL * random.lognormal(size, 0.9), wallet.fortune / 2)
          before?.(wallet, due)
          const position = people.take(token, wallet, due, lamports)
          if (position === null) return
          here.push(position)
          // observers ask for the funders of large holders
          producer.funding.lookUp(wallet, due)
          if (!random.chance(stays)) people.scheduleExit(position, due)
          after?.(position, due)
        })
      }
      return here
    },
  }
}
