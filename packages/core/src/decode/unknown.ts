import { keyFromBase58, keyToBase58, sigFromBase58, sigToBase58 } from '../base/base58.ts'
import { type Key, NO_SIG, type Sig } from '../base/ids.ts'
import type { RawInstruction, RawTransaction } from '../model/raw.ts'

export const UNKNOWN = {
  /** kinds with bytes of their own: an upgrade of a program brings one to ten; a series of /metrics each. Further ones are
   * counted by program */
  kinds: 64,
  /** lengths of one discriminator: a payload with a name in it has dozens, eight show that it varies. Further ones are counted
   * together */
  lengths: 8,
  /** bytes kept of a kind: the longest event known has some 600, and a log holds 10 kB for the whole transaction */
  bytes: 1_024,
}

/**
 * A kind of payload, from a program whose events are read, that no decoder knows: a sign of an upgrade. A kind is one
 * program, discriminator and length, with one reason.
 */
export interface UnknownKind {
  /** Base58. */
  readonly program: string
  readonly what: 'event' | 'instruction'
  readonly why: Why
  /** The name in the interface file, '' if none. */
  readonly name: string
  /** The first eight bytes or fewer in hex; '' for kinds counted together. */
  readonly discriminator: string
  /** Bytes including the discriminator; -1 for lengths counted together. */
  readonly length: number
  readonly count: number
  readonly firstSlot: number
  readonly lastSlot: number
  /** Block time of the last one, Unix seconds; 0 if unknown. */
  readonly lastTime: number
  /** Base58, of the first one; '' if unknown. */
  readonly signature: string
  /** The beginning of the first one, base64. */
  readonly bytes: string
}

/**
 * `unknown`: the discriminator is in no interface file; `too_short`: shorter than any known layout; `guard`: a part is
 * impossible; `length`: it does not end at a field's end. With the last two, the reliable part was read.
 */
export type Why = (typeof WHYS)[number]
export const WHYS = ['unknown', 'too_short', 'guard', 'length'] as const

/** One unknown payload. */
export interface Met {
  readonly program: Key
  readonly what: UnknownKind['what']
  readonly why: Why
  readonly name: string
  readonly sig: Sig
  /** Including the discriminator. */
  readonly payload: Buffer
}

export interface UnknownBook {
  /** Starts a block, unless it was counted before. */
  begin(slot: number, time: number): void
  note(met: Met): void
  /** Merges kinds of another book. */
  add(kinds: readonly UnknownKind[]): void
  /** Returns the kinds and clears the book. */
  drain(): UnknownKind[]
  /** Most frequent first. */
  kinds(): UnknownKind[]
  /** The number of kinds, including the merged ones. */
  readonly size: number
}

type Entry = { -readonly [Field in keyof UnknownKind]: UnknownKind[Field] }

const byCount = (a: UnknownKind, b: UnknownKind): number =>
  b.count - a.count ||
  a.firstSlot - b.firstSlot ||
  (a.discriminator < b.discriminator ? -1 : a.discriminator > b.discriminator ? 1 : a.length - b.length)

/** `after`: the slot up to which everything was counted before. */
export function createUnknownBook(bounds: Readonly<typeof UNKNOWN> = UNKNOWN, after = -1): UnknownBook {
  const entries = new Map<string, Entry>()
  const lengths = new Map<string, number>()
  let newest = after
  let counting = true
  let slot = -1
  let time = 0

  /** The entry of `kind`, or the merged entry it belongs to if there is no room. */
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

/** True if all bytes of the kind's first payload were stored. */
export const isWhole = ({ bytes, length }: UnknownKind): boolean => Buffer.from(bytes, 'base64').length === length

/** A transaction that reproduces these kinds, all stored whole: log lines for events, instructions without accounts. */
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
    signers: 0,
    instructions,
    inner: keys.length > 0 ? [] : null,
    logs,
    preBalances: [],
    postBalances: [],
    preTokens: [],
    postTokens: [],
  }
}
