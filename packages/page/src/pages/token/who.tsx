import type { Who as Answer } from '@ti/core/contract/who.ts'
import { lazy, Suspense, useId, useMemo, useState } from 'react'
import type { Resource } from '../../api/resource.ts'
import { LOOKS, type Look, STYLE } from '../../charts/bubble-paint.ts'
import { useAfterPaint } from '../../ui/after-paint.ts'
import { Fold } from '../../ui/fold.tsx'
import { count } from '../../ui/format.ts'
import { Panel } from '../../ui/panel.tsx'
import { Empty, Failure, Skeleton } from '../../ui/states.tsx'
import css from './who.module.css'
import { FirstBuyers } from './who-buyers.tsx'
import { WhoDeployer, WhoFees } from './who-deployer.tsx'
import { WhoActors, WhoGroups } from './who-groups.tsx'
import { Classes, Largest } from './who-holders.tsx'
import { WhoLiquidity } from './who-liquidity.tsx'
import { labelOf, MOMENTS, mapOf, NOW } from './who-map.ts'
import { LOOK_WORDS } from './who-words.ts'

const BubbleMap = lazy(() => import('../../charts/bubble-map.tsx'))

/**
 * The people behind the token: a map of wallets, the deployer's record, first buyers, groups with evidence, and the largest
 * holders.
 */
export function WhoPanel({ who }: { who: Resource<Answer> }) {
  const { data, error } = who
  const below = useAfterPaint()
  return (
    <Panel title="Who is behind it" how="2-positions" note="percent of total supply">
      {data !== null ? (
        <div className={css.parts}>
          <WalletMap who={data} />
          <div className={css.beside}>
            <WhoDeployer deployer={data.deployer} />
            <WhoLiquidity of={data.liquidity} />
            <WhoFees launch={data.launch} />
            <FirstBuyers of={data.first_buyers} />
            <Fold label="Classes of wallets: what each holds, held and sold">
              <Classes classes={data.classes} />
            </Fold>
            <WhoActors actors={data.actors} />
          </div>
          {below && <WhoGroups groups={data.groups} leftOut={data.coverage.groups_left_out} />}
          {below && <Largest holders={data.holders} mint={data.mint} />}
        </div>
      ) : error !== null ? (
        <Failure error={error} retry={who.refresh} />
      ) : (
        <Skeleton lines={14} />
      )}
    </Panel>
  )
}

function WalletMap({ who }: { who: Answer }) {
  const [moment, setMoment] = useState<number>(NOW)
  const [pointed, setPointed] = useState<string | null>(null)
  const { people, bubbles, clusters, links } = useMemo(() => mapOf(who), [who])
  const person = pointed === null ? undefined : people.get(pointed)
  if (bubbles.length === 0) return <Empty>Nobody holds any of it yet.</Empty>
  return (
    <figure className={css.map}>
      <Moments moment={moment} onChange={setMoment} />
      <Suspense fallback={<Skeleton lines={10} />}>
        <BubbleMap label="Wallet" {...{ bubbles, clusters, links, moment, pointed }} onPoint={setPointed} />
      </Suspense>
      <figcaption className={css.caption} aria-live="polite">
        {person === undefined
          ? `${count(bubbles.length)} wallets. Area is share of supply; a ring joins wallets that act together.`
          : labelOf(person)}
      </figcaption>
      <Legend looks={new Set(bubbles.map(({ look }) => look))} />
    </figure>
  )
}

interface MomentsProps {
  readonly moment: number
  onChange(moment: number): void
}

/** Selects the moment of the map: launch, peak or now. */
function Moments({ moment, onChange }: MomentsProps) {
  const id = useId()
  const [label = '', means = ''] = MOMENTS[moment] ?? []
  return (
    <div className={css.moments}>
      <label htmlFor={id} className="unseen">
        Moment
      </label>
      <input
        id={id}
        type="range"
        min={0}
        max={NOW}
        step={1}
        value={moment}
        aria-valuetext={label}
        onChange={(event) => onChange(Number(event.target.value))}
      />
      {/* the same for a finger; the slider has the keyboard */}
      <span className={css.stops} aria-hidden="true">
        {MOMENTS.map(([label], i) => (
          <button
            key={label}
            type="button"
            tabIndex={-1}
            data-chosen={i === moment || undefined}
            onClick={() => onChange(i)}
          >
            {label}
          </button>
        ))}
      </span>
      <span className={css.means}>{means}</span>
    </div>
  )
}

/** Legend of the colours and shapes on the map. */
const Legend = ({ looks }: { looks: ReadonlySet<Look> }) => (
  <ul className={css.legend} aria-label="Legend">
    {LOOKS.filter((look) => looks.has(look)).map((look) => {
      const { ink, shape, outline } = STYLE[look]
      const [label, means] = LOOK_WORDS[look]
      return (
        <li key={look} title={means}>
          <span className={css.swatch} data-ink={ink} data-shape={shape} data-outline={outline} /> {label}
        </li>
      )
    })}
  </ul>
)
