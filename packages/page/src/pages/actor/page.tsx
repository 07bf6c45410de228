import type { ActorProfile } from '@ti/core/contract/actors.ts'
import { useResource } from '../../api/resource.ts'
import { StepChart } from '../../charts/step-line.tsx'
import { Link } from '../../shell/router.tsx'
import { timeOfDay } from '../../ui/clock.ts'
import { Copy } from '../../ui/copy.tsx'
import { Download } from '../../ui/download.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Flow } from '../../ui/flow.tsx'
import { count, counted, duration, pct, SLOT_S, signedSol, sol, toneOf } from '../../ui/format.ts'
import { fateColumn, LIFE_MEANS, Life, useLives } from '../../ui/life.tsx'
import { Address } from '../../ui/links.tsx'
import { Page as Frame } from '../../ui/page.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Empty, Loaded } from '../../ui/states.tsx'
import { type TokenColumn, TokenTable } from '../../ui/table.tsx'
import { useTitle } from '../../ui/title.ts'
import { Ago } from '../../ui/values.tsx'
import { Star } from '../../watch/star.tsx'
import { familiesInWords, recordOf, resultSteps, stillHolds } from './words.ts'

/** milliseconds between two requests */
const REFRESH_MS = 30_000
/** edges shown */
const EDGES = 40

export default function Page({ id }: { id: string }) {
  const actor = useResource<ActorProfile>(`/v1/actors/${id}`, { everyMs: REFRESH_MS })
  const { data, error } = actor
  useTitle(`${data?.name ?? id} · crew`)
  if (data === null && error?.status === 404)
    return (
      <Frame
        title={`No crew is called ${id}`}
        lead="A crew is a set of wallets that acted together on several tokens. Search for its name or one of its wallets."
      >
        <p>
          Or go <Link to="/">to the board</Link>: cards name the crews that are in.
        </p>
      </Frame>
    )
  return (
    <Frame
      kind="Crew"
      title={data?.name ?? id}
      star={data !== null && <Star kind="actor" target={`${data.no}`} name={data.name} />}
      beside={<Copy text={location.href} label="Copy the link to this page" />}
      lead={data !== null && recordOf(data)}
    >
      <Loaded of={actor} lines={14}>
        {(actor) => <Profile actor={actor} />}
      </Loaded>
    </Frame>
  )
}

function Profile({ actor }: { actor: ActorProfile }) {
  const tokens = actor.recent_tokens
  const inNow = tokens.filter((token) => stillHolds(token) && token.bought_pct - token.sold_pct >= LEAST_PCT)
  return (
    <>
      <div className="halves">
        <Taken actor={actor} />
        <Panel title="In now" how="10-actors" note="tokens of which it still has most">
          {inNow.length === 0 ? (
            <Empty>It is in no token now. Watch it to be told when it buys or launches.</Empty>
          ) : (
            <TokenTable label="Tokens it is in now" rows={inNow} columns={IN_NOW} />
          )}
        </Panel>
      </div>
      <Tokens actor={actor} />
      <div className="halves">
        <Members actor={actor} />
        <Evidence actor={actor} />
      </div>
    </>
  )
}

/** percent of supply that make it be in a token */
const LEAST_PCT = 0.1

type Played = ActorProfile['recent_tokens'][number]

/** Its result in all, over time. */
function Taken({ actor }: { actor: ActorProfile }) {
  const steps = resultSteps(actor.recent_tokens)
  const [first, last] = [steps[0], steps.at(-1)]
  return (
    <Panel title="What it made" how="10-actors" note="SOL received less SOL paid, over all its tokens">
      {first === undefined || last === undefined ? (
        <Empty>It has sold nothing yet.</Empty>
      ) : (
        <StepChart
          label={`${signedSol(last.value)} over ${counted(steps.length, 'token')} since ${timeOfDay(first.at, last.at)}`}
          points={steps.map((step) => ({ ...step, title: `${step.name}: ${signedSol(step.made)}` }))}
          end={last.at + (last.at - first.at) / 20}
          written={(value) => (value === 0 ? '0' : signedSol(value))}
          ends={[timeOfDay(first.at, last.at), timeOfDay(last.at, last.at)]}
        />
      )}
      <Facts
        facts={[
          {
            label: 'Result where it has left',
            value: signedSol(last?.value ?? 0),
            tone: toneOf(last?.value ?? 0) ?? 'plain',
          },
          { label: 'Paid in all', value: `${sol(tokensSum(actor, 'paid_sol'))} SOL` },
          { label: 'Got in all', value: `${sol(tokensSum(actor, 'got_sol'))} SOL` },
        ]}
      />
    </Panel>
  )
}

