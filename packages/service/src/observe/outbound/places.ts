/**
 * Limits requests in flight, in all and by host. Nothing waits for a place: a caller without one does other work or tries
 * later.
 */
interface Places {
  /** a place for a whole request; false when all are taken */
  enter(): boolean
  leave(): void
  /** a place at a host, held beside the first; false when its share is taken */
  enterHost(host: string): boolean
  leaveHost(host: string): void
  readonly taken: number
}

export function createPlaces(bounds: { readonly inAll: number; readonly perHost: number }): Places {
  // no more hosts than requests
  const hosts = new Map<string, number>()
  let taken = 0
  return {
    enter() {
      if (taken >= bounds.inAll) return false
      taken++
      return true
    },
    leave() {
      taken--
    },
    enterHost(host) {
      const there = hosts.get(host) ?? 0
      if (there >= bounds.perHost) return false
      hosts.set(host, there + 1)
      return true
    },
    leaveHost(host) {
      const there = hosts.get(host) ?? 0
      if (there <= 1) hosts.delete(host)
      else hosts.set(host, there - 1)
    },
    get taken() {
      return taken
    },
  }
}
