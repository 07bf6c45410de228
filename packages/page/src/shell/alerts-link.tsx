import { useSyncExternalStore } from 'react'
import { onUnread, unreadAlerts } from '../alerts/unread.ts'
import { useSession } from '../api/session.ts'
import css from './alerts-link.module.css'
import { Link } from './router.tsx'

const MOST_SHOWN = 99

/** Link to the alerts with the number of unread ones; shown when signed in. */
export function AlertsLink() {
  const { session } = useSession()
  const unread = useSyncExternalStore(onUnread, unreadAlerts, unreadAlerts)
  if (session?.signed_in !== true) return null
  const label = unread === 0 ? 'Alerts' : `Alerts, ${unread} new`
  return (
    <Link to="/account#alerts" className={css.alerts} aria-label={label} title={label}>
      <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
        <path d="M8 2a4 4 0 0 0-4 4c0 3.5-1.5 4.5-1.5 5.5h11C13.5 10.5 12 9.5 12 6a4 4 0 0 0-4-4zM6.5 13.5a1.5 1.5 0 0 0 3 0" />
      </svg>
      {unread > 0 && <span className={css.count}>{unread > MOST_SHOWN ? `${MOST_SHOWN}+` : unread}</span>}
    </Link>
  )
}
