import { useEffect, useRef, useState } from 'react'
import { type Alert, alertPath, linksElsewhere } from '../../alerts/alert.ts'
import { alerts, useAlerts } from '../../alerts/alerts.ts'
import { askToNotify, notifying, setNotifying } from '../../alerts/browser.ts'
import { keep, kept } from '../../alerts/kept.ts'
import { HELD_MAX } from '../../alerts/store.ts'
import { refusalInWords } from '../../api/refusal.ts'
import { Link } from '../../shell/router.tsx'
import { announce } from '../../ui/announce.ts'
import { Button } from '../../ui/controls.tsx'
import { Flag } from '../../ui/flag.tsx'
import { ExternalLink } from '../../ui/links.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Empty, Failure, Skeleton } from '../../ui/states.tsx'
import { Ago } from '../../ui/values.tsx'
import css from './account.module.css'
import { Part } from './parts.tsx'

/** alerts shown at first and added by each click */
const PAGE = 15

/** Alerts of the account, newest first. Alerts that were new on arrival stay marked. */
export function AlertList({ wallet }: { wallet: string }) {
  const { alerts: all, more, failure } = useAlerts()
  const [shown, setShown] = useState(PAGE)
  const [busy, setBusy] = useState(false)
  const list = useRef<HTMLDivElement>(null)
  const [readBefore] = useState(() => kept(wallet).read)
  useRead(list, all?.[0]?.seq ?? 0)
  const older = async (): Promise<void> => {
    const wanted = shown + PAGE
    setBusy(true)
    if (all !== null && wanted > all.length && more) await alerts.older()
    setBusy(false)
    setShown(wanted)
  }
  const total = all?.length ?? 0
  return (
    <Part id="alerts">
      <Panel title="Alerts" note="newest first" actions={<Notifications wallet={wallet} />}>
        <div ref={list}>
          {all === null && failure === null && <Skeleton lines={4} />}
          {failure !== null && (
            <Failure error={{ message: refusalInWords(failure) }} retry={() => void alerts.catchUp()} />
          )}
          {all !== null && total === 0 && (
            <Empty>No alert yet. What you watch is reported here as soon as it happens.</Empty>
          )}
          {all !== null && total > 0 && (
            <ol className={css.rows} aria-label="Alerts">
              {all.slice(0, shown).map((alert) => (
                <Line key={alert.seq} alert={alert} isNew={alert.seq > readBefore} />
              ))}
            </ol>
          )}
          {all !== null && (shown < total || (more && total < HELD_MAX)) && (
            <Button disabled={busy} onClick={() => void older()}>
              Older alerts
            </Button>
          )}
        </div>
      </Panel>
    </Part>
  )
}

/** Marks alerts as read when the list is in view on a visible page. */
function useRead(list: { readonly current: HTMLElement | null }, newest: number): void {
  useEffect(() => {
    const box = list.current
    if (box === null || newest === 0) return
    const seen = new IntersectionObserver((entries) => {
      if (!document.hidden && entries.some(({ isIntersecting }) => isIntersecting)) alerts.markRead()
    })
    const look = () => {
      seen.unobserve(box)
      seen.observe(box)
    }
    look()
    document.addEventListener('visibilitychange', look)
    return () => {
      seen.disconnect()
      document.removeEventListener('visibilitychange', look)
    }
  }, [list, newest])
}

function Line({ alert, isNew }: { alert: Alert; isNew: boolean }) {
  const elsewhere = linksElsewhere(alert, location.origin)
  return (
    <li data-new={isNew || undefined} data-alert={alert.seq}>
      <p>
        {isNew && <Flag rating="yellow">new</Flag>}{' '}
        <Link to={alertPath(alert)}>
          <bdi>{alert.title}</bdi>
        </Link>
      </p>
      <span className="soft">
        <Ago at={alert.at} /> ago
      </span>
      <ul className={`row soft ${css.wide}`}>
        <li>
          <bdi>{alert.text}</bdi>
        </li>
        <li>
          watch <bdi>{alert.watch.name}</bdi>
        </li>
        {alert.mint !== null && alert.wallet !== null && (
          <li>
            <Link to={`/trader/${alert.wallet}`}>its wallet</Link>
          </li>
        )}
        {elsewhere.map(({ label, url }) => (
          <li key={url}>
            <ExternalLink href={url}>{label}</ExternalLink>
          </li>
        ))}
      </ul>
    </li>
  )
}

/** Turns browser notifications on and off; renders nothing where they are impossible or denied. */
function Notifications({ wallet }: { wallet: string }) {
  const [on, setOn] = useState(() => kept(wallet).notify && notifying() === 'granted')
  const [possible, setPossible] = useState(notifying)
  if (possible === null) return null
  const turn = async (): Promise<void> => {
    const next = !on && (await askToNotify())
    keep(wallet, { notify: next })
    setNotifying(next)
    setOn(next)
    setPossible(notifying())
    announce(next ? 'This browser will show alerts while the page is open' : 'Notifications are off')
  }
  return (
    <Button look="quiet" title="While this page is open in a tab" onClick={() => void turn()}>
      {on ? 'Turn notifications off' : 'Notify me in this browser'}
    </Button>
  )
}
