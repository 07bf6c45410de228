/** Bounds of the observers; part of LIMITS. */
export const OBSERVE_LIMITS = {
  // observers: requests that leave
  /** requests on their way, in all (the observers' own bounds add up to 31) and to one host */
  outboundInFlight: 32,
  outboundPerHost: 6,
  /** redirects that are followed: a gateway needs one or two */
  outboundRedirects: 3,
  /** bytes of an answer's headers, and characters of a URL: what is longer is no link to a page */
  outboundHeaderBytes: 16_384,
  outboundUrlLength: 2_048,
  /** addresses of one name, and how many of them are dialled; milliseconds for each, and again for TLS */
  outboundAddresses: 64,
  outboundAddressesTried: 3,
  outboundConnectMs: 3_000,
  // observers: what they look at
  /** subjects an observer asks the world for in every round, and now and then, so that those at the top who rest do not
   * hide those below: some hours of launches; milliseconds between two such long lists, which cost more */
  observeLookFirst: 128,
  observeLook: 8_192,
  observeDeepMs: 5_000,
  /** milliseconds between two rounds, and before a subject is tried again for which there was no place */
  observeRoundMs: 500,
  observeBusyMs: 3_000,
  /** subjects an observer remembers, some 150 bytes each: every launch of half a day */
  observeAttempts: 20_000,
  /** metadata pages: bytes (seen: at most some kB), milliseconds, looks at once; characters of description and of a link */
  metadataBytes: 256 << 10,
  metadataMs: 8_000,
  metadataTogether: 12,
  metadataDescription: 2_000,
  metadataLink: 1_024,
  /** images: bytes (clients show no larger ones), milliseconds, looks at once */
  imageBytes: 16 << 20,
  imageMs: 15_000,
  imageTogether: 8,
  /** gateways of a kind; milliseconds after which no further place is asked in a look; failures in a row until a subject
   * is given up, after some hours; answers kept, about 3 kB each, and milliseconds for which a web page is kept */
  contentGateways: 4,
  contentPlacesMs: 8_000,
  contentFailures: 8,
  contentCached: 5_000,
  webCachedMs: 300_000,
  /** listing orders: requests a minute (the endpoint's own bound), at once, bytes, orders and milliseconds of an answer,
   * and milliseconds of pause after a 429 */
  dexRequestsPerMinute: 60,
  dexTogether: 4,
  dexAnswerBytes: 256 << 10,
  dexOrders: 1_000,
  dexMs: 10_000,
  dexRateMs: 60_000,
  /** price of SOL: sources, milliseconds between two looks, bytes and milliseconds of an answer, and milliseconds without
   * agreement after which a warning is logged */
  priceSources: 3,
  priceLookMs: 10_000,
  priceBytes: 64 << 10,
  priceMs: 5_000,
  priceStaleMs: 300_000,
  /** the operator's lists of wallets: bytes, wallets, characters of a name, milliseconds of a request, milliseconds between
   * two looks at a file and at a URL, and facts reported at once, so that a long list is folded in pieces */
  listBytes: 2 << 20,
  listWallets: 10_000,
  listNameLength: 64,
  listMs: 10_000,
  listFileLookMs: 5_000,
  listUrlLookMs: 300_000,
  listFactsAtOnce: 500,
  /** first funders: wallets at once, signatures of a page (the most nodes give) and pages of a wallet, oldest transactions
   * read, and failures until a wallet is given up */
  funderTogether: 2,
  /** order of first funders: holders a token must have, share of supply a holder must have, tokens searched for such holders,
   * slots since their last trade, positions, milliseconds between two searches; then the first buyers of the newest tokens */
  funderHolders: 10,
  funderHolderShare: 0.0025,
  funderTokens: 1_000,
  funderQuietSlots: 750,
  funderPositions: 400_000,
  funderOrderMs: 2_000,
  funderNewTokens: 300,
  funderEarlyBuyers: 20,
  funderPage: 1_000,
  funderPages: 3,
  funderTransactions: 3,
  funderFailures: 5,
  /** largest balances: slots after the launch at which they are requested (1, 5 and 15 minutes) and how late they may be, holders
   * that a token must have by then, accounts in an answer (as many as nodes give), tokens at once, and failures until one is given up */
  largestAges: [150, 750, 2_250],
  largestLateSlots: 375,
  largestHolders: 10,
  largestAccounts: 20,
  largestTogether: 2,
  largestFailures: 5,
  /** payments of deployers: holders that a launch must have, slots after it in which its deployer is asked about, newest signatures of
   * an answer, slots before the launch that count (a day), transactions read and wallets reported of one, deployers at once, failures */
  payoutHolders: 10,
  payoutAge: 750,
  payoutSignatures: 50,
  payoutSlots: 216_000,
  payoutTransactions: 10,
  payoutWallets: 32,
  payoutTogether: 2,
  payoutFailures: 3,
  /** requests to a node: bytes of an answer, milliseconds of pause after too many requests */
  nodeAnswerBytes: 4 << 20,
  nodeRateMs: 30_000,
} as const
