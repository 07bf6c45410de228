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
  /** milliseconds an interrupted command has to put away what it made: below half a second, with what ends it then */
  interruptMs: 250,
  /** milliseconds after which a process that its signal did not end exits by itself */
  signalEndMs: 100,
  watchesCli: {
    /** milliseconds an answer about watches may take, and its bytes: a thousand watches with long filters */
    answerMs: 15_000,
    answerBytes: 4 * 1024 * 1024,
  },
} as const
