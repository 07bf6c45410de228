/** LIMITS.unknown: what is kept of events and instructions that no decoder knows. */
export const UNKNOWN_LIMITS = {
  /** kinds with bytes of their own: an upgrade of a program brings one to ten; a series of /metrics each */
  kinds: 64,
  /** lengths of one discriminator: a payload with a name in it has dozens, eight show that it varies */
  lengths: 8,
  /** bytes kept of a kind: the longest event known has some 600, and a log holds 10 kB for the whole transaction */
  bytes: 1_024,
} as const
