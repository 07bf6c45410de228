import { LIMITS } from '@ti/service/config/limits.ts'
import { type Bound, bound, numberOf, refuse } from '@ti/service/source/kinds.ts'
import type { SimulatorOptions } from './simulator.ts'

const SLOT_MAX = 1e12

const SIMULATOR: Readonly<Record<string, readonly [keyof SimulatorOptions, Bound]>> = {
  seed: ['seed', bound(0, 0xffffffff)],
  tps: ['tps', bound(0.1, LIMITS.simulatorTradesPerSecondMax, false)],
  warmup: ['warmup', bound(0, LIMITS.simulatorWarmupSlotsMax)],
  speed: ['speed', bound(0, 1)],
  slots: ['slots', bound(1, SLOT_MAX)],
  trades: ['trades', bound(1, SLOT_MAX)],
  start: ['startSlot', bound(1, SLOT_MAX)],
  startTime: ['startTime', bound(1, 4e9)],
  market: ['market', bound(1, 2)],
  traced: ['traced', bound(0, 1, false)],
  adversary: ['adversary', bound(0, 1, false)],
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
