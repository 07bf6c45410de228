import type { CommandDefinition } from './definition.ts'
import type { Io } from './io.ts'
import type { Shown } from './terminal.ts'

/** A command's output on its way to the writer, possibly in another thread. */
export type Said =
  | { readonly kind: 'result'; readonly text: string }
  | { readonly kind: 'note'; readonly line: string }
  | { readonly kind: 'progress'; readonly shown: Shown | null }
  | { readonly kind: 'leaves'; readonly path: string; readonly stays: string | null }
  | { readonly kind: 'left nothing'; readonly path: string }

/** The thread's last message. */
export type Outcome =
  | { readonly kind: 'ended'; readonly exitCode: number }
  | { readonly kind: 'interrupted' }
  | { readonly kind: 'failed'; readonly message: string; readonly exitCode: number }

/** message to the thread */
export const STOP = 'stop'

export interface ThreadData {
  readonly command: CommandDefinition['name']
  readonly args: readonly string[]
  readonly colours: boolean
}

/** `postMs`: progress is forwarded at most this often. */
export function createIo(say: (said: Said) => void, signal: AbortSignal, colours: boolean, postMs: number): Io {
  return {
    colours,
    signal,
    result: (text) => say({ kind: 'result', text }),
    note: (line) => say({ kind: 'note', line }),
    progress(label) {
      let next = 0
      say({ kind: 'progress', shown: { label, share: 0, text: '' } })
      return {
        update(share, text) {
          const now = performance.now()
          if (now < next) return
          next = now + postMs
          say({ kind: 'progress', shown: { label, share, text: text() } })
        },
        done: () => say({ kind: 'progress', shown: null }),
      }
    },
    leaves(path, stays) {
      say({ kind: 'leaves', path, stays: stays ?? null })
      return () => say({ kind: 'left nothing', path })
    },
  }
}

export const exitCodeOf = (returned: unknown): number => (typeof returned === 'number' ? returned : 0)
