import { useEffect, useRef, useState } from 'react'
import { send } from '../../api/client.ts'
import { refusalInWords } from '../../api/refusal.ts'
import { announce } from '../../ui/announce.ts'
import { Button } from '../../ui/controls.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Ago } from '../../ui/values.tsx'
import css from './account.module.css'
import { type Account, dateText, GIVEN, type Offer, solText } from './account.ts'
import { PayDetails } from './pay-details.tsx'
import { type Before, paceAt, type Sight, sightOf } from './payment.ts'

interface SubscribeProps {
  readonly account: Account
  readonly publicUrl: string
  readonly sandbox: boolean
  readonly seenAt: string | null
  /** requests the account now */
  onLook(): void
  onWatch(everyMs: number | null): void
}

interface Waiting {
  readonly before: Before
  readonly sinceMs: number
}

/** Sells Pro: shows the payment request and what has arrived. */
export function Subscribe({ account, publicUrl, sandbox, seenAt, onLook, onWatch }: SubscribeProps) {
  const [waiting, setWaiting] = useState<Waiting | null>(null)
  const offer = account.subscribe
  const sight = waiting === null || offer === null ? null : sightOf(waiting.before, account, offer)
  const isPaid = sight?.kind === 'paid'
  // every poll renders this again, so the pace follows the clock
  const everyMs = waiting === null || isPaid ? null : paceAt(Date.now() - waiting.sinceMs)
  useEffect(() => onWatch(everyMs), [everyMs, onWatch])
  useEffect(() => () => onWatch(null), [onWatch])

  const words = sight === null || offer === null ? null : inWords(sight, offer)
  useEffect(() => {
    if (words !== null) announce(words)
  }, [words])

  const wait = (): void => {
    setWaiting({ before: account, sinceMs: Date.now() })
    onLook()
  }
  if (offer === null) {
    return (
      <Panel title="Pro">
        <p>Subscriptions are not sold here: this service takes no payments. Ask its operator for a Pro key.</p>
      </Panel>
    )
  }
  const price = `${solText(offer.lamports)} SOL`
  return (
    <Panel title={account.plan === 'pro' ? 'Extend Pro' : 'Go Pro'} note={`${price} for ${offer.days} days`}>
      <div className="stack">
        {waiting === null ? (
          <>
            <p>
              {GIVEN.proCalls} calls a minute for each key, streams without limit, never charged per call.
              {account.plan === 'pro' && ` Paying again adds ${offer.days} days to the end.`}
            </p>
            {account.balance_lamports > 0 && account.balance_lamports < offer.lamports && (
              <p>
                {solText(account.balance_lamports)} SOL is on the account;{' '}
                {solText(offer.lamports - account.balance_lamports)} SOL more makes {offer.days} days.
              </p>
            )}
            {sandbox ? (
              <PlayMoney amount={solText(offer.lamports)} onPaid={wait} onOther={wait} />
            ) : (
              <Button look="strong" onClick={wait}>
                Show how to pay
              </Button>
            )}
          </>
        ) : (
          <>
            {sight !== null && words !== null && (
              <Status kind={sight.kind} words={words} seenAt={isPaid ? null : seenAt} />
            )}
            {isPaid ? (
              <Button onClick={() => setWaiting(null)}>Done</Button>
            ) : (
              <>
                <PayDetails offer={offer} balance={account.balance_lamports} sandbox={sandbox} publicUrl={publicUrl} />
                <div className="row">
                  <Button onClick={everyMs === null ? wait : onLook}>Check now</Button>
                  <Button look="quiet" onClick={() => setWaiting(null)}>
                    Hide
                  </Button>
                </div>
              </>
            )}
          </>
        )}
      </div>
    </Panel>
  )
}

/** A sandbox pays for its users with play money. */
function PlayMoney({ amount, onPaid, onOther }: { amount: string; onPaid(): void; onOther(): void }) {
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const pay = async (): Promise<void> => {
    setBusy(true)
    const answer = await send('POST', '/account/play', {})
    setBusy(false)
    if (answer.ok) onPaid()
    else setProblem(refusalInWords(answer))
  }
  return (
    <>
      <p className="soft">
        This service is a sandbox: it has its own chain, and its faucet pays. The payment counts once its block is
        final, about 20 seconds later.
      </p>
      {problem !== null && <p role="alert">{problem}</p>}
      <div className="row">
        <Button look="strong" disabled={busy} onClick={() => void pay()}>
          Pay {amount} play SOL
        </Button>
        <Button look="quiet" onClick={onOther}>
          Show how to pay
        </Button>
      </div>
    </>
  )
}

function inWords(sight: Sight, { lamports, days }: Offer): string {
  if (sight.kind === 'nothing') return 'Waiting for the payment: nothing has arrived yet.'
  if (sight.kind === 'part') {
    return `${solText(sight.received)} SOL has arrived, ${solText(sight.missing)} SOL is missing. The request below asks for the rest.`
  }
  if (sight.kind === 'kept') {
    return `${solText(sight.balance)} SOL is on the account. Pro is paid as far ahead as possible; the rest stays as balance.`
  }
  const over = sight.over > 0 ? ` ${solText(sight.over)} SOL stays as balance.` : ''
  return `Thank you. ${solText(lamports)} SOL has arrived: Pro for ${days} days, paid until ${dateText(sight.until)}.${over}`
}

const RATINGS = { nothing: 'neutral', part: 'yellow', kept: 'yellow', paid: 'green' } as const

function Status({ kind, words, seenAt }: { kind: Sight['kind']; words: string; seenAt: string | null }) {
  const box = useRef<HTMLDivElement>(null)
  // the focused button is gone, so the focus moves here
  useEffect(() => box.current?.focus(), [])
  return (
    <div className={css.status} data-rating={RATINGS[kind]} ref={box} tabIndex={-1}>
      <p>
        {words}
        {seenAt !== null && (
          <span className="soft">
            {' '}
            Checked <Ago at={seenAt} /> ago.
          </span>
        )}
      </p>
    </div>
  )
}
