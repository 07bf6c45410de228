import type { AppStatus } from '@ti/core/contract/app.ts'
import { useEffect } from 'react'
import { noteLag } from '../api/clock.ts'
import { useResource } from '../api/resource.ts'
import { useSession } from '../api/session.ts'
import { type Link as LinkState, useStanding } from '../live/streams.ts'
import { SLOT_S } from '../ui/format.ts'
import { Link } from './router.tsx'
import css from './standing.module.css'
import { lagOf } from './standing.ts'

const LINK: Record<LinkState, readonly [word: string, rating: string, meaning: string]> = {
  live: ['live', 'green', 'every trade arrives as it is confirmed'],
  connecting: ['connecting', 'neutral', 'the stream is opening'],
  lost: ['reconnecting', 'yellow', 'the stream was lost and is being reopened; lists are polled meanwhile'],
  refused: ['no stream', 'red', 'you have no stream right now; lists are polled'],
}

/** milliseconds between two requests for the status */
const EVERY_MS = 10_000

/** State of the data: sandbox, lag of the source, stream. */
export function Standing() {
  const link = useStanding()
  const { session } = useSession()
  const status = useResource<AppStatus>('/app/status', { everyMs: EVERY_MS })
  const slots = status.data?.lag_slots ?? 0
  useEffect(() => noteLag(slots * SLOT_S * 1_000), [slots])
  const lag = lagOf(status.data, status.error?.message ?? null)
  return (
    <div className={css.standing}>
      {session?.sandbox && (
        <Link to="/account" className={css.notice} title="Payments use play money on a chain inside the service.">
          Sandbox
        </Link>
      )}
      {lag !== null && (
        <Link to="/status" className={css.item} data-rating={lag.rating} title={lag.meaning}>
          {lag.word}
        </Link>
      )}
      {link !== null && (
        <span className={css.item} data-rating={LINK[link][1]} title={LINK[link][2]}>
          <span className={css.dot} data-link={link} aria-hidden="true" />
          <span className="unseen">Stream: </span>
          <span className={css.word}>{LINK[link][0]}</span>
        </span>
      )}
    </div>
  )
}
