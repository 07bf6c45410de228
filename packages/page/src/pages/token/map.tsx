import type { Who } from '@ti/core/contract/who.ts'
import { lazy, Suspense, useMemo, useState } from 'react'
import { LOOKS, type Look, STYLE } from '../../charts/bubble-paint.ts'
import { Choice } from '../../ui/choice.tsx'
import { count } from '../../ui/format.ts'
import { Empty, Skeleton } from '../../ui/states.tsx'
import css from './details.module.css'
import { labelOf, MOMENTS, mapOf, NOW } from './who-map.ts'
import { LOOK_WORDS } from './who-words.ts'

const BubbleMap = lazy(() => import('../../charts/bubble-map.tsx'))

const OPTIONS: Readonly<Record<string, string>> = Object.fromEntries(MOMENTS.map(([label]) => [label, label]))

export function WalletMap({ who }: { who: Who }) {
  const [moment, setMoment] = useState<number>(NOW)
  const [pointed, setPointed] = useState<string | null>(null)
  const { people, bubbles, clusters, links } = useMemo(() => mapOf(who), [who])
  const person = pointed === null ? undefined : people.get(pointed)
  const [label, means]: readonly [string, string] = MOMENTS[moment] ?? MOMENTS[NOW]
  if (bubbles.length === 0) return <Empty>Nobody holds any of it yet.</Empty>
  return (
    <figure>
      <div className="row">
        <Choice
          label="Moment"
          options={OPTIONS}
          chosen={label}
          choose={(name) => setMoment(MOMENTS.findIndex(([label]) => label === name))}
        />
        <span className="soft">{means}</span>
      </div>
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

/** Legend of the colours and shapes on the map. */
const Legend = ({ looks }: { looks: ReadonlySet<Look> }) => (
  <ul className={`row ${css.legend}`} aria-label="Legend">
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
