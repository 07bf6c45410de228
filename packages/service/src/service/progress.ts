import { duration, pct } from '@ti/core/base/format.ts'

export const PROGRESS = {
  /** milliseconds after which long work shows how far it is */
  firstMs: 200,
  /** milliseconds between two pictures on a terminal, and between two lines elsewhere */
  redrawMs: 100,
  lineMs: 5_000,
}

const WIDTH = 30

/** `replay ███░░ 56%, 12 s left  20017 trades` */
export function progressLine(
  { label, share, text }: { readonly label: string; readonly share: number; readonly text: string },
  passedMs: number | null,
): string {
  const part = Math.max(0, Math.min(1, share))
  const filled = Math.round(part * WIDTH)
  const bar = `${'█'.repeat(filled)}${'░'.repeat(WIDTH - filled)}`
  const left = passedMs === null || part < SHARE_KNOWN ? '' : `, ${duration((passedMs / 1000) * (1 / part - 1))} left`
  return `${label} ${bar} ${percent(part)}${left}${text === '' ? '' : `  ${text}`}`
}

/** The estimate of the time left is shown once this share is done. */
const SHARE_KNOWN = 0.005

/** Never 100% before the end. */
export const percent = (share: number): string => pct(Math.floor(share * 100))

/** A bar for work in this thread, such as the preparation of a node. */
export function createProgressBar(label: string, out: NodeJS.WriteStream) {
  const every = out.isTTY ? PROGRESS.redrawMs : PROGRESS.lineMs
  let next = Date.now() + PROGRESS.firstMs
  let drawn = false

  return {
    /** `share`: 0 to 1 */
    update(share: number, text: string): void {
      const now = Date.now()
      if (now < next) return
      next = now + every
      const line = progressLine({ label, share, text }, null)
      out.write(out.isTTY ? `\r\x1b[2K${line}` : `${line}\n`)
      drawn = true
    },
    done(): void {
      if (drawn && out.isTTY) out.write('\r\x1b[2K')
    },
  }
}
