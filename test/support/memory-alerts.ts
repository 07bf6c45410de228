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
        .filter((one) => one.seq > seq)
        .slice(0, limit),
    oldest: async (account) => of(account)[0]?.seq ?? null,
    heads: async (accounts) =>
      new Map(
        accounts.flatMap((account) =>
          of(account)
            .slice(-1)
            .map(({ seq }) => [account, seq] as const),
        ),
      ),
    listen(heard) {
      listeners.add(heard)
      return () => void listeners.delete(heard)
    },
  }
  return {
    ...reader,
    add(account: string, count: number, heard = true): void {
      const alerts = all.get(account) ?? []
      for (let n = 0; n < count; n++) {
        const seq = (alerts.at(-1)?.seq ?? 0) + 1
        alerts.push({
          ...{ id: `alert_${account}_${seq}`, account, seq, watch: { id: 'watch_1', name: 'w' }, event: 'sold' },
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
