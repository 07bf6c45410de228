import { cut, type LogMessage } from './message.ts'
import { type LogStream, messageId, Overtaken } from './stream.ts'
import type { Place, Tail } from './tail.ts'

/** entries, and bytes, that a writer sends before it waits to read them back: some seconds of mainnet at most */
const WINDOW_ENTRIES = 256
const WINDOW_BYTES = 8 << 20

/** An entry to be written to the log. */
interface Offered {
  readonly bytes: Buffer
  /** Null if it has no place in the source's order, so no other node writes it. */
  readonly place: Place | null
}

interface PublisherOptions {
  readonly stream: Pick<LogStream, 'write' | 'last' | 'partBytes'>
  readonly tail: Pick<Tail, 'at' | 'has'>
  /** Resolves once everything up to this message was read. */
  readonly reached: (sequence: number) => Promise<void>
  /** A name that no other writer has or had. */
  readonly writer: string
  /** Resolves while the log may be written. */
  readonly ready: () => Promise<void>
  /** Waits before the next attempt. `trouble` is the error, or null if another writer was first. */
  readonly pause: (trouble: unknown) => Promise<void>
}

/** Writes entries to the end of the log, concurrently with other writers. */
export type Publisher = ReturnType<typeof createPublisher>

interface Pending extends Offered {
  /** The ids of the attempts to write it. */
  readonly ids: string[]
}

/**
 * The only fence is a compare-and-set on the stream's last message: a message is accepted only if the writer has read
 * everything before it. Within a window each message also names the previous one by id, because a foreign message in
 * between would have just the expected sequence number. A losing writer re-reads the log and publishes the missing
 * entries. An attempt without an answer is either read or excluded by the next one.
 */
export function createPublisher(options: PublisherOptions) {
  const { stream, tail, reached, writer, ready, pause } = options
  const seen = new Set<string>()
  let attempts = 0

  const isIn = ({ place, ids }: Pending): boolean =>
    (place !== null && tail.has(place)) || ids.some((id) => seen.has(id))

  function send(window: readonly Pending[]): Promise<number>[] {
    const { sequence, seq } = tail.at
    let { chain } = tail.at
    for (const { ids } of window) ids.push(`${writer}-${attempts++}`)
    return sendBehind(
      stream,
      sequence,
      window.map(({ bytes, ids, place }, i) => {
        chain = place?.chain ?? chain
        return { id: ids.at(-1)!, seq: seq + 1 + i, bytes, chain }
      }),
    )
  }

  async function lastOf(sent: readonly Promise<number>[]): Promise<number> {
    const results = await Promise.allSettled(sent)
    const last = results.at(-1)!
    if (last.status === 'fulfilled') return last.value
    // a writer that has just lost lets the winner continue; everything after the first rejected message was overtaken
    // anyway
    const refused = results.find((result) => result.status === 'rejected')
    await pause(refused?.reason instanceof Overtaken ? null : refused?.reason)
    return stream.last()
  }

  return {
    /** Resolves when all entries are in the log, written by this or another writer. */
    async offer(entries: readonly Offered[]): Promise<void> {
      let left: Pending[] = withoutRepeats(entries).map((entry) => ({ ...entry, ids: [] }))
      for (;;) {
        await ready()
        // one synchronous step: the missing entries and the end of the log
        left = left.filter((entry) => !isIn(entry))
        if (left.length === 0) break
        await reached(await lastOf(send(windowOf(left))))
      }
      seen.clear()
    },
    /** Must be called for each entry read, with its message id. */
    saw(id: string): void {
      if (id.startsWith(`${writer}-`)) seen.add(id)
    },
  }
}

/** Sends entries that must come right behind message `sequence`, each behind the one before it. */
export function sendBehind(
  stream: Pick<LogStream, 'write' | 'partBytes'>,
  sequence: number,
  entries: readonly Omit<LogMessage, 'sequence' | 'part' | 'parts'>[],
): Promise<number>[] {
  const sent: Promise<number>[] = []
  let before: string | null = null
  for (const { bytes: whole, ...entry } of entries) {
    const pieces = cut(whole, stream.partBytes)
    pieces.forEach((bytes, part) => {
      const message = { ...entry, part, parts: pieces.length, bytes }
      sent.push(stream.write(message, { sequence: sequence + sent.length, messageId: before }))
      before = messageId(message)
    })
  }
  return sent
}

/** Drops repeated slots of a source, which would shift the numbers of later entries in the window. */
function withoutRepeats(entries: readonly Offered[]): readonly Offered[] {
  let newest: Place | null = null
  return entries.filter(({ place }) => {
    if (place === null || place.chain !== undefined) return true
    const repeats =
      newest !== null && (place.slot < newest.slot || (place.slot === newest.slot && place.facts <= newest.facts))
    if (!repeats) newest = place
    return !repeats
  })
}

/** As many of the entries as are sent at once, at least one. */
export function windowOf<T extends { readonly bytes: Buffer }>(entries: readonly T[]): readonly T[] {
  let bytes = 0
  const end = entries.findIndex((entry, i) => {
    bytes += entry.bytes.length
    return i >= WINDOW_ENTRIES || (i > 0 && bytes > WINDOW_BYTES)
  })
  return end < 0 ? entries : entries.slice(0, end)
}
