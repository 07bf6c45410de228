import type { AppSession } from '@ti/core/contract/app.ts'
import { useEffect, useRef } from 'react'
import { useOwnAlerts } from '../live/streams.ts'
import type { Alert } from './alert.ts'
import { alerts } from './alerts.ts'
import { isNotifying, setNotifying } from './browser.ts'
import { kept } from './kept.ts'

/** milliseconds between two polls without a stream */
const POLL_MS = 15_000

/** Follows the alerts of the account that is signed in. Accounts with limited stream time poll instead of opening a stream. */
export default function Follower({ session: { wallet, trial } }: { session: AppSession }) {
  useEffect(() => {
    alerts.of(wallet)
    setNotifying(wallet !== null && kept(wallet).notify)
    return () => alerts.of(null)
  }, [wallet])
  const joined = useOwnAlerts(wallet !== null && trial === null, {
    onAlert: (payload) => alerts.heard((payload as { data: Alert }).data),
    // fetches alerts from before the join or from a lost connection
    onJoin: () => void alerts.catchUp(),
  })
  const polling = !joined
  const last = useRef(0)
  useEffect(() => {
    if (!polling) return
    const look = (): void => {
      if ((document.hidden && !isNotifying()) || Date.now() - last.current < POLL_MS / 2) return
      last.current = Date.now()
      void alerts.catchUp()
    }
    const timer = setInterval(look, POLL_MS)
    document.addEventListener('visibilitychange', look)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', look)
    }
  }, [polling])
  return null
}
