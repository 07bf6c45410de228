/** Bounds of the command line. */
export const CLI_LIMITS = {
  /** milliseconds after which long work shows how far it is, and between two looks of the thread that does it */
  progressFirstMs: 200,
  progressPostMs: 50,
  /** milliseconds between two pictures on a terminal, and between two lines elsewhere */
  progressRedrawMs: 100,
  progressLineMs: 5_000,
  /** milliseconds an interrupted command has to put away what it made, and its thread to end: together below half a second */
  interruptMs: 250,
  interruptThreadMs: 100,
} as const
