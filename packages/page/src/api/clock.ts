/** milliseconds that the service's clock is ahead of this machine's */
let aheadMs = 0
/** milliseconds: smaller differences are the network's */
const NEGLIGIBLE_MS = 2_000

/** The service's time, Unix milliseconds: ages do not depend on the visitor's clock. */
export const serviceNow = (): number => Date.now() + aheadMs

/** Takes the time of an answer, which its header has to the second. */
export function noteTime(headers: Headers): void {
  const ahead = Date.parse(headers.get('date') ?? '') + 500 - Date.now()
  if (!Number.isNaN(ahead)) aheadMs = Math.abs(ahead) > NEGLIGIBLE_MS ? ahead : 0
}

/** milliseconds that the newest block of a service that keeps up can be old */
const CURRENT_MS = 30_000
let behindMs = 0

/** The time of the newest block, while the service catches up: a token is as old as what is known of it. */
export const chainNow = (): number => serviceNow() - behindMs

/** Takes how far the newest block is behind. */
export function noteLag(ms: number): void {
  behindMs = ms < CURRENT_MS ? 0 : ms
}
