import type { Who } from '../../../../src/contract/who.ts'
import type { Resource } from '../../api/resource.ts'
import { count } from '../../ui/format.ts'
import { Panel } from '../../ui/panel.tsx'
import { Rating } from '../../ui/rating.tsx'
import { Failure, Skeleton } from '../../ui/states.tsx'
import { Tip } from '../../ui/tip.tsx'
import css from './verdict.module.css'
import { chanceOf, OUTLOOK, type Question } from './verdict-words.ts'
import { unknownOf } from './who-words.ts'

/** What is the matter with the token, worst first, and what became of tokens like it. */
export function Verdict({ who }: { who: Resource<Who> }) {
  const { data, error } = who
  return (
    <Panel title="Verdict" how="12-the-verdict-in-words">
      {data !== null ? (
        <Content who={data} />
      ) : error !== null ? (
        <Failure error={error} retry={who.refresh} />
      ) : (
        <Skeleton lines={6} />
      )}
    </Panel>
  )
}

/** said beside it with its number: the outlook, and the score in the head of the page */
const BESIDE: ReadonlySet<string> = new Set(['outlook_drain', 'outlook_halving', 'score'])

function Content({ who: { verdict, outlook, coverage } }: { who: Who }) {
  const [first, ...others] = verdict.sentences
  const more = others.filter(({ code }) => !BESIDE.has(code))
  const unknown = unknownOf(coverage)
  return (
    <div className={css.parts}>
      <div>
        <p className={css.headline} data-rating={verdict.severity}>
          <Rating value={verdict.severity}>{first?.text ?? verdict.headline}</Rating>
        </p>
        <Sentences of={more.slice(0, SENTENCES)} />
        {more.length > SENTENCES && (
          <details className={css.more}>
            <summary>{count(more.length - SENTENCES)} more</summary>
            <Sentences of={more.slice(SENTENCES)} />
          </details>
        )}
        {unknown.length > 0 && <p className={css.unknown}>Not known: {unknown.join(', ')}.</p>}
      </div>
      <dl className={css.outlook}>
        {(Object.keys(OUTLOOK) as Question[]).map((question) => (
          <Chance key={question} question={question} outlook={outlook} />
        ))}
      </dl>
    </div>
  )
}

/** below the headline, before the rest folds away */
const SENTENCES = 3

const Sentences = ({ of }: { of: Who['verdict']['sentences'] }) => (
  <ul className={css.sentences}>
    {of.map(({ code, severity, text }) => (
      <li key={`${code} ${text}`}>
        <Rating value={severity}>{text}</Rating>
      </li>
    ))}
  </ul>
)

function Chance({ question, outlook }: { question: Question; outlook: Who['outlook'] }) {
  const { label, means } = OUTLOOK[question]
  const chance = chanceOf(question, outlook[question])
  return (
    <div className={css.chance}>
      <dt>
        <Tip text={means}>{label}</Tip>
      </dt>
      <dd className={css.value}>
        {chance === null ? (
          <span className={css.none}>does not apply</span>
        ) : (
          <Rating value={chance.rating}>{chance.text}</Rating>
        )}
      </dd>
      {chance !== null && <dd className={css.counted}>{chance.counted}</dd>}
    </div>
  )
}
