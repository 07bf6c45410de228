import { hash, timingSafeEqual } from 'node:crypto'
import { type Counts, count, createCounts } from '@ti/core/base/counts.ts'
import { OperatorError } from '../base/errors.ts'
import type { Logger } from '../base/log.ts'
import { createPoller } from '../base/poller.ts'
import {
  createKeyMemory,
  DIGEST_BYTES,
  type KeyCheck,
  type KeyMemory,
  type Verdict,
  verdict,
} from './accounts/key-memory.ts'
import { KEY_READING, type KeyRow, readKeys } from './accounts/key-reader.ts'
import type { KeyUse } from './accounts/key-use.ts'
import { KEY_PREFIX, PLAY_PREFIX } from './key-prefix.ts'
import type { SignedTokens } from './signed-token.ts'
import type { Database } from './sql/database.ts'

export type { KeyCheck, Plan } from './accounts/key-memory.ts'

/** All keys and their permissions, in memory. */
export interface Keys {
  /**
   * Checks an Authorization header. A connection that repeats a valid header skips the hash. Its cached result ends with the
   * connection, any change of keys, or the end of the key or plan.
   */
  check(authorization: string | undefined, connection?: object): KeyCheck
  /**
   * Judges a key and returns a way to judge it again; keeps the digest, never the key. Open connections keep the last verdict
   * while the database is down.
   */
  follow(authorization: string | undefined): FollowedKey
  /** a token that `follow` takes in place of a valid key for STREAM_TOKEN_MS; null: no valid key, or there are no tokens here */
  streamToken(authorization: string | undefined): StreamToken | null
  /**
   * Reads what changed; it also happens every KEY_READING.refreshMs. What was committed before the call is known when it
   * is done. Never rejects: while the database does not answer, what is known stays known for KEY_READING.staleMs, and
   * what is not known, like everything after that, is `unreadable`.
   */
  refresh(): Promise<void>
  readonly size: number
  /** failed reads, and keys left out of full memory */
  readonly counts: Counts
  close(): void
}

/** Keys of a database. */
export interface SqlKeys extends Keys {
  state(): KeysState
}

/** State of the last read. */
interface KeysState {
  readonly answering: boolean
  /** time of the last successful read, Unix milliseconds */
  readonly readMs: number
}

interface StreamToken {
  readonly token: string
  readonly untilMs: number
}

/** A key that is checked repeatedly, for example by an open stream. */
export interface FollowedKey {
  /** verdict when `follow` was called */
  readonly found: KeyCheck
  /** present verdict from memory, without hashing or SQL; a malformed header always yields the same refusal */
  again(): KeyCheck
}

interface KeysOptions {
  /** Unix milliseconds */
  readonly now: () => number
  readonly logger: Logger
  /** keys of play money are valid; left out: they are unknown */
  readonly takesPlay?: boolean
  /** sign tokens for streams, whose name is the digest of a key; left out: there are none */
  readonly streamTokens?: SignedTokens
  /** counts opened streams */
  readonly use?: Pick<KeyUse, 'count'> | undefined
  readonly bounds?: Readonly<typeof KEY_READING>
}

const KEY = /^sk_(?:live|test)_[A-Za-z0-9_-]{43}$/
const SCHEME = 'Bearer '
const HEADER_LENGTH = SCHEME.length + KEY_PREFIX.length + 43
/** scheme names are case-insensitive */
const isBearer = (header: string): boolean => header.startsWith(SCHEME) || /^bearer /i.test(header)

/** milliseconds in which a token opens streams: a page opens them at once */
const STREAM_TOKEN_MS = 60_000
const STREAM_TOKEN = /^Bearer st_/i

const ABSENT: KeyCheck = { ok: false, reason: 'absent' }
const MALFORMED: KeyCheck = { ok: false, reason: 'malformed' }
const UNKNOWN: KeyCheck = { ok: false, reason: 'unknown' }
const UNREADABLE: KeyCheck = { ok: false, reason: 'unreadable' }

/** A connection's valid header, with the version of the keys and the time until which the verdict holds. */
interface Known {
  readonly authorization: string
  readonly found: KeyCheck
  readonly version: number
  readonly untilMs: number
}

/** 32 bytes as a latin-1 string; native code makes it in a third of the time of a Buffer. */
const sha256 = (key: string): string => hash('sha256', key, 'binary')

