import { useEffect, useState } from 'react'
import { refusalInWords } from '../../api/refusal.ts'
import { Panel } from '../../ui/panel.tsx'
import { Empty, Failure, Skeleton } from '../../ui/states.tsx'
import { useWatches, watches } from '../../watch/watches.ts'
import { type Account, GIVEN } from './account.ts'
import keysCss from './keys.module.css'
import { MakeWatch } from './make-watch.tsx'
import { Part } from './part.tsx'
import { WatchRow } from './watch-row.tsx'
import css from './watches.module.css'

/** a new watch becomes active within about a second; the list is polled until then */
const STARTING_MS = 1_500
const STARTING_TRIES = 8

export function Watches({ plan }: Pick<Account, 'plan'>) {
  const { watches: all, failure } = useWatches()
  const most = GIVEN.watches[plan]
  useStarting(all?.some(({ state }) => state === 'starting') ?? false)
  return (
    <Part id="watches">
      <Panel title="Watches" note={all === null ? undefined : `${all.length} of ${most}`}>
        <div className={keysCss.keys}>
          <MakeWatch />
          {all === null && failure === null && <Skeleton lines={3} />}
          {failure !== null && (
            <Failure error={{ message: refusalInWords(failure) }} retry={() => void watches.refresh()} />
          )}
          {all?.length === 0 && (
            <Empty>Nothing is watched yet. Use the star on a token or wallet, or write a condition above.</Empty>
          )}
          {all !== null && all.length > 0 && (
            <table className={`${keysCss.table} ${css.table}`} aria-label="Watches">
              <thead>
                <tr>
                  <th scope="col">Name</th>
                  <th scope="col">Trades from</th>
                  <th scope="col">State</th>
                  <th scope="col">Made</th>
                  <th scope="col">
                    <span className="unseen">Actions</span>
                  </th>
                </tr>
              </thead>
              <tbody>
                {[...all].reverse().map((watch) => (
                  <WatchRow key={watch.id || `${watch.kind} ${watch.target}`} watch={watch} />
                ))}
              </tbody>
            </table>
          )}
        </div>
      </Panel>
    </Part>
  )
}

function useStarting(starting: boolean): void {
  const [tries, setTries] = useState(0)
  useEffect(() => {
    if (!starting) return setTries(0)
    if (tries >= STARTING_TRIES) return
    const timer = setTimeout(() => void watches.refresh().then(() => setTries((before) => before + 1)), STARTING_MS)
    return () => clearTimeout(timer)
  }, [starting, tries])
}
