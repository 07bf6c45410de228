import type { Who } from '../../../../src/contract/who.ts'
import type { Resource } from '../../api/resource.ts'
import { Panel } from '../../ui/panel.tsx'
import { Rating, type RatingValue } from '../../ui/rating.tsx'
import { Failure, Skeleton } from '../../ui/states.tsx'
import { Tip } from '../../ui/tip.tsx'
import css from './verdict.module.css'
import { FORETOLD, foretoldOf, type Question } from './verdict-words.ts'
import { unknownOf } from './who-words.ts'

/** What is the matter with the token, worst first, and what became of tokens like it. */
export function Verdict({ who }: { who: Resource<Who> }) {
  const { data, error } = who
  return (
    <Panel title="Verdict" note="as of now, and what became of tokens like it">
      {data !== null ? (
        <Told who={data} />
      ) : error !== null ? (
        <Failure error={error} retry={who.refresh} />
      ) : (
        <Skeleton lines={6} />
      )}
    </Panel>
  )
}

function Told({ who: { verdict, outlook, coverage } }: { who: Who }) {
  const [first, ...others] = verdict.sentences
  const unknown = unknownOf(coverage)
  return (
    <div className={css.told}>
      <div>
        <p className={css.headline} data-rating={verdict.severity}>
          <Rating value={verdict.severity}>{first?.text ?? verdict.headline}</Rating>
        </p>
        <ul className={css.sentences}>
          {others.slice(0, SENTENCES).map(({ code, severity, text }) => (
            <li key={`${code} ${text}`}>
              <Rating value={severity}>{text}</Rating>
            </li>
          ))}
        </ul>
        {unknown.length > 0 && <p className={css.unknown}>Not known: {unknown.join(', ')}.</p>}
      </div>
      <dl className={css.outlook}>
        {(Object.keys(FORETOLD) as Question[]).map((question) => (
          <Foretold key={question} question={question} outlook={outlook} />
        ))}
      </dl>
    </div>
  )
}

/** below the headline */
const SENTENCES = 6

function Foretold({ question, outlook }: { question: Question; outlook: Who['outlook'] }) {
  const { label, means } = FORETOLD[question]
  const told = foretoldOf(question, outlook[question])
  return (
    <div className={css.foretold}>
      <dt>
        <Tip text={means}>{label}</Tip>
      </dt>
      <dd className={css.chance}>
        {told === null ? (
          <span className={css.none}>not asked</span>
        ) : (
          <Chance rating={told.rating} text={told.chance} />
        )}
      </dd>
      <dd className={css.counted}>{told?.counted ?? 'nothing is at stake here now'}</dd>
    </div>
  )
}

const Chance = ({ rating, text }: { rating: RatingValue; text: string }) => <Rating value={rating}>{text}</Rating>
