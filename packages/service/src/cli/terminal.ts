import { PROGRESS, progressLine } from '../service/progress.ts'

/** A command's progress as last reported. */
export interface Shown {
  readonly label: string
  /** 0 to 1. */
  readonly share: number
  readonly text: string
}

/**
 * Shows progress on stderr at fixed times, independent of how often it is reported: first after
 * PROGRESS.firstMs. A terminal shows one line that is redrawn; other outputs get a line now and then.
 */
export type Terminal = ReturnType<typeof createTerminal>

export function createTerminal(out: NodeJS.WriteStream = process.stderr) {
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
    timer = setTimeout(draw, out.isTTY ? PROGRESS.redrawMs : PROGRESS.lineMs)
  }
  const stop = (): void => {
    if (timer !== null) clearTimeout(timer)
    timer = null
  }
  return {
    /** Null: no long work is running. */
    show(next: Shown | null): void {
      if (next === null) {
        stop()
        clear()
      } else if (shown === null || shown.label !== next.label) {
        since = performance.now()
        stop()
        timer = setTimeout(draw, PROGRESS.firstMs)
      }
      shown = next
      if (next !== null) last = next.share
    },
    /** Prints a line of its own. */
    note(line: string): void {
      clear()
      out.write(`${line}\n`)
    },
    /** The share shown last; null if none. */
    get share(): number | null {
      return last
    },
    close(): void {
      stop()
      clear()
      shown = null
    },
  }
}
