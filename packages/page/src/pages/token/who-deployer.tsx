import type { Who } from '@ti/core/contract/who.ts'
import { Fragment } from 'react'
import { Link } from '../../shell/router.tsx'
import { sol } from '../../ui/format.ts'
import { How } from '../../ui/how.tsx'
import { Address } from '../../ui/links.tsx'
import { recordOf } from '../../ui/record.ts'
import css from './who.module.css'
import { ageWords, becameOf, type Launched, launchWords } from './who-words.ts'

/** shapes repeat what the colours say */
const SHAPE = { drained: 'M.7 1.5h8.6L5 9z', graduated: 'M5 1 9.3 8.5H.7z', neither: 'M2.5 2.5h5v5h-5z' } as const

/** Whom the token names as its creator, if that wallet did not sign, and who gets the creator's fees. */
export function WhoFees({ launch: { launcher, named, creator, creator_kind, fee_owners } }: { launch: Who['launch'] }) {
  const isOther = named !== null && !named.signed && named.wallet !== launcher
  const isPassed = creator !== null && creator_kind === 'wallet' && creator !== (named?.wallet ?? launcher)
  if (!isOther && !isPassed && creator_kind !== 'holder_rewards' && fee_owners.length === 0) return null
  return (
    <section className={css.fees} aria-label="Creator and fees">
      {isOther && (
        <p className={css.record}>
          Names <Address value={named.wallet} kind="deployer" /> as its creator, who did not sign.
        </p>
      )}
      {isPassed && (
        <p className={css.record}>
          Its creator is now <Address value={creator} kind="wallet" />.
        </p>
      )}
      {creator_kind === 'holder_rewards' && <p className={css.record}>Its creator’s fees go to its holders.</p>}
      {fee_owners.length > 0 && (
        <p className={css.record}>
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
    </section>
  )
}

/** The deployer's record, and its other launches as marks, newest first. */
export function WhoDeployer({ deployer }: Pick<Who, 'deployer'>) {
  if (deployer === null) return <p className={css.record}>Who signed its creation is not known.</p>
  const { wallet, name, funder, launches } = deployer
  return (
    <section className={css.deployer} aria-label="Deployer">
      <h3 className={css.title}>
        Deployer {name !== null && <bdi>{name}</bdi>} <Address value={wallet} kind="deployer" />
        <How part="6-lists-agents-deployers" of="Deployer" />
      </h3>
      <p className={css.record}>{deployer.launched === 0 ? 'Its first launch.' : recordOf(deployer, 'other launch')}</p>
      {launches.length > 0 && (
        <ol className={css.strip} aria-label="Other launches of the deployer, newest first">
          {launches.map((launch) => (
            <Mark key={launch.mint} launch={launch} />
          ))}
        </ol>
      )}
      {funder !== null && (
        <p className="soft">
          {ageWords(funder.age_slots)} funded with {sol(funder.sol)} SOL by{' '}
          {funder.name !== null ? <bdi>{funder.name}</bdi> : <Address value={funder.wallet} kind="wallet" />}
        </p>
      )}
    </section>
  )
}

function Mark({ launch }: { launch: Launched }) {
  const became = becameOf(launch)
  const words = launchWords(launch)
  return (
    <li>
      <Link to={`/token/${launch.mint}`} className={css.mark} data-became={became} title={words} aria-label={words}>
        <svg viewBox="0 0 10 10" width="14" height="14" aria-hidden="true">
          <path d={SHAPE[became]} fill="currentColor" />
        </svg>
      </Link>
    </li>
  )
}
