import type { AppSession } from '@ti/core/contract/app.ts'
import { useState } from 'react'
import { send } from '../../api/client.ts'
import { refusalInWords } from '../../api/refusal.ts'
import { announce } from '../../ui/announce.ts'
import { Button } from '../../ui/controls.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Address } from '../../ui/links.tsx'
import { Page as Frame } from '../../ui/page.tsx'
import { type Account, dateText, GIVEN, solText, timeLeft } from './account.ts'
import { AlertList } from './alerts.tsx'
import { Destinations } from './destinations.tsx'
import { Keys } from './keys.tsx'
import { PARTS, Problem } from './parts.tsx'
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
    <Frame
      title="Account"
      beside={
        <div className="row">
          <Address value={account.wallet} kind="wallet" />
          <SignOut onDone={onChange} />
        </div>
      }
    >
      <Problem>{trouble}</Problem>
      <Plan account={account} />
      <nav className="row" aria-label="Parts of this page">
        {PARTS.map(([id, name]) => (
          <a key={id} href={`#${id}`}>
            {name}
          </a>
        ))}
      </nav>
      <Keys keys={account.keys} most={account.limits.live_keys} publicUrl={publicUrl} onChange={onChange} />
      <Watches plan={account.plan} />
      <AlertList wallet={account.wallet} />
      <Destinations plan={account.plan} />
      <div className="halves">
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
    </Frame>
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
      <Problem>{problem}</Problem>
    </>
  )
}

function Plan({ account }: { account: Account }) {
  const { plan, paid_until: until, balance_lamports: balance, limits } = account
  const left = until === null ? null : timeLeft(until, Date.now())
  const facts = [
    { label: 'Plan', value: plan === 'pro' ? 'Pro' : 'Free' },
    {
      label: until !== null && left === null ? 'Ended' : 'Paid until',
      value: until === null ? 'not subscribed' : `${dateText(until)}${left === null ? '' : `, ${left} left`}`,
    },
    { label: 'Balance', value: `${solText(balance)} SOL` },
    { label: 'Calls of each key', value: `${limits.requests_per_minute} a minute` },
    { label: 'Streams', value: plan === 'pro' ? 'without limit' : `${GIVEN.trialS / 60} minutes within any hour` },
  ]
  return <Facts facts={facts} />
}