/** Reads all keys; throws OperatorError if that fails. */
export async function openKeys(database: Pick<Database, 'sql' | 'dialect'>, options: KeysOptions): Promise<SqlKeys> {
  const { now, logger, bounds = KEY_READING } = options
  const counts = createCounts(['failed', 'left out'])
  const reader = readKeys(database, bounds)
  let memory: KeyMemory = createKeyMemory(bounds.inMemory)
  let version = 0
  let reloadedMs = now()
  let readMs = reloadedMs
  let failing = false
  let full = false
  let closed = false

  function learn(into: KeyMemory, rows: readonly KeyRow[]): boolean {
    let changed = false
    for (const row of rows) changed = into.learn(row, now()) || changed
    return changed
  }

  async function reload(): Promise<void> {
    const fresh = createKeyMemory(bounds.inMemory)
    for await (const rows of reader.all()) learn(fresh, rows)
    memory = fresh
    version++
    reloadedMs = now()
  }

  async function readChanges(): Promise<void> {
    let changed = false
    for await (const rows of reader.changed()) changed = learn(memory, rows) || changed
    if (changed) version++
  }

  function warnWhenFull(): void {
    const { leftOut } = memory
    if (leftOut > 0 && !full) {
      const fields = { left_out: leftOut, bound: bounds.inMemory }
      logger.error(fields, 'more keys than memory may hold: the rest are refused as unknown; revoke some')
    }
    full = leftOut > 0
    counts.set('left out', leftOut)
  }

  async function look(): Promise<void> {
    if (closed) return
    const beganMs = now()
    try {
      await (beganMs - reloadedMs >= bounds.reloadMs ? reload() : readChanges())
      warnWhenFull()
      if (failing) logger.info('the database answers again: keys are up to date')
      failing = false
      readMs = beganMs
    } catch (error) {
      // the caller closes the database next, while a refresh may still be running
      if (closed) return
      count(counts, 'failed')
      if (!failing) logger.error({ err: error }, 'keys cannot be read: known keys stay valid, changes are not seen')
      failing = true
    }
  }

  try {
    await reload()
    warnWhenFull()
  } catch (error) {
    throw new OperatorError(`the keys cannot be read from the database: ${(error as Error).message}`, { cause: error })
  }
  const refreshing = createPoller({ what: 'keys', everyMs: bounds.refreshMs, run: look })

  const known = { memory: () => memory, version: () => version, now }
  // trust depends on failures, so a jump of the clock alone changes nothing
  const trust = (nowMs: number) => (failing ? (nowMs - readMs < bounds.staleMs ? 'some' : 'none') : 'all')

  return {
    ...createJudge({ ...known, trust, ...options }),
    refresh: refreshing.run,
    state: () => ({ answering: !failing, readMs }),
    get size() {
      return memory.size
    },
    counts,
    close() {
      closed = true
      void refreshing.stop()
    },
  }
}

/** Returns the digest of the key in a header, or the refusal. */
function digestIn(authorization = '', takesPlay: boolean): string | KeyCheck {
  if (authorization === '') return ABSENT
  if (authorization.length !== HEADER_LENGTH || !isBearer(authorization)) return MALFORMED
  const key = authorization.slice(SCHEME.length)
  if (!KEY.test(key)) return MALFORMED
  return takesPlay || !key.startsWith(PLAY_PREFIX) ? sha256(key) : UNKNOWN
}

interface Judged {
  readonly memory: () => KeyMemory
  readonly version: () => number
  readonly now: () => number
  /** keys for which memory is reliable: all, known ones, or none */
  readonly trust: (nowMs: number) => 'all' | 'some' | 'none'
  readonly use?: Pick<KeyUse, 'count'> | undefined
  readonly takesPlay?: boolean
  readonly streamTokens?: SignedTokens
}

/** Checks a header in about 0.1 µs on a known connection. */
function createJudge(judged: Judged): Pick<Keys, 'check' | 'follow' | 'streamToken'> {
  const { memory, version, now, trust, use, takesPlay = false, streamTokens } = judged
  const knownOf = new WeakMap<object, Known>()
  const presented = Buffer.alloc(DIGEST_BYTES)

  /** Compares unknown keys too, so that they take the same time. */
  function judge(digest: string, nowMs: number): Verdict {
    const stored = memory().find(digest)
    presented.write(digest, 'latin1')
    return verdict(timingSafeEqual(stored.digest, presented) ? stored : memory().nobody, nowMs)
  }

  /** An unknown key may have been made after the last read. */
  function trusted(found: KeyCheck, nowMs: number): KeyCheck {
    const trusting = trust(nowMs)
    if (trusting === 'all') return found
    return trusting === 'none' || (!found.ok && found.reason === 'unknown') ? UNREADABLE : found
  }

  return {
    check(authorization, connection) {
      if (authorization === undefined) return ABSENT
      const nowMs = now()
      const known = connection === undefined ? undefined : knownOf.get(connection)
      if (
        known !== undefined &&
        known.authorization === authorization &&
        known.version === version() &&
        nowMs < known.untilMs
      ) {
        return trusted(known.found, nowMs)
      }
      const digest = digestIn(authorization, takesPlay)
      if (typeof digest !== 'string') return digest
      const { found, untilMs } = judge(digest, nowMs)
      if (found.ok && connection !== undefined) {
        knownOf.set(connection, { authorization, found, version: version(), untilMs })
      }
      return trusted(found, nowMs)
    },
    streamToken(authorization) {
      const digest = digestIn(authorization, takesPlay)
      if (typeof digest !== 'string' || !judge(digest, now()).found.ok || streamTokens === undefined) return null
      const untilMs = now() + STREAM_TOKEN_MS
      return { token: `st_${streamTokens.make(Buffer.from(digest, 'latin1'), untilMs)}`, untilMs }
    },
    follow(authorization = '') {
      const isToken = STREAM_TOKEN.test(authorization)
      const token = isToken ? streamTokens?.read(authorization.slice(SCHEME.length + 'st_'.length)) : null
      const digest = isToken ? (token?.name.toString('latin1') ?? UNKNOWN) : digestIn(authorization, takesPlay)
      if (typeof digest !== 'string') return { found: digest, again: () => digest }
      const again = (): KeyCheck => judge(digest, now()).found
      const found = trusted(again(), now())
      if (found.ok) use?.count(found.id)
      return { found, again }
    },
  }
}
