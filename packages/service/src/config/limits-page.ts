/** Bounds of the page: its files, sessions, reads and sockets; part of LIMITS. */
export const PAGE_LIMITS = {
  // files of dist/web, all in memory
  /** files, bytes of one, and of all: a build has some hundred files, with what is compressed, and 2 MB */
  webFiles: 300,
  webFileBytes: 4 << 20,
  webBytes: 16 << 20,
  /** characters of the last segment of a path of the page: an address has 44 */
  webSegmentLength: 64,
  // visitors of the page
  /** sockets of visitors without an account: of one address, and of all, a fifth of all sockets */
  pageSocketsPerAddress: 20,
  pageSockets: 2_000,
  // reads of the page beside /v1
  /** milliseconds that the page of the board waits to know which lists are empty */
  boardWaitMs: 50,
  // previews of links to the page
  /** heads and pictures a minute and address: readers of links ask for both, and a chat's server asks for all its users */
  rateShare: 120,
  /** milliseconds that the page of a token, deployer or actor waits for the data of its head: readings take some 10 ms, and
   * link readers cache a head for days, so this is longer than the wait of the board; heads read at once */
  previewWaitMs: 250,
  previewsReading: 200,
  /** milliseconds that a picture waits for its data: link readers give up after some seconds */
  pictureWaitMs: 3_000,
  /** pictures kept, some 40 kB each, and those that may wait to be made, 30 to 100 ms of a thread each */
  picturesKept: 300,
  picturesWaiting: 16,
  /** seconds that others may keep a picture */
  pictureMaxAgeS: 60,
  /** milliseconds between two samples of the status page, and samples kept: ten minutes */
  statusEveryMs: 2_000,
  statusSamples: 300,
} as const
