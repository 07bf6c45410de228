/** Bounds of the observers; part of LIMITS. */
export const OBSERVE_LIMITS = {
  // observers: requests that leave
  // observers: what they look at
} as const
