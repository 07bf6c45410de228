import type { Delivered } from '@ti/service/log/jetstream/message.ts'
import { LogLost, type LogStream, messageId, Overtaken } from '@ti/service/log/jetstream/stream.ts'

/** What may go wrong with one write. */
export interface WriteFaults {
  /** shares of writes whose request is lost, whose answer is lost, and that go in long after they were given up */
  readonly lost: number
  readonly unheard: number
  readonly late: number
}

export interface FakeStream {
  /** everything that went in */
  readonly messages: readonly Delivered[]
  /** what one client of it sees */
  open(): LogStream
  /** as when every server comes back empty */
  lose(): void
}

/** A stream in memory with the server's rules for what goes in, and a network that `random` makes. */
export function createFakeStream(random: () => number, faults: WriteFaults, partBytes: number): FakeStream {
  const messages: Delivered[] = []
  const known = new Map<string, number>()
  const late: (() => unknown)[] = []
  const wakes: (() => void)[] = []
  let version = 0

  const turns = async (): Promise<void> => {
    for (let left = Math.floor(random() * 4); left >= 0; left--) await new Promise(setImmediate)
  }

  function store(...[message, expected]: Parameters<LogStream['write']>): number {
    const id = messageId(message)
    const twice = known.get(id)
    if (twice !== undefined) return twice
    const last = messages.at(-1)
    if (expected.messageId !== null && (last === undefined || messageId(last) !== expected.messageId)) {
      throw new Overtaken('wrong last msg ID')
    }
    if (expected.sequence !== messages.length) throw new Overtaken(`wrong last sequence: ${messages.length}`)
    messages.push({ ...message, sequence: messages.length + 1, pending: 0 })
    known.set(id, messages.length)
    wakeAll()
    return messages.length
  }

  function wakeAll(): void {
    for (const wake of wakes.splice(0)) wake()
  }

  function settle(): void {
    for (const go of late.splice(0)) {
      try {
        go()
      } catch {
        // others were faster
      }
    }
  }

  const open = (): LogStream => {
    let mine = version
    const assertThere = (): void => {
      if (mine !== version) throw new LogLost('the servers came back empty')
    }
    // a connection keeps the order of what is sent over it
    let before: Promise<unknown> = Promise.resolve()
    return {
      partBytes,
      async write(message, expected) {
        if (random() < 0.3) settle()
        const turn = before.then(turns)
        before = turn
        await turn
        assertThere()
        const fate = random()
        if (fate < faults.lost) throw new Error('timeout')
        if (fate < faults.lost + faults.late) {
          const then = version
          late.push(() => then === version && store(message, expected))
          throw new Error('timeout')
        }
        const sequence = store(message, expected)
        await turns()
        if (random() < faults.unheard) throw new Error('timeout')
        return sequence
      },
      async *messages(after, signal) {
        let read = after
        signal.addEventListener('abort', wakeAll, { once: true })
        while (!signal.aborted) {
          await turns()
          assertThere()
          const found = messages.slice(read, read + 1 + Math.floor(random() * 5))
          read += found.length
          if (found.length > 0) yield found
          else if (!signal.aborted) await new Promise<void>((wake) => void wakes.push(wake))
        }
      },
      async last() {
        await turns()
        assertThere()
        return messages.length
      },
      async locate(seq) {
        assertThere()
        const next = messages.findIndex((message) => message.seq > seq)
        const end = messages.at(-1)?.seq ?? -1
        if (next < 0 && end < seq) return { ahead: end, sequence: messages.length }
        if (next >= 0 && messages[next]!.seq > seq + 1) return { behind: messages[next]!.seq }
        return { after: next < 0 ? messages.length : next }
      },
      async chain() {
        await turns()
        return messages.at(-1)?.chain ?? null
      },
      async renew() {
        await turns()
        mine = version
      },
      isAway: () => false,
      close: async () => {},
    }
  }

  return {
    messages,
    open,
    lose() {
      version++
      messages.length = 0
      known.clear()
      wakeAll()
    },
  }
}
