/** Bounds of the operations beyond the specification; part of LIMITS. */
export const INTERFACE_LIMITS = {} as const
