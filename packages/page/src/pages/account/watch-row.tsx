import { useState } from 'react'
import { type Refusal, refusalInWords } from '../../api/refusal.ts'
import { Link } from '../../shell/router.tsx'
import { announce } from '../../ui/announce.ts'
import { Button } from '../../ui/controls.tsx'
import { Flag } from '../../ui/flag.tsx'
import { sol } from '../../ui/format.ts'
import { Address } from '../../ui/links.tsx'
import { hasTrades, type Watch } from '../../watch/watch.ts'
import { watches } from '../../watch/watches.ts'
import { Day } from './day.tsx'
import { EditWatch } from './edit-watch.tsx'
import { EndButton } from './end-button.tsx'
import keysCss from './keys.module.css'
import css from './watches.module.css'

/** A watch, which can be edited, paused and deleted in place. */
export function WatchRow({ watch }: { watch: Watch }) {
  const { id, name, paused, kind } = watch
  const [editing, setEditing] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)

  async function change(asking: Promise<Refusal | null>, done: string): Promise<void> {
    setProblem(null)
    const failure = await asking
    if (failure === null) announce(done)
    else setProblem(refusalInWords(failure))
  }

  return (
    <>
      <tr data-state="live">
        <td className={keysCss.nameCell}>
          <bdi className={keysCss.name} title={name}>
            {name}
          </bdi>
          <What watch={watch} />
          {problem !== null && (
            <span className={keysCss.problem} role="alert">
              {problem}
            </span>
          )}
        </td>
        <td data-label={hasTrades(kind) ? 'Trades from' : undefined}>
          {!hasTrades(kind) ? <span className={css.none}>–</span> : <Least sol={watch.min_sol} />}
        </td>
        <td data-label="State">
          <State state={watch.state} />
        </td>
        <td data-label="Made">
          <Day at={watch.created_at} />
        </td>
        <td className={keysCss.actions}>
          <Button
            look="quiet"
            disabled={id === ''}
            aria-expanded={editing}
            aria-label={`Edit ${name}`}
            onClick={() => setEditing((before) => !before)}
          >
            Edit
          </Button>
          <Button
            look="quiet"
            disabled={id === ''}
            aria-label={`${paused ? 'Resume' : 'Pause'} ${name}`}
            onClick={() => void change(watches.change(id, { paused: !paused }), paused ? 'Resumed' : 'Paused')}
          >
            {paused ? 'Resume' : 'Pause'}
          </Button>
          <EndButton
            name={name}
            disabled={id === ''}
            onEnd={() => void change(watches.remove(id), `${name} is no longer watched`)}
          />
        </td>
      </tr>
      {editing && (
        <tr className={keysCss.endingRow}>
          <td colSpan={5}>
            <EditWatch watch={watch} onLeave={() => setEditing(false)} />
          </td>
        </tr>
      )}
    </>
  )
}

const KINDS = { token: 'Token', wallet: 'Wallet', deployer: 'Deployer', actor: 'Actor' } as const
const PAGES = { token: 'mint', wallet: 'wallet', deployer: 'deployer' } as const

const What = ({ watch: { kind, target } }: { watch: Watch }) =>
  kind === 'condition' ? (
    <span className={css.what}>
      New tokens with <code>{target}</code>
    </span>
  ) : (
    <span className={css.what}>
      {KINDS[kind]}{' '}
      {kind === 'actor' ? <Link to={`/actor/${target}`}>{target}</Link> : <Address value={target} kind={PAGES[kind]} />}
    </span>
  )

const Least = ({ sol: amount }: { sol: number }) =>
  amount === 0 ? <span className={keysCss.soft}>any</span> : <>{sol(amount)} SOL</>

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
