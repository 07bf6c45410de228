import { useEffect, useState } from 'react'
import { type Refusal, refusalInWords } from '../../api/refusal.ts'
import { Link } from '../../shell/router.tsx'
import { announce } from '../../ui/announce.ts'
import { Button } from '../../ui/controls.tsx'
import { Flag } from '../../ui/flag.tsx'
import { sol } from '../../ui/format.ts'
import { Address } from '../../ui/links.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Empty, Failure, Skeleton } from '../../ui/states.tsx'
import { Cell, Row, RowHead, Table } from '../../ui/table.tsx'
import { hasTrades, type Watch } from '../../watch/watch.ts'
import { useWatches, watches } from '../../watch/watches.ts'
import css from './account.module.css'
import { type Account, GIVEN } from './account.ts'
import { Day, EndButton, Part, Problem } from './parts.tsx'
import { EditWatch, MakeWatch } from './watch-editor.tsx'

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
        <div className="stack">
          <MakeWatch />
          {all === null && failure === null && <Skeleton lines={3} />}
          {failure !== null && (
            <Failure error={{ message: refusalInWords(failure) }} retry={() => void watches.refresh()} />
          )}
          {all?.length === 0 && (
            <Empty>Nothing is watched yet. Use the star on a token or wallet, or write a condition above.</Empty>
          )}
          {all !== null && all.length > 0 && (
            <Table label="Watches" columns={COLUMNS}>
              {[...all].reverse().map((watch) => (
                <WatchRow key={watch.id || `${watch.kind} ${watch.target}`} watch={watch} />
              ))}
            </Table>
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

const COLUMNS = [
  { label: 'Name' },
  { label: 'Trades from', wide: true },
  { label: 'State' },
  { label: 'Made', wide: true },
  { label: 'Actions', number: true, head: <span className="unseen">Actions</span> },
]

/** A watch, which can be edited, paused and deleted in place. */
function WatchRow({ watch }: { watch: Watch }) {
  const { id, name, paused, kind, min_sol: least } = watch
  const [editing, setEditing] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const isNew = id === ''

  async function change(asking: Promise<Refusal | null>, done: string): Promise<void> {
    setProblem(null)
    const failure = await asking
    if (failure === null) announce(done)
    else setProblem(refusalInWords(failure))
  }

  return (
    <>
      <Row>
        <RowHead className={css.name}>
          <bdi>{name}</bdi>
          <What watch={watch} />
          <Problem>{problem}</Problem>
        </RowHead>
        <Cell wide>{!hasTrades(kind) ? '–' : least === 0 ? 'any' : `${sol(least)} SOL`}</Cell>
        <Cell>
          <State state={watch.state} />
        </Cell>
        <Cell wide>
          <Day at={watch.created_at} />
        </Cell>
        <Cell number>
          <Button
            look="quiet"
            disabled={isNew}
            aria-expanded={editing}
            aria-label={`Edit ${name}`}
            onClick={() => setEditing(!editing)}
          >
            Edit
          </Button>
          <Button
            look="quiet"
            disabled={isNew}
            aria-label={`${paused ? 'Resume' : 'Pause'} ${name}`}
            onClick={() => void change(watches.change(id, { paused: !paused }), paused ? 'Resumed' : 'Paused')}
          >
            {paused ? 'Resume' : 'Pause'}
          </Button>
          <EndButton
            name={name}
            disabled={isNew}
            onEnd={() => void change(watches.remove(id), `${name} is no longer watched`)}
          />
        </Cell>
      </Row>
      {editing && (
        <Row>
          <Cell colSpan={COLUMNS.length}>
            <EditWatch watch={watch} onLeave={() => setEditing(false)} />
          </Cell>
        </Row>
      )}
    </>
  )
}

const KINDS = { token: 'Token', wallet: 'Wallet', deployer: 'Deployer', actor: 'Crew' } as const
const PAGES = { token: 'mint', wallet: 'wallet', deployer: 'deployer' } as const

const What = ({ watch: { kind, target } }: { watch: Watch }) =>
  kind === 'condition' ? (
    <span className="soft">
      New tokens with <code>{target}</code>
    </span>
  ) : (
    <span className="soft">
      {KINDS[kind]}{' '}
      {kind === 'actor' ? <Link to={`/actor/${target}`}>{target}</Link> : <Address value={target} kind={PAGES[kind]} />}
    </span>
  )

const STATES = {
  watching: ['green', 'watching', 'events from now on are reported'],
  starting: ['neutral', 'starting', 'takes effect within a second or two'],
  paused: ['yellow', 'paused', 'nothing is reported'],
} as const

function State({ state }: Pick<Watch, 'state'>) {
  const [rating, word, means] = STATES[state]
  return (
    <Flag rating={rating} title={means}>
      {word}
    </Flag>
  )
}
