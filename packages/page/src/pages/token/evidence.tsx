import { deployerRecord } from '@ti/core/base/record.ts'
import type { Who } from '@ti/core/contract/who.ts'
import { Fragment, type ReactNode, useState } from 'react'
import { timeOfSlot, timeToSecond } from '../../charts/line-data.ts'
import { Link } from '../../shell/router.tsx'
import { Button } from '../../ui/controls.tsx'
import { Flag } from '../../ui/flag.tsx'
import { count, counted, sol } from '../../ui/format.ts'
import type { MethodPart } from '../../ui/how.ts'
import { How } from '../../ui/how.tsx'
import { Life, useLives } from '../../ui/life.tsx'
import { Address } from '../../ui/links.tsx'
import { Cell, Row, RowHead, Table } from '../../ui/table.tsx'
import css from './details.module.css'
import { Tags } from './holders.tsx'
import type { TokenData } from './use-token.ts'
import { type FundingNode, fundingOf } from './who-map.ts'
import { ageWords, familyOf, type Group, launchWords, sharesInWords } from './who-words.ts'
import { inPercent } from './words.ts'

type TimeOf = (slot: number) => string

/** The people behind the token, down to the transactions: launcher, fees, liquidity, known crews, and groups with their proof. */
export function Evidence({ who, anchors }: { who: Who; anchors: TokenData['anchors'] }) {
  const timeOf: TimeOf = (slot) => {
    const time = timeOfSlot(anchors, slot)
    return time === null ? `slot ${count(slot)}` : timeToSecond(time * 1000)
  }
  return (
    <div className={css.evidence}>
      <Part title="Deployer" how="6-lists-agents-deployers">
        <Deployer deployer={who.deployer} />
        <Fees launch={who.launch} />
      </Part>
      <Liquidity of={who.liquidity} />
      {who.actors.length > 0 && (
        <Part title="Crews known from other tokens" how="10-actors">
          <Actors actors={who.actors} />
        </Part>
      )}
      <Groups groups={who.groups} leftOut={who.coverage.groups_left_out} timeOf={timeOf} />
    </div>
  )
}

const Part = ({ title, how, children }: { title: string; how: MethodPart; children: ReactNode }) => (
  <section aria-label={title}>
    <h3 className="row">
      {title} <How part={how} of={title} />
    </h3>
    {children}
  </section>
)

function Deployer({ deployer }: Pick<Who, 'deployer'>) {
  const lives = useLives(deployer?.launches.map(({ mint }) => mint) ?? [])
  if (deployer === null) return <p>Who signed its creation is not known.</p>
  const { wallet, name, funder, launches } = deployer
  return (
    <>
      <p>
        {name !== null && <bdi>{name} </bdi>}
        <Address value={wallet} kind="deployer" /> Its {deployerRecord(deployer, 'other launch')}.
      </p>
      {launches.length > 0 && (
        <details>
          <summary>Its other launches, newest first</summary>
          <ul aria-label="Other launches of the deployer, newest first">
            {launches.map((launch) => (
              <li key={launch.mint} className="row">
                <Life life={lives.get(launch.mint)} />
                <Link to={`/token/${launch.mint}`}>
                  <bdi>{launchWords(launch)}</bdi>
                </Link>
              </li>
            ))}
          </ul>
        </details>
      )}
      {funder !== null && (
        <p className="soft">
          {ageWords(funder.age_slots)} funded with {sol(funder.sol)} SOL by{' '}
          {funder.name !== null ? <bdi>{funder.name}</bdi> : <Address value={funder.wallet} kind="wallet" />}
        </p>
      )}
    </>
  )
}

/** Whom the token names as its creator, if that wallet did not sign, and who gets the creator's fees. */
function Fees({ launch: { launcher, named, creator, creator_kind, fee_owners } }: { launch: Who['launch'] }) {
  const isOther = named !== null && !named.signed && named.wallet !== launcher
  const isPassed = creator !== null && creator_kind === 'wallet' && creator !== (named?.wallet ?? launcher)
  return (
    <>
      {isOther && (
        <p>
          Names <Address value={named.wallet} kind="deployer" /> as its creator, who did not sign.
        </p>
      )}
      {isPassed && (
        <p>
          Its creator is now <Address value={creator} kind="wallet" />.
        </p>
      )}
      {creator_kind === 'holder_rewards' && <p>Its creator’s fees go to its holders.</p>}
      {fee_owners.length > 0 && (
        <p>
          Its creator’s fees go to{' '}
          {fee_owners.map(({ address, share_pct }, i) => (
            <Fragment key={address}>
              {i > 0 && ', '}
              <Address value={address} kind="wallet" /> ({share_pct}%)
            </Fragment>
          ))}
          .
        </p>
      )}
    </>
  )
}

