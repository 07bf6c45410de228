import { Flag } from '../../ui/flag.tsx'
import { count, sol } from '../../ui/format.ts'
import { Address } from '../../ui/links.tsx'
import { type FundingNode, fundingOf } from './funding.ts'
import { inPercent } from './readings.ts'
import css from './who.module.css'
import { ageWords, type Group } from './who-words.ts'

/** Groups, each with who paid for it, how it left, and the transactions that tie its wallets. */
export function WhoGroups({ groups }: { groups: readonly Group[] }) {
  if (groups.length === 0) return <p className={css.none}>No coordinated group is known.</p>
  return (
    <ul className={css.groups}>
      {groups.map((group) => (
        <li key={group.id}>
          <details>
            <summary>
              <strong>{group.name}</strong> {count(group.wallets)} wallets hold {inPercent(group.holds_pct)}, had{' '}
              {inPercent(group.peak_pct)}, sold {inPercent(group.sold_pct)}{' '}
              {group.has_deployer && <Flag>with the deployer</Flag>}
              {!group.confirmed && <Flag>not confirmed</Flag>}
            </summary>
            <Exit exit={group.exit} />
            <Tree group={group} />
            <Evidence group={group} />
          </details>
        </li>
      ))}
    </ul>
  )
}

const Exit = ({ exit }: Pick<Group, 'exit'>) =>
  exit === null ? null : (
    <p>
      {count(exit.wallets)} of them sold {inPercent(exit.pct)} of supply for {sol(exit.sol)} in slot {count(exit.slot)}:{' '}
      {exit.transactions.slice(0, TRANSACTIONS).map(({ signature }) => (
        <Address key={signature} value={signature} kind="tx" />
      ))}
    </p>
  )

/** named of one kind of evidence */
const TRANSACTIONS = 4
const PAIRS = 5

function Tree({ group }: { group: Group }) {
  const { roots, untraced } = fundingOf(group)
  if (roots.length === 0) return <p className={css.none}>None of their funders was traced.</p>
  return (
    <>
      <ul className={css.tree} aria-label={`Who paid for ${group.name}`}>
        {roots.map((node) => (
          <Branch key={node.wallet} node={node} />
        ))}
      </ul>
      {untraced.length > 0 && <p className={css.none}>{count(untraced.length)} more were not traced.</p>}
    </>
  )
}

const ROLE = { exchange: 'exchange', deployer: 'deployer', funder: 'funder', member: null } as const

const Branch = ({ node: { wallet, name, role, edge, children } }: { node: FundingNode }) => (
  <li>
    <span>
      {name ?? <Address value={wallet} kind="wallet" />} {ROLE[role] !== null && <Flag>{ROLE[role]}</Flag>}
      {edge !== null && (
        <span className={css.none}>
          {edge.sol === null ? 'first SOL' : sol(edge.sol)}, {ageWords(edge.age_slots)}
        </span>
      )}
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

const Evidence = ({ group: { evidence, pairs } }: { group: Group }) => (
  <ul className={css.evidence}>
    {evidence.slice(0, PAIRS).map(({ wallets: [a, b], families }) => (
      <li key={`${a} ${b}`}>
        <Address value={a ?? ''} kind="wallet" /> and <Address value={b ?? ''} kind="wallet" />:{' '}
        {families.map(({ family, transactions }) => (
          <span key={family}>
            {family.replaceAll('_', ' ')}{' '}
            {transactions.slice(0, TRANSACTIONS).map(({ signature }) => (
              <Address key={signature} value={signature} kind="tx" />
            ))}
          </span>
        ))}
      </li>
    ))}
    {pairs > PAIRS && <li className={css.none}>and {count(pairs - PAIRS)} more pairs</li>}
  </ul>
)
