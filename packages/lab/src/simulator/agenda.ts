/** The range of the agenda in slots: 3.6 hours. */
const HORIZON = 1 << 15
/** The largest number of appointments, about 100 bytes each; beyond it, sales are dropped. */
const APPOINTMENTS_MAX = 2_000_000

type Appointment = (slot: number) => void

/** Scheduled actions: a ring of lists, one per slot. */
export interface Agenda {
  /** `delay` ≥ 1, limited to the horizon. */
  after(slot: number, delay: number, appointment: Appointment): void
  /** Everything due up to `slot`, in order. */
  due(slot: number): Appointment[]
}

export function createAgenda(start: number): Agenda {
  const ring: (Appointment[] | undefined)[] = new Array(HORIZON)
  let kept = 0
  let done = start - 1
  return {
    after(slot, delay, appointment) {
      if (kept >= APPOINTMENTS_MAX) return
      const at = (slot + Math.max(1, Math.min(HORIZON - 1, Math.floor(delay)))) % HORIZON
      ring[at] ??= []
      ring[at].push(appointment)
      kept++
    },
    due(slot) {
      let all: Appointment[] = []
      while (done < slot) {
        done++
        const list = ring[done % HORIZON]
        if (list === undefined) continue
        all = all.length === 0 ? list : all.concat(list)
        ring[done % HORIZON] = undefined
      }
      kept -= all.length
      return all
    },
  }
}
