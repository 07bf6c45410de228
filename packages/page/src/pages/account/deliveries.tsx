import { useEffect, useState } from 'react'
import { send } from '../../api/client.ts'
import { refusalInWords } from '../../api/refusal.ts'
import { useResource } from '../../api/resource.ts'
import { announce } from '../../ui/announce.ts'
import { Button } from '../../ui/controls.tsx'
import { Rating } from '../../ui/rating.tsx'
import { Empty, Failure, Skeleton } from '../../ui/states.tsx'
import { Ago } from '../../ui/values.tsx'
import css from './account.module.css'
import { DELIVERIES_PAGE, type Delivery, deliveryInWords } from './destination.ts'
import { Problem } from './parts.tsx'

/** milliseconds between polls while a delivery is waiting */
const EVERY_MS = 3_000

interface DeliveriesProps {
  /** path of the delivery log */
  readonly path: string
  /** counts deliveries that this page caused */
  readonly sent: number
}

/** Delivery log of a destination, newest first, in pages. */
export function Deliveries({ path, sent }: DeliveriesProps) {
  const [before, setBefore] = useState<number | null>(null)
  const [waiting, setWaiting] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const asked = useResource<readonly Delivery[]>(
    before === null ? path : `${path}?before=${before}`,
    waiting ? { everyMs: EVERY_MS } : {},
  )
  const { data, error, refresh } = asked
  useEffect(() => setWaiting(data?.some(({ state }) => state === 'waiting') ?? false), [data])
  useEffect(() => {
    if (sent === 0) return
    setBefore(null)
    refresh()
  }, [sent, refresh])
  const replay = async (number: number): Promise<void> => {
    const answer = await send('POST', `${path}/${number}/replay`, {})
    setProblem(answer.ok ? null : refusalInWords(answer))
    if (answer.ok) announce('It is being sent again')
    refresh()
  }
  if (data === null) {
    return error === null ? (
      <Skeleton lines={2} />
    ) : (
      <Failure error={{ message: refusalInWords({ status: error.status, error }) }} retry={refresh} />
    )
  }
  return (
    <div className={css.inside}>
      <Problem>{problem}</Problem>
      {data.length === 0 ? (
        <Empty>Nothing has been sent yet.</Empty>
      ) : (
        <ol className={css.log} aria-label="Deliveries">
          {data.map((delivery) => (
            <li key={delivery.number}>
              <span>
                <Rating value={RATINGS[delivery.state]}>{delivery.state}</Rating> <bdi>{delivery.title}</bdi>{' '}
                <span className="soft">{deliveryInWords(delivery)}</span>
              </span>
              <span className="soft">
                <Ago at={delivery.attempted_at ?? delivery.created_at} /> ago
              </span>
              {delivery.state !== 'waiting' && (
                <Button
                  look="quiet"
                  aria-label={`Send again: ${delivery.title}`}
                  onClick={() => void replay(delivery.number)}
                >
                  Send again
                </Button>
              )}
            </li>
          ))}
        </ol>
      )}
      {(before !== null || data.length >= DELIVERIES_PAGE) && (
        <p className="row">
          {before !== null && <Button onClick={() => setBefore(null)}>Newest</Button>}
          {data.length >= DELIVERIES_PAGE && <Button onClick={() => setBefore(data.at(-1)!.number)}>Older</Button>}
        </p>
      )}
    </div>
  )
}

const RATINGS = { delivered: 'green', failed: 'red', waiting: 'yellow' } as const
