import { inWords, type Preparing } from '../faces/http/preparing.ts'
import type { Preparation } from './node.ts'
import type { Ports } from './ports.ts'
import { createProgressBar } from './progress.ts'

interface PreparationParts {
  /** they listen already, and answer with the progress from now on */
  readonly ports: Ports
  /** Unix milliseconds */
  readonly now: () => number
}

/** The estimate of the time left is shown once this share is done. */
const SHARE_KNOWN = 0.01

export const STARTING: Preparing = { what: 'opening the data directory', share: null, leftS: null }

/** Shows the progress of the data directory's preparation, on stderr and in the service's answers. */
export function showPreparation({ ports, now }: PreparationParts) {
  const bar = createProgressBar('preparing', process.stderr)
  let state = STARTING
  let began = now()
  let isSaid = false
  ports.showPreparing(() => state)

  return {
    report({ what, done, of }: Preparation): void {
      if (state.what !== what) began = now()
      const share = of === 0 ? 1 : done / of
      const leftS = share < SHARE_KNOWN ? null : (((now() - began) / 1_000) * (1 - share)) / share
      state = { what, share, leftS }
      if (share < 1 && !isSaid) {
        isSaid = true
        process.stderr.write(`${ports.url} shows progress until the service answers\n`)
      }
      bar.update(share, inWords(state))
    },
    close: (): void => bar.done(),
    /** The service has stopped answering and will be opened again; `why` is shown until then. */
    again(why: string): void {
      state = { what: why, share: null, leftS: null }
      ports.showPreparing(() => state)
    },
  }
}
