/** Bounds of the command line. */
export const CLI_LIMITS = {
  progress: {
    /** milliseconds after which long work shows how far it is, and between two looks of the thread that does it */
    firstMs: 200,
    postMs: 50,
    /** milliseconds between two pictures on a terminal, and between two lines elsewhere */
    redrawMs: 100,
    lineMs: 5_000,
  },
  watchesCli: {},
} as const
