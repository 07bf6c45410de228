import type { Options } from '../config/options.ts'
import { createPreparingFace, inWords, type Preparing } from '../faces/http/preparing.ts'
import type { Preparation } from '../node.ts'
import { createProgressBar } from './progress.ts'

/** Shows how far the preparation of the data directory is: on stderr, and to whoever asks the service. */
export interface PreparationShown {
  tell(preparation: Preparation): void
  /** the port is free again afterwards */
  close(): Promise<void>
}

export interface PreparationParts {
  readonly options: Pick<Options, 'host' | 'port' | 'publicUrl'>
  /** gives up the port that was held for the service */
  letGo(): Promise<void>
  /** Unix milliseconds */
  readonly now: () => number
}

/** share that has to be done before the time left is said */
const SHARE_KNOWN = 0.01

export function showPreparation({ options, letGo, now }: PreparationParts): PreparationShown {
  const bar = createProgressBar('preparing', process.stderr)
  let state: Preparing | null = null
  let began = now()
  let face: Promise<ReturnType<typeof createPreparingFace> | null> | null = null

  /** What cannot listen is said when the service itself tries to. */
  async function open() {
    await letGo()
    const made = createPreparingFace(() => state!)
    return made.listen(options.host, options.port).then(
      () => {
        process.stderr.write(`${options.publicUrl} says how far it is until the service answers\n`)
        return made
      },
      () => null,
    )
  }

  return {
    tell({ what, done, of }) {
      if (state?.what !== what) began = now()
      const share = of === 0 ? 1 : done / of
      const leftS = share < SHARE_KNOWN ? null : (((now() - began) / 1_000) * (1 - share)) / share
      state = { what, share, leftS }
      if (share < 1) face ??= open()
      bar.update(share, inWords(state))
    },
    async close() {
      bar.done()
      await (await face)?.close()
    },
  }
}
