const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** Bounds of the delivery of alerts; part of LIMITS. */
export const DELIVERY_LIMITS = {
  delivery: {
    /** destinations of an account on the free plan and on Pro, and of all accounts: with everything that is kept some 2 GB */
    destinationsFree: 2,
    destinationsPro: 10,
    destinations: 10_000,
    /** characters of a name and of a URL, and watches that a destination lists: together they fit in a body of the account */
    nameLength: 100,
    urlLength: 500,
    watchesListed: 40,
    /** deliveries that wait for a destination, beyond which alerts stay where they are, and finished ones that are kept */
    waiting: 100,
    kept: 100,
    /** random bytes of a code that links a chat, and milliseconds it may be used: a Telegram link carries 64 characters */
    codeBytes: 18,
    codeMs: 15 * MINUTE_MS,
    /** milliseconds for which the secret before signs beside the new one */
    overlapMs: 24 * HOUR_MS,
    /** milliseconds in which a delivery is tried, and its pauses between two attempts, of which the last repeats: ten attempts in
     * the first day, so that an outage of an hour costs minutes and one of a day some hours */
    windowMs: 48 * HOUR_MS,
    retryMs: [
      ...[5_000, 30_000, 2 * MINUTE_MS, 10 * MINUTE_MS, 30 * MINUTE_MS],
      ...[HOUR_MS, 2 * HOUR_MS, 4 * HOUR_MS, 6 * HOUR_MS],
    ],
    /** share of a pause by which chance shortens it: what failed together is not tried together again */
    jitter: 0.1,
    /** milliseconds that a destination rests after its first failure in a row and at most, the pause doubling: a receiver that
     * hangs with a hundred deliveries holds a place for a fifth of the time */
    restMs: 5_000,
    restMsMax: MINUTE_MS,
    /** milliseconds of one attempt, and of a claim: an attempt whose node died is made again after it */
    attemptMs: 15_000,
    claimMs: MINUTE_MS,
    /** attempts at once, those of them to destinations that have failed last, and to one host */
    together: 64,
    failingTogether: 16,
    perHost: 16,
    /** milliseconds after which a delivery is tried again that found no place */
    busyMs: 1_000,
    /** the longest pause a receiver may ask for */
    retryAfterMsMax: HOUR_MS,
    /** milliseconds of the lease, between two looks at what other nodes brought, and between two counts for the metrics */
    leaseMs: 15_000,
    lookMs: 2_000,
    countMs: 15_000,
    // Discord and Telegram
    /** bytes of an answer of Discord and of Telegram's Bot API */
    answerBytes: 64 << 10,
    /** chats and webhooks whose rate is remembered, some 200 bytes each */
    paced: 10_000,
    /** milliseconds after which the bot is tried again that Telegram refuses */
    botPauseMs: MINUTE_MS,
    // the bot's commands
    /** characters of a code that is looked up, and of a command */
    codeLength: 64,
    commandLength: 200,
    /** replies that wait for a chat, beyond which its commands are not answered, and for all chats */
    replies: 5,
    repliesInAll: 200,
    /** attempts at a reply, watches that a list shows with buttons, and characters of each */
    replyAttempts: 3,
    listed: 20,
    listedLength: 120,
  },
} as const
