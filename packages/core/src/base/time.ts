/** RFC 3339 UTC with microseconds, from Unix seconds that may have a fraction. */
export function isoMicros(seconds: number): string {
  const micros = Math.round(seconds * 1e6)
  const whole = Math.floor(micros / 1e6)
  const rest = String(micros - whole * 1e6).padStart(6, '0')
  return `${new Date(whole * 1000).toISOString().slice(0, 19)}.${rest}Z`
}

/** The same; null for the 0 that means "unknown" or "has not happened". */
export const isoMicrosOrNull = (seconds: number): string | null => (seconds > 0 ? isoMicros(seconds) : null)
