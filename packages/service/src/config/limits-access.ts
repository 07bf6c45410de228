/** Bounds of accounts and keys, and of the database that nodes share; part of LIMITS. */
export const ACCESS_LIMITS = {
  database: {},
  // keys of accounts that have paid nothing
  // several nodes over one database
  alerts: {},
  accounts: {
    // the embedded database and its copies
  },
} as const
