import type { Who } from '@ti/core/contract/who.ts'
import { useState } from 'react'
import { Link } from '../../shell/router.tsx'
import { Button } from '../../ui/controls.tsx'
import { Flag } from '../../ui/flag.tsx'
import { count, counted, sol } from '../../ui/format.ts'
import { How } from '../../ui/how.tsx'
import { Address } from '../../ui/links.tsx'
import { Cell, Row, RowHead, Table } from '../../ui/table.tsx'
import css from './who.module.css'
import { Tags } from './who-holders.tsx'
import { type FundingNode, fundingOf } from './who-map.ts'
import { ageWords, familyOf, type Group } from './who-words.ts'
import { inPercent } from './words.ts'

/** Actors known from other tokens, the largest holders and sellers first. */
export function WhoActors({ actors }: Pick<Who, 'actors'>) {
  if (actors.length === 0) return null
  return (
    <section className={css.groups} aria-label="Actors">
      <h3 className={css.title}>
        Actors known from other tokens <How part="10-actors" of="Actors" />
      </h3>
      <ul className={css.actors}>
        {actors.slice(0, ACTORS).map((actor) => (
          <li key={actor.id}>
            <Link to={`/actor/${actor.id}`}>{actor.name}</Link>{' '}
            <span className="soft">
              {counted(actor.tokens, 'token')}, {count(actor.rugged)} rugged; here{' '}
              {counted(actor.wallets_here, 'wallet')},{' '}
              {actor.holds_pct > 0 ? `hold ${inPercent(actor.holds_pct)}` : 'hold nothing'}, sold{' '}
              {inPercent(actor.sold_pct)}
            </span>
          </li>
        ))}
      </ul>
      {actors.length > ACTORS && <p className="soft">and {count(actors.length - ACTORS)} more</p>}
    </section>
  )
}

/** actors shown */
const ACTORS = 4

interface GroupsProps {
  readonly groups: readonly Group[]
  /** number of smaller groups omitted from the answer */
  readonly leftOut: Who['coverage']['groups_left_out']
}

/** Groups with their funding, exit and evidence. */
export function WhoGroups({ groups, leftOut }: GroupsProps) {
  const [all, setAll] = useState(false)
  const shown = all ? groups : groups.slice(0, FIRST)
  return (
    <section className={css.groups} id="groups">
      <h3 className={css.title}>
        Coordinated wallets <How part="8-bundles" of="Coordinated wallets" />
      </h3>
      {groups.length === 0 && (
        <p className="soft">No coordinated wallets were found. Buying at the same moment is not evidence by itself.</p>
      )}
      {shown.map((group) => (
        <details key={group.id} className={css.group}>
          <summary>
            <strong>{group.name}</strong>{' '}
            <span>
              {counted(group.wallets, 'wallet')},{' '}
              {group.holds_pct > 0 ? `hold ${inPercent(group.holds_pct)}` : 'hold nothing'}, held{' '}
              {inPercent(group.peak_pct)} at the peak, sold {inPercent(group.sold_pct)}
            </span>{' '}
            {group.has_deployer && <Flag rating="red">with the deployer</Flag>}{' '}
            {actorOf(group) !== null && (
              <Flag title="The same people across tokens: most wallets of this group belong to this actor.">
                actor {actorOf(group)}
              </Flag>
            )}{' '}
            {!group.confirmed && (
              <Flag title="Together they never held half a percent of supply, so they are not counted.">
                not confirmed
              </Flag>
            )}
          </summary>
          <Exit exit={group.exit} />
          <div className={css.columns}>
            <Funding group={group} />
            <Members group={group} />
          </div>
          <Evidence group={group} />
        </details>
      ))}
      {shown.length < groups.length && (
        <Button className={css.more} onClick={() => setAll(true)}>
          Show all {count(groups.length)} groups
        </Button>
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

/** groups shown at first */
const FIRST = 3

const Exit = ({ exit }: Pick<Group, 'exit'>) =>
  exit === null ? null : (
    <p>
      In slot {count(exit.slot)}, {count(exit.wallets)} of them sold {inPercent(exit.pct)} of supply for {sol(exit.sol)}{' '}
      SOL: <Transactions of={exit.transactions} />
    </p>
  )

/** transactions shown per kind of evidence */
const TRANSACTIONS = 4

const Transactions = ({ of }: { of: NonNullable<Group['exit']>['transactions'] }) => (
  <span className={css.transactions}>
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
      <h4 className={css.title}>Funding</h4>
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
    <span className={css.node}>
      {edge !== null && (
        <span className="soft" title={`slot ${count(edge.slot)}`}>
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
    <h4 className={css.title}>Wallets</h4>
    <Table
      className={css.table}
      label={`Wallets of ${name}`}
      columns={[
        { label: 'Wallet' },
        { label: 'Tags' },
        { label: 'Holds', className: css.number },
        { label: 'Peak', className: css.number },
        { label: 'Sold', className: css.number },
      ]}
    >
      {members.slice(0, MEMBERS).map((member) => (
        <Row key={member.wallet}>
          <RowHead>
            <Address value={member.wallet} kind="wallet" />
          </RowHead>
          <Cell>
            <span className={css.tags}>
              <Tags of={member} />
            </span>
          </Cell>
          {[member.holds_pct, member.peak_pct, member.sold_pct].map((value, i) => (
            <Cell key={i} className={css.number}>
              {inPercent(value)}
            </Cell>
          ))}
        </Row>
      ))}
    </Table>
    {members.length > MEMBERS && <p className="soft">and {count(members.length - MEMBERS)} more</p>}
  </div>
)

const Evidence = ({ group: { evidence, pairs } }: { group: Group }) => (
  <div>
    <h4 className={css.title}>Evidence</h4>
    <ul className={css.pairs}>
      {evidence.slice(0, PAIRS).map(({ wallets: [a = '', b = ''], families }) => (
        <li key={`${a} ${b}`}>
          <span className={css.pair}>
            <Address value={a} kind="wallet" /> and <Address value={b} kind="wallet" />
          </span>
          {families.map(({ family, transactions }) => (
            <span key={family} className={css.family}>
              <Flag title={familyOf(family).means}>{familyOf(family).label}</Flag>
              <Transactions of={transactions} />
            </span>
          ))}
        </li>
      ))}
    </ul>
    {pairs > PAIRS && <p className="soft">and {count(pairs - Math.min(PAIRS, evidence.length))} more pairs</p>}
  </div>
)
