import { keyFromBase58, keyToBase58, sigFromBase58, sigToBase58 } from '../base/base58.ts'
import { type Key, NO_SIG, type Sig } from '../base/ids.ts'
import type { RawInstruction, RawTransaction } from '../model/raw.ts'

/**
 * What a program whose events are read gave and nobody here can read: a sign that the program was upgraded. One kind is one
 * program, discriminator and length, for one reason.
 */
export interface UnknownKind {
  /** base58 */
  readonly program: string
  readonly what: 'event' | 'instruction'
  readonly why: Why
  /** as its interface file calls it, '' where it has none */
  readonly name: string
  /** its first eight bytes in hex, as many as there are; '' for what found no room of its own */
  readonly discriminator: string
  /** bytes with the discriminator; -1 for lengths that found no room of their own */
  readonly length: number
  readonly count: number
  readonly firstSlot: number
  readonly lastSlot: number
  /** block time of the last one, Unix seconds; 0 unknown */
  readonly lastTime: number
  /** base58, of the first one; '' unknown */
  readonly signature: string
  /** the first bytes of the first one, base64 */
  readonly bytes: string
}

/**
 * `unknown`: no interface file names its discriminator; `too_short`: shorter than any layout that is read; `guard`: a part of it
 * cannot be true; `length`: it does not end where a field does. Of the last two what is known for sure was read.
 */
export type Why = (typeof WHYS)[number]
export const WHYS = ['unknown', 'too_short', 'guard', 'length'] as const

interface UnknownBounds {
  /** kinds with bytes of their own; what comes beyond is counted by program */
  readonly kinds: number
  /** lengths of one discriminator; others are counted together: a payload with text in it has many */
  readonly lengths: number
  /** bytes kept of a kind */
  readonly bytes: number
}

/** One payload as it was met. */
export interface Met {
  readonly program: Key
  readonly what: UnknownKind['what']
  readonly why: Why
  readonly name: string
  readonly sig: Sig
  /** with the discriminator */
  readonly payload: Buffer
}

export interface UnknownBook {
  /** what is noted from here on belongs to this block; one that was there before counts nothing */
  begin(slot: number, time: number): void
  note(met: Met): void
  /** kinds of another book are added to those of this one */
  add(kinds: readonly UnknownKind[]): void
  /** the kinds so far, and none of them from here on */
  drain(): UnknownKind[]
  /** most frequent first */
  kinds(): UnknownKind[]
  /** of them, with those that found no room */
  readonly size: number
}

type Entry = { -readonly [Field in keyof UnknownKind]: UnknownKind[Field] }

const byCount = (a: UnknownKind, b: UnknownKind): number =>
  b.count - a.count ||
  a.firstSlot - b.firstSlot ||
  (a.discriminator < b.discriminator ? -1 : a.discriminator > b.discriminator ? 1 : a.length - b.length)

/** `after`: up to this slot everything was counted before. */
export function createUnknownBook(bounds: UnknownBounds, after = -1): UnknownBook {
  const entries = new Map<string, Entry>()
  const lengths = new Map<string, number>()
  let newest = after
  let counting = true
  let slot = -1
  let time = 0

  /** The entry of `kind`, or of the larger pot that it goes into when there is no room for it. */
  function place(kind: UnknownKind): Entry {
    const family = `${kind.program} ${kind.what} ${kind.discriminator}`
    const id = `${family} ${kind.length} ${kind.why}`
    const known = entries.get(id)
    if (known !== undefined) return known
    if (kind.discriminator !== '' && entries.size >= bounds.kinds)
      return place({ ...kind, name: '', discriminator: '', length: -1, why: 'unknown', signature: '', bytes: '' })
    if (kind.length !== -1 && (lengths.get(family) ?? 0) >= bounds.lengths) return place({ ...kind, length: -1 })
    lengths.set(family, (lengths.get(family) ?? 0) + 1)
    const entry = { ...kind, count: 0 }
    entries.set(id, entry)
    return entry
  }

  function take(kind: UnknownKind): void {
    const entry = place(kind)
    entry.count += kind.count
    entry.firstSlot = Math.min(entry.firstSlot, kind.firstSlot)
    if (kind.lastSlot < entry.lastSlot) return
    entry.lastSlot = kind.lastSlot
    entry.lastTime = Math.max(entry.lastTime, kind.lastTime)
  }

  const kinds = (): UnknownKind[] => [...entries.values()].map((entry) => ({ ...entry })).sort(byCount)

  return {
    begin(nextSlot, nextTime) {
      counting = nextSlot > newest
      newest = Math.max(newest, nextSlot)
      slot = nextSlot
      time = nextTime
    },
    note({ program, what, why, name, sig, payload }) {
      if (!counting) return
      take({
        program: keyToBase58(program),
        what,
        why,
        name,
        discriminator: payload.toString('hex', 0, 8),
        length: payload.length,
        count: 1,
        firstSlot: slot,
        lastSlot: slot,
        lastTime: time,
        signature: sigToBase58(sig),
        bytes: payload.toString('base64', 0, bounds.bytes),
      })
    },
    add(given) {
      for (const kind of given) take(kind)
    },
    drain() {
      const taken = kinds()
      entries.clear()
      lengths.clear()
      return taken
    },
    kinds,
    get size() {
      return entries.size
    },
  }
}

/** Whether all bytes of the first one of the kind were kept. */
export const isWhole = ({ bytes, length }: UnknownKind): boolean => Buffer.from(bytes, 'base64').length === length

/**
 * A transaction that shows the decoder these kinds again, which were met in one and of which all bytes are kept: log lines of
 * their programs for events, instructions without accounts.
 */
export function exampleOf(kinds: readonly UnknownKind[]): RawTransaction {
  const keys: Key[] = []
  const instructions: RawInstruction[] = []
  const logs: string[] = []
  for (const { program: text, what, bytes } of kinds) {
    const program = keyFromBase58(text)
    if (program === null) continue
    if (what === 'event') logs.push(`Program ${text} invoke [1]`, `Program data: ${bytes}`, `Program ${text} success`)
    else {
      if (!keys.includes(program)) keys.push(program)
      const data = Buffer.from(bytes, 'base64')
      instructions.push({ program: keys.indexOf(program), accounts: new Uint8Array(0), data })
    }
  }
  return {
    signature: sigFromBase58(kinds[0]?.signature ?? '') ?? NO_SIG,
    index: -1,
    version: keys.length > 0 ? 'legacy' : null,
    config: null,
    tables: [],
    failed: false,
    keys,
    instructions,
    inner: keys.length > 0 ? [] : null,
    logs,
    preBalances: [],
    postBalances: [],
    preTokens: [],
    postTokens: [],
  }
}
