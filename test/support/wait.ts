import { setTimeout as pause } from 'node:timers/promises'

const EVERY_MS = 100
const DEADLINE_MS = 60_000

/** Waits until a condition holds; the error names it and what was seen last. */
export async function eventually(
  what: string,
  holds: () => boolean | Promise<boolean>,
  { deadlineMs = DEADLINE_MS, seen = () => '' }: { deadlineMs?: number; seen?: () => string } = {},
): Promise<void> {
  const end = Date.now() + deadlineMs
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`not within ${deadlineMs / 1000} s: ${what}${seen() && ` (${seen()})`}`)
    await pause(EVERY_MS)
  }
}
