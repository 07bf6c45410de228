import { duration } from '../base/format.ts'
import { SLOT_SECONDS } from '../engine/constants.ts'

/** The length of slots for people: 23 s, 4 min, 2 h 5 min. */
export const span = (slots: number): string => duration(Math.max(0, slots) * SLOT_SECONDS)
