import type { ActorProfile } from '@ti/core/contract/actors.ts'
import { useResource } from '../../api/resource.ts'
import { Link } from '../../shell/router.tsx'
import { Download } from '../../ui/download.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Flag } from '../../ui/flag.tsx'
import { count, duration, NONE, pct, SLOT_S, signedSol, toneOf } from '../../ui/format.ts'
import { Address } from '../../ui/links.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Empty, Failure, Skeleton } from '../../ui/states.tsx'
import { useTitle } from '../../ui/title.ts'
import { type TokenColumn, TokenTable } from '../../ui/token-table.tsx'
import { Ago } from '../../ui/values.tsx'
import { Star } from '../../watch/star.tsx'
import css from './page.module.css'
import { familiesInWords, recordOf, stillHolds } from './words.ts'

/** milliseconds between two requests */
const REFRESH_MS = 30_000
/** edges shown */
const EDGES = 40

export default function Page({ id }: { id: string }) {
  const actor = useResource<ActorProfile>(`/v1/actors/${id}`, { everyMs: REFRESH_MS })
  const { data, error } = actor
  useTitle(`${data?.name ?? id} · actor`)

  if (data === null && error?.status === 404)
    return (
      <div className={css.page}>
        <h1>There is no actor {id}</h1>
        <p>
          An actor is a set of wallets that acted together on several tokens. Go <Link to="/">to the board</Link>.
        </p>
      </div>
    )
  return (
    <div className={css.page}>
      <header>
        <p className="soft">Actor</p>
        <div className={css.title}>
          <h1>{data?.name ?? id}</h1>
          {data !== null && <Star kind="actor" target={`${data.no}`} name={data.name} />}
        </div>
      </header>
      {data === null && error !== null && <Failure error={error} retry={actor.refresh} />}
      {data === null && error === null && <Skeleton lines={14} />}
      {data !== null && <Profile actor={data} />}
    </div>
  )
}

function Profile({ actor }: { actor: ActorProfile }) {
  return (
    <>
      <p className={css.record}>{recordOf(actor)}</p>
      <Panel title="Record" how="10-actors" note="over every token it was seen on">
        <Facts
          facts={[
            { label: 'Wallets', value: count(actor.wallets) },
            { label: 'Tokens', value: count(actor.tokens) },
            { label: 'Launched', value: count(actor.launched), means: 'Tokens that it launched itself.' },
            {
              label: 'Drained',
              value: count(actor.drained),
              means: 'Its launches that lost 80% of their money within minutes, while it gained.',
              tone: actor.drained > 0 ? 'bad' : 'plain',
            },
            {
              label: 'Rugged',
              value: count(actor.rugged),
              means: 'Of these: drained by their inner circle.',
              tone: actor.rugged > 0 ? 'bad' : 'plain',
            },
            {
              label: 'Result',
              value: signedSol(actor.taken_sol),
              means: 'SOL received from sales less SOL paid for buys; what it still holds counts as nothing.',
            },
            {
              label: 'Usually leaves after',
              value: actor.usual_exit_slots === null ? NONE : duration(actor.usual_exit_slots * SLOT_S),
              means: 'Median time from its first purchase of a token until half of its tokens were sold.',
            },
          ]}
        />
      </Panel>
      <Panel
        title="Tokens"
        how="10-actors"
        note="newest first"
        actions={<Download name={`actor-${actor.id}`} rows={() => actor.recent_tokens.map((row) => ({ ...row }))} />}
      >
        {actor.recent_tokens.length === 0 ? (
          <Empty>No tokens are recorded for this actor.</Empty>
        ) : (
          <TokenTable label="Tokens of this actor" rows={actor.recent_tokens} columns={COLUMNS} />
        )}
      </Panel>
      <div className={css.halves}>
        <Members actor={actor} />
        <Evidence actor={actor} />
      </div>
    </>
  )
}

type Played = ActorProfile['recent_tokens'][number]

const COLUMNS: readonly TokenColumn<Played>[] = [
  { label: 'Launched', cell: ({ deployed_at }) => (deployed_at === null ? NONE : <Ago at={deployed_at} />) },
  {
    label: 'What it did',
    wide: true,
    cell: ({ launched, grouped }) => (
      <>
        {launched && <Flag>launched it</Flag>} {grouped && <Flag>acted as a group</Flag>}
      </>
    ),
  },
  { label: 'Bought', number: true, means: 'Percent of total supply.', cell: ({ bought_pct }) => pct(bought_pct) },
  { label: 'Sold', number: true, wide: true, means: 'Percent of total supply.', cell: ({ sold_pct }) => pct(sold_pct) },
  {
    label: 'Result',
    number: true,
    means: 'SOL received less SOL paid; grey while it holds most of what it bought.',
    cell: (row) => signedSol(row.got_sol - row.paid_sol),
    tone: (row) => (stillHolds(row) ? 'open' : toneOf(row.got_sol - row.paid_sol)),
  },
  {
    label: 'Left after',
    number: true,
    wide: true,
    cell: ({ first_buy_slot: first, exit_slot: exit }) =>
      first === null || exit === null ? NONE : duration(Math.max(0, exit - first) * SLOT_S),
  },
  {
    label: 'Became',
    cell: ({ graduated, drained_slot, rugged_slot }) => (
      <>
        {graduated && <Flag rating="green">graduated</Flag>}{' '}
        {rugged_slot !== null ? (
          <Flag rating="red">rugged</Flag>
        ) : (
          drained_slot !== null && <Flag rating="red">drained</Flag>
        )}
      </>
    ),
  },
]

const Members = ({ actor: { members, deployers } }: { actor: ActorProfile }) => (
  <Panel title="Wallets" how="10-actors" note="in order of joining">
    <ul className={css.wallets}>
      {members.map(({ wallet, name }) => (
        <li key={wallet}>
          <Address value={wallet} kind="wallet" /> {name !== null && <bdi>{name}</bdi>}
        </li>
      ))}
    </ul>
    {deployers.length > 0 && (
      <>
        <h3 className={css.sub}>Its own deployers, and those that serve it</h3>
        <ul className={css.wallets}>
          {deployers.map(({ wallet, launches, member }) => (
            <li key={wallet}>
              <Address value={wallet} kind="deployer" />{' '}
              <span className="soft">
                {count(launches)} {launches === 1 ? 'launch' : 'launches'}
                {member && ', one of its wallets'}
              </span>
            </li>
          ))}
        </ul>
      </>
    )}
  </Panel>
)

const Evidence = ({ actor: { edges, edges_total: total } }: { actor: ActorProfile }) => (
  <Panel title="Why these wallets belong together" how="10-actors" note="oldest evidence first">
    <ul className={css.edges}>
      {edges.slice(0, EDGES).map(({ wallets: [a, b], families, mints }) => (
        <li key={`${a} ${b}`}>
          <Address value={a!} kind="wallet" /> and <Address value={b!} kind="wallet" />
          <span className="soft">
            {' '}
            {familiesInWords(families)}
            {mints.length > 0 && ` in one group on ${count(mints.length)} ${mints.length === 1 ? 'token' : 'tokens'}: `}
            {mints.map((mint) => (
              <Address key={mint} value={mint} kind="mint" />
            ))}
          </span>
        </li>
      ))}
    </ul>
    {total > EDGES && <p className="soft">{count(total - EDGES)} more links are known.</p>}
  </Panel>
)
