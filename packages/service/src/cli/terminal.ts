import { LIMITS } from '../config/limits.ts'
import { progressLine } from '../service/progress.ts'

/** How far a command is, as it last said. */
export interface Shown {
  readonly label: string
  /** 0 to 1 */
  readonly share: number
  readonly text: string
}

/**
 * Progress on stderr by the clock, not by what the work says: the first line after LIMITS.progress.firstMs, with what is known
 * by then. On a terminal one line redraws itself, elsewhere a line comes now and then.
 */
export interface Terminal {
  /** null: nothing long is going on */
  show(shown: Shown | null): void
  /** a line of its own */
  note(line: string): void
  /** share that was shown last; null: none */
  readonly share: number | null
  close(): void
}

export function createTerminal(out: NodeJS.WriteStream = process.stderr): Terminal {
  let shown: Shown | null = null
  let last: number | null = null
  let since = 0
  let isDrawn = false
  let timer: NodeJS.Timeout | null = null

  const clear = (): void => {
    if (isDrawn && out.isTTY) out.write('\r\x1b[2K')
    isDrawn = false
  }
  const draw = (): void => {
    if (shown === null) return
    const line = progressLine(shown, performance.now() - since)
    out.write(out.isTTY ? `\r\x1b[2K${line}` : `${line}\n`)
    isDrawn = true
    timer = setTimeout(draw, out.isTTY ? LIMITS.progress.redrawMs : LIMITS.progress.lineMs)
  }
  const stop = (): void => {
    if (timer !== null) clearTimeout(timer)
    timer = null
  }
  return {
    show(next) {
      if (next === null) {
        stop()
        clear()
      } else if (shown === null || shown.label !== next.label) {
        since = performance.now()
        stop()
        timer = setTimeout(draw, LIMITS.progress.firstMs)
      }
      shown = next
      if (next !== null) last = next.share
    },
    note(line) {
      clear()
      out.write(`${line}\n`)
    },
    get share() {
      return last
    },
    close() {
      stop()
      clear()
      shown = null
    },
  }
}
