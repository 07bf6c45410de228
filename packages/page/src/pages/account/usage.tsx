import type { AppSession } from '@ti/core/contract/app.ts'
import { useEffect } from 'react'
import { useResource } from '../../api/resource.ts'
import { Bar } from '../../ui/bar.tsx'
import { Panel } from '../../ui/panel.tsx'
import css from './account.module.css'
import { dateText, GIVEN } from './account.ts'

/** milliseconds between two polls */
const EVERY_MS = 15_000

/** Calls that the page has used this minute, and stream time left this hour. */
export function Usage({ session, plan }: { session: AppSession | null; plan: 'pro' | 'free' }) {
  const asked = useResource<AppSession>('/app/session', { everyMs: EVERY_MS })
  const { refresh } = asked
  // a change of plan changes the limits at once
  useEffect(() => {
    if (plan !== undefined) refresh()
  }, [plan, refresh])
  const now = asked.data ?? session
  if (now === null) return null
  const { limit, trial } = now
  const used = Math.max(0, limit.limit - limit.remaining)
  return (
    <Panel title="Usage">
      <div className="stack">
        <div className={css.meter}>
          <span>This page, this minute</span>
          <span className="soft">
            {used} of {limit.limit} calls
          </span>
          <Bar value={used} max={limit.limit} label={`${used} of ${limit.limit} calls used`} />
        </div>
        {trial !== null && (
          <div className={css.meter}>
            <span>Streams, this hour</span>
            <span className="soft">{minutes(trial.left_s)} left</span>
            <Bar
              value={GIVEN.trialS - trial.left_s}
              max={GIVEN.trialS}
              label={`${minutes(trial.left_s)} of ${GIVEN.trialS / 60} minutes left, until ${dateText(trial.until)}`}
            />
          </div>
        )}
      </div>
      <p className="soft">
        Calls with a key are counted per key; every answer says how many are left, in <code>X-RateLimit-Remaining</code>
        .
      </p>
    </Panel>
  )
}

const minutes = (seconds: number): string =>
  seconds >= 60 || seconds === 0 ? `${Math.floor(seconds / 60)} min` : `${seconds} s`
