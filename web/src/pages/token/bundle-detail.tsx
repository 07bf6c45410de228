import type { Target } from '../../charts/cluster-picture.tsx'
import { Flag } from '../../ui/flag.tsx'
import { count, pct } from '../../ui/format.ts'
import { Address } from '../../ui/links.tsx'
import css from './bundle-detail.module.css'
import {
  type Bundle,
  type Evidence,
  evidenceOf,
  familiesOf,
  familyOf,
  partnerOf,
  STATE_WORDS,
  stateOf,
  strongestFirst,
} from './bundle-words.ts'
import { inPercent } from './readings.ts'

/** partners that are told beside the picture; the list has all of them */
const PARTNERS_MAX = 3

interface DetailProps {
  readonly bundle: Bundle | null
  readonly target: Target | null
  /** says how to see the others */
  readonly hint: boolean
  readonly deployer: string | null
}

/** What ties the wallet or the two wallets that are pointed at. */
export function BundleDetail({ bundle, target, hint, deployer }: DetailProps) {
  const [one, other] = target?.members ?? []
  if (bundle === null || one === undefined) return null
  const held = bundle.members.find(({ wallet }) => wallet === one)?.pct_of_supply ?? 0
  const all = evidenceOf(bundle, one)
  const shown = other === undefined ? all.slice(0, PARTNERS_MAX) : all.filter(({ wallets }) => wallets.includes(other))
  return (
    <div className={css.detail}>
      <p className={css.head}>
        <strong>{bundle.name}</strong>
        <span>{STATE_WORDS[stateOf(bundle)][0].toLowerCase()}</span>
      </p>
      {other === undefined ? (
        <p className={css.wallet}>
          <Address value={one} kind="wallet" /> {one === deployer && <Flag>deployer</Flag>}
          <span>{held > 0 ? `${inPercent(held, 2)} of supply` : 'sold everything'}</span>
        </p>
      ) : null}
      <ul className={css.partners}>
        {shown.map((evidence) => (
          <Pair key={evidence.wallets.join(' ')} evidence={evidence} from={other === undefined ? one : null} />
        ))}
      </ul>
      {other === undefined && all.length > shown.length && (
        <p className={css.soft}>and with {count(all.length - shown.length)} more</p>
      )}
      {other === undefined && all.length === 0 && (
        <p className={css.soft}>Its evidence is no longer stored: only the strongest pairs are kept.</p>
      )}
      {hint && (
        <p className={css.hint}>
          Point at a wallet or a line, or use the arrow keys, to see the evidence. A thicker line means stronger
          evidence.
        </p>
      )}
    </div>
  )
}

function Pair({ evidence, from }: { evidence: Evidence; from: string | null }) {
  const [a = '', b = ''] = evidence.wallets
  return (
    <li>
      <p className={css.pair}>
        {from === null ? (
          <>
            <Address value={a} kind="wallet" /> and <Address value={b} kind="wallet" />
          </>
        ) : (
          <>
            with <Address value={partnerOf(evidence, from)} kind="wallet" />
          </>
        )}
        <span className={css.sure}>{pct(100 * evidence.probability, 0)} sure</span>
      </p>
      <Families evidence={evidence} />
    </li>
  )
}

/** Each family of evidence with its weight and its slot. */
export const Families = ({ evidence }: { evidence: Evidence }) => (
  <dl className={css.families}>
    {strongestFirst(evidence).map(({ family, weight, slot }) => (
      <div key={family} title={familyOf(family).means}>
        <dt>{familyOf(family).label}</dt>
        <dd className={css.weight}>
          <span style={{ inlineSize: `${100 * weight}%` }} aria-hidden="true" />
        </dd>
        <dd className={css.number}>{weight.toFixed(2)}</dd>
        <dd className={css.slot}>{slot < 0 ? '' : `slot ${count(slot)}`}</dd>
      </div>
    ))}
  </dl>
)

/** What ties a whole group, in one line of words. */
export const Ties = ({ bundle }: { bundle: Bundle }) => (
  <span>
    {familiesOf(bundle)
      .map(({ family, pairs }) => `${familyOf(family).label} (${count(pairs)})`)
      .join(', ')}
  </span>
)
