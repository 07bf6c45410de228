import { cut } from './message.ts'
import { type LogStream, messageId, Overtaken } from './stream.ts'
import type { Place, Tail } from './tail.ts'

/** An entry that shall be in the log. */
interface Offered {
  readonly bytes: Buffer
  /** null: it has no place, and no other node writes it */
  readonly place: Place | null
}

/** Those of LIMITS with the same names. */
type PublishBounds = Readonly<Record<'logWindowEntries' | 'logWindowBytes', number>>

interface PublisherOptions {
  readonly stream: Pick<LogStream, 'write' | 'last' | 'partBytes'>
  readonly tail: Pick<Tail, 'at' | 'has'>
  /** once everything up to this message was read */
  readonly reached: (sequence: number) => Promise<void>
  /** a name that no other writer has, nor had */
  readonly writer: string
  /** waits a moment before the next try; `trouble`: why nothing was written, null where another writer was first */
  readonly pause: (trouble: unknown) => Promise<void>
  readonly bounds: PublishBounds
}

/** Writes entries behind the log's end, beside any number of others that do the same. */
export interface Publisher {
  /** resolves when all of them are in the log, by this writer or by another */
  offer(entries: readonly Offered[]): Promise<void>
  /** an entry that was read, by the id of its message */
  saw(id: string): void
}

interface Pending extends Offered {
  /** of the attempts to write it */
  readonly ids: string[]
}

/**
 * Compare-and-set on the stream's last message is the only fence: a message goes in only if what was read before it is all
 * there is. Within a window each message names the one before it by id as well: if another's came in between, its place
 * would have the expected number. The loser re-reads the log and publishes what is still missing; an attempt whose answer was lost
 * is either read or shut out by the next one.
 */
export function createPublisher(options: PublisherOptions): Publisher {
  const { stream, tail, reached, writer, pause, bounds } = options
  const seen = new Set<string>()
  let attempts = 0

  const isIn = ({ place, ids }: Pending): boolean =>
    (place !== null && tail.has(place)) || ids.some((id) => seen.has(id))

  function send(window: readonly Pending[]): Promise<number>[] {
    const { sequence, seq } = tail.at
    const sent: Promise<number>[] = []
    let before: string | null = null
    window.forEach((entry, i) => {
      const id = `${writer}-${attempts++}`
      entry.ids.push(id)
      const pieces = cut(entry.bytes, stream.partBytes)
      pieces.forEach((bytes, part) => {
        const message = { id, seq: seq + 1 + i, part, parts: pieces.length, bytes }
        sent.push(stream.write(message, { sequence: sequence + sent.length, messageId: before }))
        before = messageId(message)
      })
    })
    return sent
  }

  async function lastOf(sent: readonly Promise<number>[]): Promise<number> {
    const results = await Promise.allSettled(sent)
    const last = results.at(-1)!
    if (last.status === 'fulfilled') return last.value
    // who has just lost lets the winner go on; what follows the first that was refused was overtaken in any case
    const refused = results.find((result) => result.status === 'rejected')
    await pause(refused?.reason instanceof Overtaken ? null : refused?.reason)
    return stream.last()
  }

  return {
    async offer(entries) {
      let left: Pending[] = withoutRepeats(entries).map((entry) => ({ ...entry, ids: [] }))
      for (;;) {
        // in one turn: what is still missing, and where the log ends
        left = left.filter((entry) => !isIn(entry))
        if (left.length === 0) break
        await reached(await lastOf(send(windowOf(left, bounds))))
      }
      seen.clear()
    },
    saw(id) {
      if (id.startsWith(`${writer}-`)) seen.add(id)
    },
  }
}

/** A source may say a slot twice; what comes behind it in the same window is numbered as if it had not. */
function withoutRepeats(entries: readonly Offered[]): readonly Offered[] {
  let newest: Place | null = null
  return entries.filter(({ place }) => {
    if (place === null) return true
    const repeats =
      newest !== null && (place.slot < newest.slot || (place.slot === newest.slot && place.facts <= newest.facts))
    if (!repeats) newest = place
    return !repeats
  })
}

function windowOf(entries: readonly Pending[], bounds: PublishBounds): readonly Pending[] {
  let bytes = 0
  const end = entries.findIndex((entry, i) => {
    bytes += entry.bytes.length
    return i >= bounds.logWindowEntries || (i > 0 && bytes > bounds.logWindowBytes)
  })
  return end < 0 ? entries : entries.slice(0, end)
}
