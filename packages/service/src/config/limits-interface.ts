/** Bounds of the operations beyond the specification; part of LIMITS. */
export const INTERFACE_LIMITS = {
  /** bytes of a batch's body: 50 addresses of 44 characters in JSON are 2.4 kB, and the names of ten groups */
  batchBodyBytes: 8_192,
  /** bytes of a body that is too large which are still read, so that the client gets to see its answer */
  batchDrainBytes: 1 << 20,
  /** milliseconds such a body may take to arrive */
  batchBodyMs: 10_000,
} as const
