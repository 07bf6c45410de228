import { useSyncExternalStore } from 'react'
import { dismiss, onNotices, shownNotices } from '../ui/notices.ts'
import css from './notices.module.css'
import { Link } from './router.tsx'

export function Notices() {
  const notices = useSyncExternalStore(onNotices, shownNotices, shownNotices)
  return (
    <section className={css.notices} aria-label="Messages" hidden={notices.length === 0}>
      {notices.map(({ id, text, tone, to }) => (
        <div key={id} className={css.notice} data-tone={tone} role={tone === 'bad' ? 'alert' : undefined}>
          <p>
            {to === null ? (
              <bdi>{text}</bdi>
            ) : (
              <Link to={to} onClick={() => dismiss(id)}>
                <bdi>{text}</bdi>
              </Link>
            )}
          </p>
          <button type="button" aria-label="Close the message" onClick={() => dismiss(id)}>
            ×
          </button>
        </div>
      ))}
    </section>
  )
}
