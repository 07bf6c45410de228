/** Bounds of what payments may cost the fee payer, and of strangers who pay; part of LIMITS. */
export const PAYMENT_LIMITS = {
  // transactions that fail on chain, and are paid for all the same
  // answers that were paid for and did not arrive whole
  // strangers
} as const
