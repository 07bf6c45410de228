/** Progress of long work on stderr: a bar that redraws itself on a terminal, a line now and then elsewhere. */
export interface ProgressBar {
  /** `share`: 0 to 1 */
  update(share: number, text: string): void
  done(): void
}

const WIDTH = 30
const REDRAW_MS = 100
const LINE_MS = 5_000

export function createProgressBar(label: string, out: NodeJS.WriteStream = process.stderr): ProgressBar {
  const every = out.isTTY ? REDRAW_MS : LINE_MS
  let last = Date.now()
  let drawn = false

  return {
    update(share, text) {
      const now = Date.now()
      if (now - last < every) return
      last = now
      const part = Math.max(0, Math.min(1, share))
      const filled = Math.round(part * WIDTH)
      const bar = `${'█'.repeat(filled)}${'░'.repeat(WIDTH - filled)}`
      const line = `${label} ${bar} ${(part * 100).toFixed(0).padStart(3)} % ${text}`
      out.write(out.isTTY ? `\r\x1b[2K${line}` : `${line}\n`)
      drawn = true
    },
    done() {
      if (drawn && out.isTTY) out.write('\r\x1b[2K')
    },
  }
}
