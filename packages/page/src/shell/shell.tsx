import { lazy, Suspense, useEffect, useRef } from 'react'
import { useSession } from '../api/session.ts'
import { setRegion } from '../ui/announce.ts'
import { Page as Frame } from '../ui/page.tsx'
import { Skeleton } from '../ui/states.tsx'
import { useTitle } from '../ui/title.ts'
import { useAccountOfWatches } from '../watch/watches.ts'
import { Boundary } from './boundary.tsx'
import { Header } from './header.tsx'
import { Notices } from './notices.tsx'
import { pageOf } from './pages.ts'
import { Link, placeLeft, scrollBackTo, useRoute } from './router.tsx'
import { match } from './routes.ts'
import css from './shell.module.css'

/** loaded only when signed in; the page works without it */
const Follower = lazy(() => import('../alerts/follower.tsx').catch(() => ({ default: () => null })))

/** Frame of every page: skip link, header, page, notices and live region. */
export function Shell() {
  const { path } = useRoute()
  const { session } = useSession()
  useAccountOfWatches()
  const main = useRef<HTMLElement>(null)
  const shown = useRef(path)
  useEffect(() => {
    if (shown.current === path) return
    shown.current = path
    // a new page starts at the top, also for the keyboard; a page gone back to is where it was
    main.current?.focus({ preventScroll: true })
    return scrollBackTo(placeLeft()?.y ?? 0)
  }, [path])
  const found = match(path)
  const Page = found === null ? null : pageOf(found.page)
  return (
    <div className={css.frame} data-page={found?.page}>
      <a className={css.skip} href="#main">
        Skip to the content
      </a>
      <Header page={found?.page ?? null} />
      <main id="main" ref={main} tabIndex={-1} className={css.main} data-page={found?.page}>
        <Boundary key={path}>
          <Suspense fallback={<Skeleton lines={8} />}>
            {found === null || Page === null ? <NoPage /> : <Page id={found.id} />}
          </Suspense>
        </Boundary>
      </main>
      <Notices />
      {session?.signed_in === true && (
        <Suspense fallback={null}>
          <Follower session={session} />
        </Suspense>
      )}
      <div ref={setRegion} className="unseen" role="status" aria-live="polite" />
    </div>
  )
}

function NoPage() {
  useTitle('Not found')
  return (
    <Frame title="Page not found" lead="There is no page at this address: it may be mistyped or cut off.">
      <p>
        Search for a token, a wallet or a crew above, or go <Link to="/">to the board</Link>.
      </p>
    </Frame>
  )
}
