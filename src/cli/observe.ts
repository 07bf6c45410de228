import type { Logger } from '../base/log.ts'
import { createObservers, type Observers } from '../observe/observers.ts'
import type { ObserveOptions, Tell, World } from '../observe/types.ts'

/** The observers of a running service, as the operator chose them; null where they are off. */
export function openObservers(
  options: ObserveOptions | null,
  service: { readonly world: World; readonly tell: Tell; readonly logger: Logger },
): Observers | null {
  return options === null ? null : createObservers({ options, ...service })
}
