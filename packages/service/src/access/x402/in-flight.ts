import { LIMITS } from '../../config/limits.ts'

/** Payments in flight, bounded in all, by payer, by address, and for payers who have not paid before. */
interface InFlight {
  /** a place, to be given back by calling it; null where there is none left */
  enter(payer: string, address: string, isStranger: boolean): (() => void) | null
  readonly size: number
}

export function createInFlight(): InFlight {
  const subjects = new Map<string, number>()
  let size = 0
  let strangers = 0
  const add = (subject: string, by: 1 | -1): void => {
    const count = (subjects.get(subject) ?? 0) + by
    if (count === 0) subjects.delete(subject)
    else subjects.set(subject, count)
  }
  const full = (subject: string, limit: number): boolean => (subjects.get(subject) ?? 0) >= limit

  return {
    enter(payer, address, isStranger) {
      const [ofPayer, ofAddress] = [`payer ${payer}`, `address ${address}`]
      if (size >= LIMITS.paymentsInFlight || full(ofPayer, LIMITS.paymentsInFlightPayer)) return null
      if (full(ofAddress, LIMITS.paymentsInFlightAddress)) return null
      if (isStranger && strangers >= LIMITS.strangersInFlight) return null
      size++
      if (isStranger) strangers++
      add(ofPayer, 1)
      add(ofAddress, 1)
      let left = false
      return () => {
        if (left) return
        left = true
        size--
        if (isStranger) strangers--
        add(ofPayer, -1)
        add(ofAddress, -1)
      }
    },
    get size() {
      return size
    },
  }
}
