/** The browser stores per account how far alerts were read and whether to show notifications. */
interface Kept {
  readonly account: string
  readonly read: number
  readonly notify: boolean
}

const KEPT_AS = 'alerts'

/** Stored text may come from another version or another program; anything unreadable counts as empty. */
export function readKept(text: string | null, account: string): Kept {
  const nothing: Kept = { account, read: 0, notify: false }
  try {
    const kept: unknown = JSON.parse(text ?? 'null')
    if (typeof kept !== 'object' || kept === null) return nothing
    const { account: of, read, notify } = kept as Record<string, unknown>
    if (of !== account || !Number.isSafeInteger(read) || (read as number) < 0) return nothing
    return { account, read: read as number, notify: notify === true }
  } catch {
    return nothing
  }
}

/** Storage may be forbidden; the value then lasts as long as the page. */
let inMemory: Kept | null = null

export function kept(account: string): Kept {
  if (inMemory?.account === account) return inMemory
  try {
    return readKept(localStorage.getItem(KEPT_AS), account)
  } catch {
    return readKept(null, account)
  }
}

export function keep(account: string, some: Partial<Pick<Kept, 'read' | 'notify'>>): void {
  inMemory = { ...kept(account), ...some }
  try {
    localStorage.setItem(KEPT_AS, JSON.stringify(inMemory))
  } catch {
    // the value stays in memory
  }
}
