import { useId, useRef, useState } from 'react'
import { refusalInWords } from '../../api/refusal.ts'
import { useResource } from '../../api/resource.ts'
import { Button } from '../../ui/controls.tsx'
import { ExternalLink } from '../../ui/links.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Empty, Failure, Skeleton } from '../../ui/states.tsx'
import { type Account, dateText, GIVEN } from './account.ts'
import { Command } from './command.tsx'
import { type ChatLink, DESTINATIONS, type Destination } from './destination.ts'
import { DestinationRow } from './destination-row.tsx'
import keysCss from './keys.module.css'
import { MakeDestination } from './make-destination.tsx'
import { Part } from './part.tsx'

/** A secret or code; the page shows it once and does not store it. */
export type Once =
  | { readonly kind: 'secret'; readonly name: string; readonly secret: string; readonly until: string | null }
  | { readonly kind: 'link'; readonly name: string; readonly link: ChatLink }

/** Destinations of alerts: webhooks, Discord, Telegram. */
export function Destinations({ plan }: Pick<Account, 'plan'>) {
  const asked = useResource<readonly Destination[]>(DESTINATIONS)
  const { data, error, refresh } = asked
  const [once, setOnce] = useState<Once | null>(null)
  const most = GIVEN.destinations[plan]
  return (
    <Part id="destinations">
      <Panel
        title="Destinations"
        note={data === null ? 'where alerts go' : `where alerts go, ${data.length} of ${most}`}
      >
        <div className={keysCss.keys}>
          {once === null ? (
            <MakeDestination onMake={setOnce} onChange={refresh} />
          ) : (
            <Shown once={once} onDone={() => setOnce(null)} />
          )}
          {data === null && error === null && <Skeleton lines={2} />}
          {error !== null && (
            <Failure error={{ message: refusalInWords({ status: error.status, error }) }} retry={refresh} />
          )}
          {data?.length === 0 && (
            <Empty>Alerts are shown on this page only. Add a webhook, Discord or Telegram to get them elsewhere.</Empty>
          )}
          {data !== null && data.length > 0 && (
            <ul className={keysCss.plain} aria-label="Destinations">
              {data.map((destination) => (
                <DestinationRow key={destination.id} destination={destination} onOnce={setOnce} onChange={refresh} />
              ))}
            </ul>
          )}
        </div>
      </Panel>
    </Part>
  )
}

function Shown({ once, onDone }: { once: Once; onDone(): void }) {
  const title = useId()
  const focused = useRef(false)
  const focus = (box: HTMLElement | null): void => {
    if (box === null || focused.current) return
    focused.current = true
    box.focus()
  }
  return (
    <section ref={focus} className={keysCss.made} tabIndex={-1} aria-labelledby={title}>
      <h3 id={title}>
        {once.kind === 'secret' ? 'Signing secret of ' : 'Link a chat to '}
        <bdi>{once.name}</bdi>
      </h3>
      {once.kind === 'secret' ? (
        <>
          <p>
            <strong>It is shown only once.</strong> Your receiver checks every delivery with it, as Standard Webhooks
            describes.
            {once.until !== null && ` The previous secret also signs until ${dateText(once.until)}.`}
          </p>
          <Command text={once.secret} label="Copy the secret" />
        </>
      ) : (
        <>
          <p>
            Send this to the bot{once.link.bot !== null && ` @${once.link.bot}`} in Telegram before{' '}
            {dateText(once.link.expires_at)}. It works once.
          </p>
          <Command text={once.link.send} label="Copy the message" />
          {once.link.url !== null && (
            <p>
              <ExternalLink href={once.link.url}>Open Telegram</ExternalLink>
            </p>
          )}
        </>
      )}
      <div className={keysCss.madeActions}>
        <Button look="strong" onClick={onDone}>
          {once.kind === 'secret' ? 'I have stored it' : 'Done'}
        </Button>
      </div>
    </section>
  )
}
