/** Kinds of payments that another package may register. */
export type RegisteredPayments = 'sandbox'

/** Kinds that other packages registered (extensions.ts), beside those that the service has itself. */
export const REGISTERED: {
  /** `default`: what SOURCE is where it is not set */
  readonly sources: { readonly name: string; readonly default?: string }[]
  /** values of PAYMENTS; the first is its default */
  readonly payments: RegisteredPayments[]
} = { sources: [], payments: [] }
