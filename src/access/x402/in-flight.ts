import { LIMITS } from '../../config/limits.ts'

/** Payments being worked on, bounded in all, by payer and by address. */
export interface InFlight {
  /** a place, to be given back by calling it; null where there is none left */
  enter(payer: string, address: string): (() => void) | null
  readonly size: number
}

export function createInFlight(): InFlight {
  const subjects = new Map<string, number>()
  let size = 0
  const add = (subject: string, by: 1 | -1): void => {
    const count = (subjects.get(subject) ?? 0) + by
    if (count === 0) subjects.delete(subject)
    else subjects.set(subject, count)
  }
  const full = (subject: string, limit: number): boolean => (subjects.get(subject) ?? 0) >= limit

  return {
    enter(payer, address) {
      const [ofPayer, ofAddress] = [`payer ${payer}`, `address ${address}`]
      if (size >= LIMITS.paymentsInFlight || full(ofPayer, LIMITS.paymentsInFlightPayer)) return null
      if (full(ofAddress, LIMITS.paymentsInFlightAddress)) return null
      size++
      add(ofPayer, 1)
      add(ofAddress, 1)
      let left = false
      return () => {
        if (left) return
        left = true
        size--
        add(ofPayer, -1)
        add(ofAddress, -1)
      }
    },
    get size() {
      return size
    },
  }
}
