/** Bounds of the page: its files, sessions, reads and sockets; part of LIMITS. */
export const PAGE_LIMITS = {
  // files of dist/web, all in memory
  // visitors of the page
  // reads of the page beside /v1
  // previews of links to the page
} as const
