import { useState } from 'react'
import { refusalInWords } from '../../api/refusal.ts'
import { useResource } from '../../api/resource.ts'
import { useSession } from '../../api/session.ts'
import { Link, useRoute } from '../../shell/router.tsx'
import { match } from '../../shell/routes.ts'
import { Page as Frame } from '../../ui/page.tsx'
import { Failure, Skeleton } from '../../ui/states.tsx'
import { useTitle } from '../../ui/title.ts'
import css from './account.module.css'
import type { AccountAnswer } from './account.ts'
import { SignedIn } from './signed-in.tsx'
import { SignedOut } from './signed-out.tsx'
import { rightAddress } from './words.ts'

export default function Page() {
  const { session, error: refused, refresh } = useSession()
  /** milliseconds between polls of the account while a payment is pending */
  const [everyMs, setEveryMs] = useState<number | null>(null)
  const account = useResource<AccountAnswer>('/account/session', everyMs === null ? {} : { everyMs })
  useTitle('Account')

  const { data, error, meta } = account
  const elsewhere = rightAddress(location.origin, session?.public_url ?? null, refused?.origin ?? null)
  const changed = () => {
    account.refresh()
    void refresh()
  }
  if (data === null) {
    return (
      <Frame title="Account">
        {account.state === 'failed' && error !== null ? (
          <Failure error={{ message: refusalInWords({ status: error.status, error }) }} retry={account.refresh} />
        ) : (
          <Skeleton lines={6} />
        )}
      </Frame>
    )
  }
  return (
    <div className="stack">
      {elsewhere !== null && (
        <div className={css.notice} role="note">
          This page is open at {location.origin}, but signing in works only at the service’s own address:{' '}
          <a href={elsewhere}>{elsewhere}</a>
        </div>
      )}
      <Return signedIn={data.signed_in} />
      {data.signed_in ? (
        <SignedIn
          account={data}
          session={session}
          seenAt={meta?.cached_at ?? null}
          trouble={error === null ? null : refusalInWords({ status: error.status, error })}
          onChange={changed}
          onWatch={setEveryMs}
        />
      ) : (
        <SignedOut session={session} onSignIn={changed} />
      )}
    </div>
  )
}

/** Links back to the page whose star was clicked. */
function Return({ signedIn }: { signedIn: boolean }) {
  const from = useRoute().query.get('watch')
  if (from === null || match(from.split('?')[0]!) === null) return null
  return (
    <div className={css.notice} role="note">
      {signedIn ? 'You are signed in. ' : 'Watching needs an account: sign in with your wallet below. '}
      <Link to={from}>{signedIn ? 'Go back and watch it' : 'Go back'}</Link>
    </div>
  )
}
