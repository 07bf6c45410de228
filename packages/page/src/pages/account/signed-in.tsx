import type { AppSession } from '@ti/core/contract/app.ts'
import { type ReactNode, useState } from 'react'
import { send } from '../../api/client.ts'
import { refusalInWords } from '../../api/refusal.ts'
import { announce } from '../../ui/announce.ts'
import { Contents } from '../../ui/contents.tsx'
import { Button } from '../../ui/controls.tsx'
import { Flag } from '../../ui/flag.tsx'
import { Address } from '../../ui/links.tsx'
import css from './account.module.css'
import { type Account, dateText, GIVEN, solText, timeLeft } from './account.ts'
import { AlertList } from './alerts.tsx'
import { Destinations } from './destinations.tsx'
import { Keys } from './keys.tsx'
import { PARTS } from './part.tsx'
import { Subscribe } from './subscribe.tsx'
import { Usage } from './usage.tsx'
import { Watches } from './watches.tsx'

interface SignedInProps {
  readonly account: Account
  readonly session: AppSession | null
  /** time of the answer that is shown */
  readonly seenAt: string | null
  /** reason why the account could not be read again */
  readonly trouble: string | null
  /** requests the account again */
  onChange(): void
  /** sets the polling interval of the account, milliseconds; null: no polling */
  onWatch(everyMs: number | null): void
}

export function SignedIn({ account, session, seenAt, trouble, onChange, onWatch }: SignedInProps) {
  const publicUrl = session?.public_url ?? location.origin
  return (
    <>
      <header className={css.head}>
        <h1>Account</h1>
        <div className={css.who}>
          <Address value={account.wallet} kind="wallet" />
          <SignOut onDone={onChange} />
        </div>
      </header>
      {trouble !== null && (
        <p className={css.trouble} role="alert">
          {trouble}
        </p>
      )}
      <Plan account={account} />
      <Contents parts={PARTS} />
      <div className={css.columns} id="keys">
        <Keys keys={account.keys} most={account.limits.live_keys} publicUrl={publicUrl} onChange={onChange} />
        <div className={css.stack}>
          <Subscribe
            account={account}
            publicUrl={publicUrl}
            sandbox={session?.sandbox ?? false}
            seenAt={seenAt}
            onLook={onChange}
            onWatch={onWatch}
          />
          <Usage session={session} plan={account.plan} />
        </div>
      </div>
      <Watches plan={account.plan} />
      <AlertList wallet={account.wallet} />
      <Destinations plan={account.plan} />
    </>
  )
}

function SignOut({ onDone }: { onDone(): void }) {
  const [problem, setProblem] = useState<string | null>(null)
  const signOut = async (): Promise<void> => {
    const answer = await send('DELETE', '/account/session', {})
    if (!answer.ok) return setProblem(refusalInWords(answer))
    announce('Signed out')
    onDone()
  }
  return (
    <>
      <Button onClick={() => void signOut()}>Sign out</Button>
      {problem !== null && <span role="alert">{problem}</span>}
    </>
  )
}

function Plan({ account }: { account: Account }) {
  const { plan, paid_until: until, balance_lamports: balance, limits } = account
  const left = until === null ? null : timeLeft(until, Date.now())
  return (
    <dl className={css.facts}>
      <Fact name="Plan">{plan === 'pro' ? <Flag rating="green">Pro</Flag> : <Flag>Free</Flag>}</Fact>
      <Fact name={until !== null && left === null ? 'Ended' : 'Paid until'}>
        {until === null ? <span className="soft">not subscribed</span> : dateText(until)}
        {left !== null && <span className="soft"> {left} left</span>}
      </Fact>
      <Fact name="Balance">
        {solText(balance)} <span className="soft">SOL</span>
      </Fact>
      <Fact name="Calls of each key">
        {limits.requests_per_minute} <span className="soft">a minute</span>
      </Fact>
      <Fact name="Streams">
        {plan === 'pro' ? (
          'without limit'
        ) : (
          <>
            {GIVEN.trialS / 60} minutes <span className="soft">within any hour</span>
          </>
        )}
      </Fact>
    </dl>
  )
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)
