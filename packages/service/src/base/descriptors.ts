import { closeSync, openSync, readFileSync } from 'node:fs'
import { devNull } from 'node:os'

/**
 * File descriptors this process may have open (the soft limit, which Node raises to the hard one at its start); null where
 * the system does not say.
 */
export function descriptorLimit(limits: () => string = () => readFileSync('/proc/self/limits', 'utf8')): number | null {
  try {
    const found = /^Max open files\s+(\d+)/m.exec(limits())
    return found === null ? null : Number(found[1])
  } catch {
    return null
  }
}

/** Takes a descriptor and gives it back; throws (EMFILE, ENFILE) where there is none left. */
export function probeDescriptors(): void {
  closeSync(openSync(devNull, 'r'))
}
