import type { AppSession } from '@ti/core/contract/app.ts'
import type { Answer } from './ask.ts'

type Reader = Pick<AppSession, 'access' | 'signed_in' | 'plan'>

const timeOf = (ms: number): string =>
  new Date(ms).toLocaleTimeString(undefined, {
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
  })

/**
 * Adds to a 429 when the page continues, and whether a subscription would help. A subscription raises the limit only where
 * reading requires a sign-in. Other answers pass unchanged.
 */
export function withHelp<T>(
  answer: Answer<T>,
  reader: Reader | null,
  now: number = Date.now(),
  clock: (ms: number) => string = timeOf,
): Answer<T> {
  if (answer.ok || answer.status !== 429) return answer
  const { retry_after: seconds } = answer.error
  const when = seconds === undefined ? 'in a minute' : `at ${clock(now + seconds * 1000)}`
  const isLimitedByPlan = reader !== null && reader.access === 'signed-in' && reader.signed_in && reader.plan === 'free'
  const message = isLimitedByPlan
    ? `Your free account has used its reads for this minute. It continues ${when}; for many more, subscribe on the Account page.`
    : `This page has used its requests for this minute. It continues ${when}.`
  return { ...answer, error: { ...answer.error, message } }
}
