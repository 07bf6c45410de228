/** What this browser keeps of alerts: how far they were read, and whether they are to be shown beyond the page. */
interface Kept {
  readonly account: string
  readonly read: number
  readonly notify: boolean
}

const KEPT_AS = 'alerts'

/** What another version or another hand has left there is as good as nothing. */
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

/** Storage may be forbidden; it is then kept as long as the page. */
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
    // see above
  }
}
