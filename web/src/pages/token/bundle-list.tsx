import { Flag } from '../../ui/flag.tsx'
import { count, pct } from '../../ui/format.ts'
import { Address } from '../../ui/links.tsx'
import { Families, Ties } from './bundle-detail.tsx'
import css from './bundle-list.module.css'
import { type Bundle, STATE_WORDS, stateOf } from './bundle-words.ts'
import { inPercent } from './readings.ts'

/** the rest is counted */
const GROUPS_MAX = 60
const MEMBERS_MAX = 60
const PAIRS_MAX = 40

interface ListProps {
  readonly bundles: readonly Bundle[]
  readonly deployer: string | null
}

/** Every group in words: its members, and the evidence between them. */
export const BundleList = ({ bundles, deployer }: ListProps) => (
  <div className={css.list}>
    {bundles.slice(0, GROUPS_MAX).map((bundle) => (
      <Group key={bundle.id} bundle={bundle} deployer={deployer} />
    ))}
    {bundles.length > GROUPS_MAX && <p className={css.soft}>and {count(bundles.length - GROUPS_MAX)} smaller groups</p>}
  </div>
)

function Group({ bundle, deployer }: { bundle: Bundle; deployer: string | null }) {
  const state = stateOf(bundle)
  const wallets = bundle.members.length
  return (
    <details className={css.group}>
      <summary>
        <span className={css.name}>{bundle.name}</span>
        <span className={css.state} data-state={state}>
          {STATE_WORDS[state][0].toLowerCase()}
        </span>
        <span className={css.ties}>
          <Ties bundle={bundle} />
        </span>
        <span className={`${css.number} ${css.wallets}`}>
          {count(wallets)} {wallets === 1 ? 'wallet' : 'wallets'}
        </span>
        <span className={`${css.number} ${css.held}`}>
          <strong>{inPercent(bundle.pct_of_supply)}</strong>{' '}
          <span className={css.soft}>peak {inPercent(bundle.peak_pct_of_supply)}</span>
        </span>
      </summary>
      <p className={css.soft}>
        {STATE_WORDS[state][1]}{' '}
        {bundle.confirmed_slot !== null && `Confirmed at slot ${count(bundle.confirmed_slot)}. `}
        Known as <code>{bundle.id}</code>
        {bundle.aliases.length > 0 && <>, before as {bundle.aliases.join(', ')}</>}.
      </p>
      <h3 className={css.title}>Wallets</h3>
      <ul className={css.members}>
        {bundle.members.slice(0, MEMBERS_MAX).map(({ wallet, pct_of_supply }) => (
          <li key={wallet}>
            <Address value={wallet} kind="wallet" /> {wallet === deployer && <Flag>deployer</Flag>}
            <span>{pct_of_supply > 0 ? inPercent(pct_of_supply, 2) : 'sold'}</span>
          </li>
        ))}
      </ul>
      {wallets > MEMBERS_MAX && <p className={css.soft}>and {count(wallets - MEMBERS_MAX)} more</p>}
      <h3 className={css.title}>Evidence</h3>
      <ul className={css.pairs}>
        {bundle.evidence.slice(0, PAIRS_MAX).map((evidence) => (
          <li key={evidence.wallets.join(' ')}>
            <p className={css.pair}>
              <Address value={evidence.wallets[0] ?? ''} kind="wallet" /> and{' '}
              <Address value={evidence.wallets[1] ?? ''} kind="wallet" />
              <span>{pct(100 * evidence.probability, 0)} sure</span>
            </p>
            <Families evidence={evidence} />
          </li>
        ))}
      </ul>
      {bundle.evidence.length > PAIRS_MAX && (
        <p className={css.soft}>and {count(bundle.evidence.length - PAIRS_MAX)} more pairs of wallets</p>
      )}
    </details>
  )
}
