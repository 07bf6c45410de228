/** Bounds of a server's connections; part of LIMITS. */
export const CONNECTION_LIMITS = {} as const
