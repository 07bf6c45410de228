import type { Alert, AlertReader } from '@ti/service/alerts/alert.ts'

/** Alerts in memory: `add` appends so many of an account, `heard` by those who listen or not, as if made on another node. */
export function memoryAlerts() {
  const all = new Map<string, Alert[]>()
  const listeners = new Set<(account: string) => void>()
  let failing = false
  let asked = 0
  const of = (account: string): readonly Alert[] => {
    asked++
    if (failing) throw new Error('the database does not answer')
    return all.get(account) ?? []
  }
  const reader: AlertReader = {
    after: async (account, seq, limit) =>
      of(account)
        .filter((one) => one.place > seq)
        .slice(0, limit),
    placeOf: async (account, seq) =>
      of(account).findLast((one) => one.seq <= seq)?.place ?? (of(account)[0]?.place ?? 1) - 1,
    async range(account) {
      const [oldest, newest] = [of(account)[0]?.seq, of(account).at(-1)?.seq ?? 0]
      return { seq: newest, oldestSeq: oldest ?? newest + 1 }
    },
    heads: async (accounts) =>
      new Map(
        accounts.flatMap((account) =>
          of(account)
            .slice(-1)
            .map(({ place }) => [account, place] as const),
        ),
      ),
    listen(heard) {
      listeners.add(heard)
      return () => void listeners.delete(heard)
    },
  }
  return {
    ...reader,
    /** `skip`: numbers that are left out before the first of them */
    add(account: string, count: number, heard = true, skip = 0): void {
      const alerts = all.get(account) ?? []
      for (let n = 0; n < count; n++) {
        const [seq, place] = [(alerts.at(-1)?.seq ?? 0) + 1 + (n === 0 ? skip : 0), (alerts.at(-1)?.place ?? 0) + 1]
        alerts.push({
          ...{ id: `alert_${account}_${seq}`, account, seq, place, watch: { id: 'watch_1', name: 'w' }, event: 'sold' },
          ...{ title: 't', text: 'x', why: {}, mint: null, wallet: null, slot: seq, at: seq, links: [] },
        })
      }
      all.set(account, alerts)
      if (heard) for (const listener of listeners) listener(account)
    },
    /** the oldest of an account are no longer kept */
    forget: (account: string, count: number): void => void all.get(account)!.splice(0, count),
    fail(how: boolean): void {
      failing = how
    },
    get asked() {
      return asked
    },
  }
}
