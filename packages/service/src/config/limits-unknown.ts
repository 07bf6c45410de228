/** LIMITS.unknown: what is kept of events and instructions that no decoder knows. */
export const UNKNOWN_LIMITS = {
  /** kinds with bytes of their own: an upgrade of a program brings one to ten; a series of /metrics each */
  kinds: 64,
  /** lengths of one discriminator: a payload with a name in it has dozens, eight show that it varies */
  lengths: 8,
  /** bytes kept of a kind: the longest event known has some 600, and a log holds 10 kB for the whole transaction */
  bytes: 1_024,
  /** bytes of the file with them: twice what 64 kinds with all their fields take */
  fileBytes: 512 << 10,
  /** milliseconds between two writings of the file while counts go up: as much is lost at most when the process is killed */
  writeMs: 5_000,
  /** kinds listed by /readyz and the page: an answer that a monitor asks for every second stays short */
  shown: 16,
} as const
