import type { Options } from '../config/options.ts'
import type { Listener } from '../faces/http/listener.ts'
import { createPreparingFace, inWords, type Preparing } from '../faces/http/preparing.ts'
import type { Preparation } from './node.ts'
import { createProgressBar } from './progress.ts'

/** Shows the progress of the data directory's preparation, on stderr and in the service's answers. */
interface PreparationShown {
  report(preparation: Preparation): void
  close(): void
  /** The service has stopped answering and will be opened again. */
  again(): void
}

interface PreparationParts {
  readonly options: Pick<Options, 'publicUrl'>
  /** listens already; from now on what is shown here is what it says */
  readonly listener: Listener
  /** Unix milliseconds */
  readonly now: () => number
}

/** The estimate of the time left is shown once this share is done. */
const SHARE_KNOWN = 0.01

export const STARTING: Preparing = { what: 'opening the data directory', share: 0, leftS: null }

export function showPreparation({ options, listener, now }: PreparationParts): PreparationShown {
  const bar = createProgressBar('preparing', process.stderr)
  let state = STARTING
  let began = now()
  let isSaid = false
  const face = createPreparingFace(() => state, listener)
  face.show()

  return {
    report({ what, done, of }) {
      if (state.what !== what) began = now()
      const share = of === 0 ? 1 : done / of
      const leftS = share < SHARE_KNOWN ? null : (((now() - began) / 1_000) * (1 - share)) / share
      state = { what, share, leftS }
      if (share < 1 && !isSaid) {
        isSaid = true
        process.stderr.write(`${options.publicUrl} shows progress until the service answers\n`)
      }
      bar.update(share, inWords(state))
    },
    close: () => bar.done(),
    again() {
      state = STARTING
      face.show()
    },
  }
}