const tokensSum = ({ recent_tokens }: ActorProfile, what: 'paid_sol' | 'got_sol'): number =>
  recent_tokens.reduce((sum, token) => sum + token[what], 0)

function Tokens({ actor: { id, recent_tokens: tokens } }: { actor: ActorProfile }) {
  const lives = useLives(tokens.map(({ mint }) => mint))
  const most = Math.max(...tokens.flatMap(({ paid_sol, got_sol }) => [paid_sol, got_sol]))
  const columns: readonly TokenColumn<Played>[] = [
    { label: 'Launched', wide: true, cell: ({ deployed_at }) => <Ago at={deployed_at} /> },
    { label: 'Its life', means: LIFE_MEANS, cell: ({ mint }) => <Life life={lives.get(mint)} /> },
    {
      label: 'Money in and out',
      means: 'SOL paid and SOL got, drawn to one scale.',
      wide: true,
      cell: ({ paid_sol: paid, got_sol: got }) => <Flow paid={paid} got={got} most={most} />,
    },
    {
      label: 'Result',
      number: true,
      means: 'SOL received less SOL paid; grey while it holds most of what it bought.',
      cell: ({ got_sol, paid_sol }) => signedSol(got_sol - paid_sol),
      tone: (row) => (stillHolds(row) ? 'open' : toneOf(row.got_sol - row.paid_sol)),
    },
    { label: 'What it did', wide: true, cell: didInWords },
    { ...fateColumn(lives), wide: true },
  ]
  return (
    <Panel
      title="Its tokens"
      how="10-actors"
      note="newest first"
      actions={<Download name={`crew-${id}`} rows={() => tokens.map((row) => ({ ...row }))} />}
    >
      {tokens.length === 0 ? (
        <Empty>No token of it is recorded any more.</Empty>
      ) : (
        <TokenTable
          label="Tokens of this crew"
          rows={tokens}
          columns={columns}
          colourOf={({ mint }) => lives.get(mint)?.colour}
        />
      )}
    </Panel>
  )
}

/** "launched it, bought 9.8%, left after 1 min" */
function didInWords({ launched, bought_pct: bought, first_buy_slot: first, exit_slot: exit }: Played): string {
  const left = first === null || exit === null ? '' : `left after ${duration(Math.max(0, exit - first) * SLOT_S)}`
  const share = bought === 0 ? '' : `bought ${bought < LEAST_PCT ? 'dust' : pct(bought)}`
  return [launched ? 'launched it' : '', share, left].filter((part) => part !== '').join(', ')
}

const IN_NOW: readonly TokenColumn<Played>[] = [
  { label: 'Launched', cell: ({ deployed_at }) => <Ago at={deployed_at} /> },
  {
    label: 'Has of supply',
    number: true,
    cell: ({ bought_pct, sold_pct }) => pct(Math.max(0, bought_pct - sold_pct)),
  },
  { label: 'Paid', number: true, cell: ({ paid_sol }) => `${sol(paid_sol)} SOL` },
]

const Members = ({ actor: { members, deployers } }: { actor: ActorProfile }) => (
  <Panel title="Its wallets" how="10-actors" note="in order of joining">
    <ul>
      {members.map(({ wallet, name }) => (
        <li key={wallet}>
          <Address value={wallet} kind="wallet" /> {name !== null && <bdi>{name}</bdi>}
        </li>
      ))}
    </ul>
    {deployers.length > 0 && (
      <>
        <h3>Who launches for it</h3>
        <ul>
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
    <ul>
      {edges.slice(0, EDGES).map(({ wallets: [a, b], families, mints }) => (
        <li key={`${a} ${b}`}>
          <Address value={a!} kind="wallet" /> and <Address value={b!} kind="wallet" />
          <span className="soft">
            {' '}
            {familiesInWords(families)}
            {mints.length > 0 && ` in one group on ${counted(mints.length, 'token')}: `}
            {mints.map((mint) => (
              <Address key={mint} value={mint} kind="mint" />
            ))}
          </span>
        </li>
      ))}
    </ul>
    {total > EDGES && <p className="soft">{counted(total - EDGES, 'more link')} known.</p>}
  </Panel>
)
