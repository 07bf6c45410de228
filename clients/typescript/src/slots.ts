import type { CallSettings } from './call.ts'

/** Paths whose slot is remembered. The oldest are forgotten first. */
const MOST = 1_000

/** Keeps the newest slot read of each path, so that no later answer is older: behind a balancer, nodes are some slots apart. */
export function createSlots() {
  const read = new Map<string, number>()
  return {
    /** Adds the slot last read to the parameters, unless they name a slot. */
    notBefore(path: string, asked: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
      const slot = read.get(path)
      return slot === undefined || asked.at_slot !== undefined ? asked : { min_slot: slot, ...asked }
    },
    watching: (path: string, settings: CallSettings): CallSettings => ({
      ...settings,
      onResponse(response) {
        const slot = Number(response.headers.get('x-slot') ?? Number.NaN)
        if (response.ok && slot > (read.get(path) ?? -1)) {
          read.delete(path)
          read.set(path, slot)
          if (read.size > MOST) read.delete(read.keys().next().value!)
        }
        settings.onResponse(response)
      },
    }),
  }
}
