import { useMemo, useState } from 'react'
import type { AppExplain } from '../../../../src/contract/app.ts'
import type { TokenSnapshot } from '../../../../src/contract/resources.ts'
import type { Resource } from '../../api/resource.ts'
import { ClusterPicture, type PictureGroup, type Target } from '../../charts/cluster-picture.tsx'
import { count, pct, shortAddress } from '../../ui/format.ts'
import { Panel } from '../../ui/panel.tsx'
import { Empty, Skeleton } from '../../ui/states.tsx'
import { BundleDetail } from './bundle-detail.tsx'
import { BundleList } from './bundle-list.tsx'
import { type Bundle, forPicture, type GroupState, STATE_WORDS, stateOf } from './bundle-words.ts'
import css from './bundles.module.css'
import { inPercent } from './readings.ts'

/** what is drawn; the list below the picture goes on */
const GROUPS_MAX = 14
const MEMBERS_MAX = 40
const LINKS_MAX = 160

interface BundlesProps {
  readonly explain: Resource<AppExplain>
  readonly deployer: string | null
  readonly counts: TokenSnapshot['bundles']
}

/** Wallets that act together: a picture of the groups, what ties them, and the same in words. */
export function Bundles({ explain, deployer, counts }: BundlesProps) {
  const { data, error } = explain
  const bundles = data?.bundles
  return (
    <Panel title="Coordinated wallets" note={<Note counts={counts} />}>
      {bundles === undefined && error !== null && <Empty>Not read: {error.message}</Empty>}
      {bundles === undefined && error === null && <Skeleton lines={8} />}
      {bundles?.length === 0 && (
        <Empty>No coordinated wallets were found. Buying at the same moment alone is not evidence.</Empty>
      )}
      {bundles !== undefined && bundles.length > 0 && (
        <>
          <Picture bundles={bundles} deployer={deployer} />
          <BundleList bundles={bundles} deployer={deployer} />
        </>
      )}
    </Panel>
  )
}

const Note = ({ counts }: { counts: TokenSnapshot['bundles'] }) => (
  <>
    {count(counts.count)} confirmed {counts.count === 1 ? 'group holds' : 'groups hold'}{' '}
    {pct(counts.owned_pct_supply, 1)} of supply
    {counts.red_count > 0 && <strong className={css.selling}> · {count(counts.red_count)} selling heavily</strong>}
  </>
)

function Picture({ bundles, deployer }: { bundles: readonly Bundle[]; deployer: string | null }) {
  const [target, setTarget] = useState<Target | null>(null)
  const drawn = useMemo(() => forPicture(bundles, GROUPS_MAX), [bundles])
  const groups = useMemo(() => drawn.map((bundle) => pictured(bundle, deployer)), [drawn, deployer])
  // until somebody points: what ties the largest wallet of the first group
  const [first] = groups
  const [member] = first?.members ?? []
  const told = target ?? (first && member ? { group: first.id, members: [member.id] } : null)
  const bundle = bundles.find(({ id }) => id === told?.group) ?? null
  const states = [...new Set(drawn.map(stateOf))]
  return (
    <div className={css.picture}>
      <div className={css.drawing}>
        <ClusterPicture
          label="Groups of wallets; each circle is a wallet, sized by its share. Use the arrow keys to move between them; the list below has the same data"
          groups={groups}
          target={target}
          onTarget={setTarget}
        />
        <Legend states={states} left={bundles.length - drawn.length} />
      </div>
      <BundleDetail bundle={bundle} target={told} hint={target === null} deployer={deployer} />
    </div>
  )
}

const LOOK = { selling: 'strong', confirmed: 'plain', suspected: 'faint' } as const

function pictured(bundle: Bundle, deployer: string | null): PictureGroup {
  const wallets = bundle.members.length
  return {
    id: bundle.id,
    name: bundle.name,
    caption: `${bundle.pct_of_supply > 0 ? inPercent(bundle.pct_of_supply) : 'sold'} · ${wallets} ${wallets === 1 ? 'wallet' : 'wallets'}`,
    look: LOOK[stateOf(bundle)],
    members: [...bundle.members]
      .sort((a, b) => b.pct_of_supply - a.pct_of_supply)
      .slice(0, MEMBERS_MAX)
      .map(({ wallet, pct_of_supply }) => ({
        id: wallet,
        size: pct_of_supply,
        to: `/trader/${wallet}`,
        marked: wallet === deployer,
        label: `${shortAddress(wallet)}${wallet === deployer ? ', the deployer' : ''}, ${inPercent(pct_of_supply, 2)} of supply, in ${bundle.name}`,
      })),
    links: [...bundle.evidence]
      .sort((a, b) => b.probability - a.probability)
      .slice(0, LINKS_MAX)
      .map(({ wallets: [a = '', b = ''], probability }) => ({ between: [a, b], strength: probability })),
  }
}

const Legend = ({ states, left }: { states: readonly GroupState[]; left: number }) => (
  <ul className={css.legend}>
    {states.map((state) => (
      <li key={state} data-state={state} title={STATE_WORDS[state][1]}>
        {STATE_WORDS[state][0].toLowerCase()}
      </li>
    ))}
    <li>area: share of supply</li>
    <li data-state="sold">empty: sold everything</li>
    <li data-state="deployer">ringed: deployer</li>
    {left > 0 && <li>{count(left)} more in the list below</li>}
  </ul>
)
