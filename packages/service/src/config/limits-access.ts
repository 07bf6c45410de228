/** Bounds of accounts and keys, and of the database that nodes share; part of LIMITS. */
export const ACCESS_LIMITS = {
  database: {},
  // keys of accounts that have paid nothing
  /** bytes of a body sent to the account pages or the administration socket: a name may take 12 bytes a character */
  accountBodyBytes: 2_048,
  // several nodes over one database
  alerts: {
    /** characters of a name */
    nameLength: 100,
    /** alerts of one read */
    page: 100,
  },
  accounts: {
    // the embedded database and its copies
  },
} as const
