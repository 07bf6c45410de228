/** Bounds of what is kept of events and instructions that no decoder knows; part of LIMITS. */
export const DECODE_LIMITS = {
  /** kinds with bytes of their own: an upgrade of a program brings one to ten; a series of /metrics each */
  unknownKinds: 64,
  /** lengths of one discriminator: a payload with a name in it has dozens, eight show that it varies */
  unknownLengths: 8,
  /** bytes kept of a kind: the longest event known has some 600, and a log holds 10 kB for the whole transaction */
  unknownBytes: 1_024,
  /** bytes of the file with them: twice what 64 kinds with all their fields take */
  unknownFileBytes: 512 << 10,
  /** milliseconds between two writings of the file while counts go up: as much is lost at most when the process is killed */
  unknownWriteMs: 5_000,
  /** kinds listed by /readyz and the page: an answer that a monitor asks for every second stays short */
  unknownShown: 16,
} as const