/** Liquidity that was taken out of the pool, and what can still be. */
function Liquidity({ of }: { of: Who['liquidity'] }) {
  if (of === null) return null
  const { withdrawn } = of
  return (
    <Part title="Liquidity" how="1-token-basics">
      <p>
        {sharesInWords(of)}
        {withdrawn !== null && (
          <>
            {' '}
            Withdrawn: {withdrawn.sol === null ? '' : `${sol(withdrawn.sol)} SOL and `}
            {count(Math.round(withdrawn.tokens))} coins
            {withdrawn.by !== null && (
              <>
                , most by <Address value={withdrawn.by} kind="wallet" />
              </>
            )}
            . <Address value={withdrawn.signature} kind="tx" />
          </>
        )}
      </p>
    </Part>
  )
}

/** actors shown */
const ACTORS = 6

/** Actors known from other tokens, the largest holders and sellers first. */
const Actors = ({ actors }: Pick<Who, 'actors'>) => (
  <>
    <ul>
      {actors.slice(0, ACTORS).map((actor) => (
        <li key={actor.id} className="row">
          <Link to={`/actor/${actor.id}`}>{actor.name}</Link>{' '}
          <span className="soft">
            {counted(actor.tokens, 'token')}, {count(actor.rugged)} rugged; here {counted(actor.wallets_here, 'wallet')}
            , {actor.holds_pct > 0 ? `hold ${inPercent(actor.holds_pct)}` : 'hold nothing'}, sold{' '}
            {inPercent(actor.sold_pct)}
          </span>
        </li>
      ))}
    </ul>
    {actors.length > ACTORS && <p className="soft">and {count(actors.length - ACTORS)} more</p>}
  </>
)

interface GroupsProps {
  readonly groups: readonly Group[]
  /** number of smaller groups omitted from the answer */
  readonly leftOut: Who['coverage']['groups_left_out']
  readonly timeOf: TimeOf
}

/** groups shown at first */
const FIRST = 4

/** Groups with their funding, exit and evidence. */
function Groups({ groups, leftOut, timeOf }: GroupsProps) {
  const [all, setAll] = useState(false)
  const shown = all ? groups : groups.slice(0, FIRST)
  return (
    <section aria-label="Coordinated wallets" id="groups" className={css.groups}>
      <h3 className="row">
        Coordinated wallets <How part="8-bundles" of="Coordinated wallets" />
      </h3>
      {groups.length === 0 && (
        <p className="soft">No coordinated wallets were found. Buying at the same moment is not evidence by itself.</p>
      )}
      {shown.map((group) => (
        <details key={group.id} className={css.group}>
          <summary>
            <strong>{group.name}</strong> {counted(group.wallets, 'wallet')},{' '}
            {group.holds_pct > 0 ? `hold ${inPercent(group.holds_pct)}` : 'hold nothing'}, held{' '}
            {inPercent(group.peak_pct)} at the peak, sold {inPercent(group.sold_pct)}{' '}
            {group.has_deployer && <Flag>with the deployer</Flag>}{' '}
            {actorOf(group) !== null && (
              <Flag title="The same people across tokens: most wallets of this group belong to this crew.">
                crew {actorOf(group)}
              </Flag>
            )}{' '}
            {!group.confirmed && (
              <Flag title="Together they never held half a percent of supply, so they are not counted.">
                not confirmed
              </Flag>
            )}
          </summary>
          {group.exit !== null && (
            <p>
              At {timeOf(group.exit.slot)} {count(group.exit.wallets)} of them sold {inPercent(group.exit.pct)} of
              supply for {sol(group.exit.sol)} SOL in one block: <Transactions of={group.exit.transactions} />
            </p>
          )}
          <Proof group={group} />
          <div className="halves">
            <Funding group={group} />
            <Members group={group} />
          </div>
        </details>
      ))}
      {shown.length < groups.length && (
        <Button onClick={() => setAll(true)}>Show all {count(groups.length)} groups</Button>
      )}
      {leftOut > 0 && <p className="soft">{count(leftOut)} smaller groups are not listed.</p>}
    </section>
  )
}

