import { type BlockProducer, SOL } from './block-producer.ts'
import type { KindOfLaunch } from './kinds.ts'
import type { People } from './people.ts'
import type { Farm, QuietFarms } from './quiet-farms.ts'
import { drawsFrom } from './ranges.ts'
import type { Wallet } from './traders.ts'
import { FLATTERY_MOVES, type FlatteryMove } from './truth.ts'

/** Moves; wallets of a crowd, and SOL of each; of wallets with a past; purchases into a fall, and their SOL. */
const RANGES = {
  moves: [1, 3.4],
  crowd: [15, 80],
  small: [0.002, 0.08],
  aged: [4, 24],
  bag: [0.05, 0.6],
  props: [2, 12],
  prop: [0.1, 1.5],
} as const

/** Quiet farms that also pay to look good until they leave. */
export function createFlatterers(producer: BlockProducer, people: People, farms: QuietFarms): KindOfLaunch {
  const { random, traders, agenda, ranges } = producer
  const draw = drawsFrom(ranges, random, RANGES)

  function buy(move: FlatteryMove, { group }: Farm, wallet: Wallet, sol: number, slot: number): void {
    const position = people.take(group.token, wallet, slot, sol * SOL, move)
    if (position === null) return
    group.draft?.wallets.add(wallet)
    if (!group.bag.includes(position)) group.bag.push(position)
  }

  const MOVES: Readonly<Record<FlatteryMove, (farm: Farm, span: number, slot: number) => void>> = {
    /** many new wallets, each with little */
    small_crowd(farm, span, slot) {
      const size = draw.small()
      for (let n = Math.round(draw.crowd()); n > 0; n--)
        agenda.after(slot, span * random.float(), (due) =>
          buy('small_crowd', farm, traders.stranger('farmer'), size * random.between(0.5, 1.5), due),
        )
    },
    /** wallets that have traded for long */
    aged_crowd(farm, span, slot) {
      const size = draw.bag()
      for (let n = Math.round(draw.aged()); n > 0; n--)
        agenda.after(slot, span * random.float(), (due) =>
          buy('aged_crowd', farm, traders.pick('veteran', random), size * random.between(0.5, 1.5), due),
        )
    },
    /** a purchase whenever the price has fallen */
    propped_price(farm, span, slot) {
      const { token } = farm.group
      for (let n = Math.round(draw.props()); n > 0; n--)
        agenda.after(slot, span * random.float(), (due) => {
          if (token.price < 0.85 * token.highPrice) buy('propped_price', farm, farm.wallet(n), draw.prop(), due)
        })
    },
  }

  return (born, slot) => {
    const farm = farms.launch(born, slot)
    const span = farm.leaves - slot
    const chosen = new Set(Array.from({ length: Math.round(draw.moves()) }, () => random.pick(FLATTERY_MOVES)))
    for (const move of chosen) MOVES[move](farm, span, slot)
    return farm.group.token
  }
}
