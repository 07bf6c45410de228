import { useState } from 'react'
import { refusalInWords } from '../../api/refusal.ts'
import { useResource } from '../../api/resource.ts'
import { ExternalLink } from '../../ui/links.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Empty, Failure, Skeleton } from '../../ui/states.tsx'
import css from './account.module.css'
import { type Account, dateText, GIVEN } from './account.ts'
import { type ChatLink, DESTINATIONS, type Destination } from './destination.ts'
import { MakeDestination } from './destination-editor.tsx'
import { DestinationRow } from './destination-row.tsx'
import { Command, Once, Part } from './parts.tsx'

/** A secret or code; the page shows it once and does not store it. */
export type OnceShown =
  | { readonly kind: 'secret'; readonly name: string; readonly secret: string; readonly until: string | null }
  | { readonly kind: 'link'; readonly name: string; readonly link: ChatLink }

/** Destinations of alerts: webhooks, Discord, Telegram. */
export function Destinations({ plan }: Pick<Account, 'plan'>) {
  const asked = useResource<readonly Destination[]>(DESTINATIONS)
  const { data, error, refresh } = asked
  const [once, setOnce] = useState<OnceShown | null>(null)
  const most = GIVEN.destinations[plan]
  return (
    <Part id="destinations">
      <Panel
        title="Destinations"
        note={data === null ? 'where alerts go' : `where alerts go, ${data.length} of ${most}`}
      >
        <div className="stack">
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
            <ul className={css.rows} aria-label="Destinations">
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

const Shown = ({ once, onDone }: { once: OnceShown; onDone(): void }) =>
  once.kind === 'secret' ? (
    <Once title="Signing secret of" name={once.name} done="I have stored it" onDone={onDone}>
      <p>
        <strong>It is shown only once.</strong> Your receiver checks every delivery with it, as Standard Webhooks
        describes.
        {once.until !== null && ` The previous secret also signs until ${dateText(once.until)}.`}
      </p>
      <Command text={once.secret} label="Copy the secret" />
    </Once>
  ) : (
    <Once title="Link a chat to" name={once.name} done="Done" onDone={onDone}>
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
    </Once>
  )