/** Returns the actor of most listed members; group and actor have separate names. */
function actorOf({ members }: Group): string | null {
  const names = members.map(({ actor }) => actor?.name ?? null)
  return names.find((name) => name !== null && 2 * names.filter((one) => one === name).length > names.length) ?? null
}

/** transactions shown per kind of evidence */
const TRANSACTIONS = 4

const Transactions = ({ of }: { of: NonNullable<Group['exit']>['transactions'] }) => (
  <span className="row">
    {of.slice(0, TRANSACTIONS).map(({ signature }) => (
      <Address key={signature} value={signature} kind="tx" />
    ))}
    {of.length > TRANSACTIONS && <span className="soft">and {count(of.length - TRANSACTIONS)} more</span>}
  </span>
)

function Funding({ group }: { group: Group }) {
  const { roots, untraced } = fundingOf(group)
  return (
    <div>
      <h4>Funding</h4>
      {roots.length > 0 && (
        <ul className={css.tree} aria-label={`Funding of ${group.name}`}>
          {roots.map((node) => (
            <Branch key={node.wallet} node={node} />
          ))}
        </ul>
      )}
      {roots.length === 0 && <p className="soft">None of their funders was traced.</p>}
      {roots.length > 0 && untraced.length > 0 && (
        <p className="soft">{count(untraced.length)} more wallets were not traced.</p>
      )}
    </div>
  )
}

const ROLE = { exchange: 'exchange', deployer: 'deployer', funder: 'funder', member: null } as const

const Branch = ({ node: { wallet, name, role, edge, member, children } }: { node: FundingNode }) => (
  <li>
    <span className="row">
      {edge !== null && (
        <span className="soft">
          {sol(edge.sol)} SOL, {ageWords(edge.age_slots)} →
        </span>
      )}
      {name !== null && <bdi>{name}</bdi>}
      <Address value={wallet} kind="wallet" />
      {ROLE[role] !== null && <Flag>{ROLE[role]}</Flag>}
      {member !== null && <span className="soft">peak {inPercent(member.peak_pct)}</span>}
    </span>
    {children.length > 0 && (
      <ul>
        {children.map((child) => (
          <Branch key={child.wallet} node={child} />
        ))}
      </ul>
    )}
  </li>
)

/** rows shown */
const MEMBERS = 40
const PAIRS = 6

const Members = ({ group: { name, members } }: { group: Group }) => (
  <div>
    <h4>Wallets</h4>
    <Table
      label={`Wallets of ${name}`}
      columns={[
        { label: 'Wallet' },
        { label: 'Known as' },
        { label: 'Holds', number: true },
        { label: 'Peak', number: true },
        { label: 'Sold', number: true },
      ]}
    >
      {members.slice(0, MEMBERS).map((member) => (
        <Row key={member.wallet}>
          <RowHead>
            <Address value={member.wallet} kind="wallet" />
          </RowHead>
          <Cell>
            <Tags of={member} />
          </Cell>
          {[member.holds_pct, member.peak_pct, member.sold_pct].map((value, i) => (
            <Cell key={i} number>
              {inPercent(value)}
            </Cell>
          ))}
        </Row>
      ))}
    </Table>
    {members.length > MEMBERS && <p className="soft">and {count(members.length - MEMBERS)} more</p>}
  </div>
)

const Proof = ({ group: { evidence, pairs } }: { group: Group }) => (
  <div>
    <h4>Evidence</h4>
    <ul>
      {evidence.slice(0, PAIRS).map(({ wallets: [a = '', b = ''], families }) => (
        <li key={`${a} ${b}`} className="row">
          <Address value={a} kind="wallet" /> and <Address value={b} kind="wallet" />
          {families.map(({ family, transactions }) => (
            <Fragment key={family}>
              <Flag title={familyOf(family).means}>{familyOf(family).label}</Flag>
              <Transactions of={transactions} />
            </Fragment>
          ))}
        </li>
      ))}
    </ul>
    {pairs > PAIRS && <p className="soft">and {count(pairs - Math.min(PAIRS, evidence.length))} more pairs</p>}
  </div>
)
