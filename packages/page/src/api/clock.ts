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
