import { closeSync, openSync, readFileSync } from 'node:fs'
import { devNull } from 'node:os'

/**
 * The limit on this process's open file descriptors (the soft limit, which Node raises to the hard one at its start); null
 * if the system does not report it.
 */
export function descriptorLimit(limits: () => string = () => readFileSync('/proc/self/limits', 'utf8')): number | null {
  try {
    const found = /^Max open files\s+(\d+)/m.exec(limits())
    return found === null ? null : Number(found[1])
  } catch {
    return null
  }
}

/** Opens and closes a descriptor; throws (EMFILE, ENFILE) if none is left. */
export function probeDescriptors(): void {
  closeSync(openSync(devNull, 'r'))
}
