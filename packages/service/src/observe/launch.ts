import { keyToBase58, sigToBase58 } from '@ti/core/base/base58.ts'
import { NO_SIG } from '@ti/core/base/ids.ts'
import type { Logger } from '../base/log.ts'
import { createAsker, type Outcome } from './asker.ts'
import type { Pause } from './attempts.ts'
import type { BudgetedRpc } from './budgeted-rpc.ts'
import type { Surroundings } from './clock.ts'
import { createHistory, unanswered } from './funder/history.ts'
import type { MissingFacts, Observer, ReadCreation, Report, WithoutLaunch } from './types.ts'

/** tokens at once, pages of a token, and failures until a token is given up */
export const AT_ONCE = 2
export const LAUNCH_PAGES = 10
export const FAILURES = 3

const FAILED: Pause = { firstMs: 20_000, factor: 4, longestMs: 3_600_000 }

interface LaunchOptions {
  readonly missing: MissingFacts
  readonly report: Report
  readonly rpc: BudgetedRpc
  readonly readCreation: ReadCreation
  readonly logger: Logger
  readonly around: Surroundings
}

/** Finds the creation of tokens first met later: in the oldest transactions of the mint, within a budget of requests. */
export function createLaunchObserver({ missing, report, rpc, readCreation, logger, around }: LaunchOptions): Observer {
  const history = createHistory(rpc)

  return createAsker<WithoutLaunch>({
    name: 'launch',
    list: (limit) => missing.tokensWithoutLaunch(limit),
    subject: ({ mint }) => mint,
    together: AT_ONCE,
    pauses: { failed: FAILED },
    failuresMax: FAILURES,
    logger,
    around,
    async look({ mint, met }, signal): Promise<Outcome> {
      const before = met === NO_SIG ? undefined : sigToBase58(met)
      const signed = await history.oldest(keyToBase58(mint), LAUNCH_PAGES, signal, before)
      if ('end' in signed) return signed
      for (const { signature } of signed) {
        const answer = await history.whole(signature, signal)
        if (!answer.ok) return unanswered(answer.reason)
        const fact = readCreation(answer.value, mint)
        if (fact === null) continue
        if (!signal.aborted) report([fact], around.clock.seconds())
        return { end: 'reported', as: 'reported' }
      }
      return { end: 'never', as: signed.length === 0 ? 'no_history' : 'no_creation' }
    },
  })
}
