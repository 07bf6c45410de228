import { type Bound, bound, numberOf, refuse } from '@ti/service/source/kinds.ts'
import type { SimulatorOptions } from './simulator.ts'

/** most trades a second of the simulator */
const TRADES_PER_SECOND_MAX = 20_000
/** most slots of history that the simulator makes before going live (24 h) */
const WARMUP_SLOTS_MAX = 216_000

/** most times as many launches of the kinds of market 3 as usual: about a third of all */
const KINDS_MAX = 10

const SLOT_MAX = 1e12

const SIMULATOR: Readonly<Record<string, readonly [keyof SimulatorOptions, Bound]>> = {
  seed: ['seed', bound(0, 0xffffffff)],
  tps: ['tps', bound(0.1, TRADES_PER_SECOND_MAX, false)],
  warmup: ['warmup', bound(0, WARMUP_SLOTS_MAX)],
  speed: ['speed', bound(0, 1)],
  slots: ['slots', bound(1, SLOT_MAX)],
  trades: ['trades', bound(1, SLOT_MAX)],
  start: ['startSlot', bound(1, SLOT_MAX)],
  startTime: ['startTime', bound(1, 4e9)],
  market: ['market', bound(2, 3)],
  traced: ['traced', bound(0, 1, false)],
  adversary: ['adversary', bound(0, 1, false)],
  kinds: ['kinds', bound(0.1, KINDS_MAX, false)],
  surge: ['surge', bound(0, SLOT_MAX)],
}

/** Options of a simulated market from the text behind `simulator:`. */
export function simulatorOptions(text: string): Partial<SimulatorOptions> {
  const options: Partial<Record<keyof SimulatorOptions, number>> = {}
  for (const [name, value] of new URLSearchParams(text)) {
    const known = Object.hasOwn(SIMULATOR, name) ? SIMULATOR[name] : undefined
    if (known === undefined)
      throw refuse(`source simulator: has no option "${name}". It has ${Object.keys(SIMULATOR).join(', ')}`)
    options[known[0]] = numberOf('simulator', name, value, known[1])
  }
  return options as Partial<SimulatorOptions>
}
