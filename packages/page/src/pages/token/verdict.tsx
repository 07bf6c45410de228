import type { Who } from '@ti/core/contract/who.ts'
import type { Resource } from '../../api/resource.ts'
import { count } from '../../ui/format.ts'
import { Panel } from '../../ui/panel.tsx'
import { Rating, type RatingValue } from '../../ui/rating.tsx'
import { Failure, Skeleton } from '../../ui/states.tsx'
import { Tip } from '../../ui/tip.tsx'
import type { FirstWords } from './first-words.ts'
import css from './verdict.module.css'
import { chanceOf, OUTLOOK, type Question } from './verdict-words.ts'
import { unknownOf } from './who-words.ts'

/** Findings about the token, worst first, and outcomes of similar tokens. */
export function Verdict({ who, words }: { who: Resource<Who>; words: FirstWords | null }) {
  const { data, error } = who
  return (
    <Panel title="Verdict" how="12-the-verdict">
      {data !== null ? (
        <Content who={data} />
      ) : error !== null ? (
        <Failure error={error} retry={who.refresh} />
      ) : (
        <Waiting words={words} />
      )}
    </Panel>
  )
}

/** codes shown elsewhere: outlook and score */
const BESIDE: ReadonlySet<string> = new Set(['outlook_drain', 'outlook_halving', 'score'])

const QUESTIONS = Object.keys(OUTLOOK) as Question[]

function Content({ who }: { who: Who }) {
  const { verdict, coverage } = who
  const others = verdict.reasons.filter(({ text }) => text !== verdict.headline)
  const more = others.filter(({ code }) => !BESIDE.has(code))
  const unknown = unknownOf(coverage)
  return (
    <div className={css.parts}>
      <div>
        <Headline colour={verdict.colour}>{verdict.headline}</Headline>
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
        {QUESTIONS.map((question) => (
          <Chance key={question} question={question} chance={chanceOf(question, who)} />
        ))}
      </dl>
    </div>
  )
}

/** Placeholder before the answer; the served page already contains the first sentence. */
const Waiting = ({ words }: { words: FirstWords | null }) => (
  <div className={css.parts}>
    <div>
      {words !== null && <Headline colour={words.colour}>{words.sentence}</Headline>}
      <div className={css.sentences}>
        <Skeleton lines={words === null ? 6 : 5} />
      </div>
    </div>
    <dl className={css.outlook}>
      {QUESTIONS.map((question) => (
        <Chance key={question} question={question} chance={WAITED_FOR} />
      ))}
    </dl>
  </div>
)

/** Joins numbers and units with no-break spaces. */
const unbroken = (text: string): string => text.replaceAll(/(\d) (?=[\w%])/g, '$1\u00a0')

const Headline = ({ colour, children }: { colour: RatingValue; children: string }) => (
  <p className={css.headline} data-rating={colour}>
    <Rating value={colour}>{unbroken(children)}</Rating>
  </p>
)

/** sentences before the rest folds */
const SENTENCES = 3

const Sentences = ({ of }: { of: Who['verdict']['reasons'] }) => (
  <ul className={css.sentences}>
    {of.map(({ code, colour, text }) => (
      <li key={`${code} ${text}`}>
        <Rating value={colour}>{unbroken(text)}</Rating>
      </li>
    ))}
  </ul>
)

/** keeps the line heights of placeholders */
const BLANK = '\u00a0'
const WAITED_FOR = { text: BLANK, counted: BLANK, rating: null } as const

interface ChanceProps {
  readonly question: Question
  /** null: the question does not apply */
  readonly chance: ReturnType<typeof chanceOf> | typeof WAITED_FOR
}

function Chance({ question, chance }: ChanceProps) {
  const { label, means } = OUTLOOK[question]
  return (
    <div className={css.chance}>
      <dt>
        <Tip text={means}>{label}</Tip>
      </dt>
      <dd className={css.value}>
        {chance === null ? (
          <span className={css.none}>does not apply</span>
        ) : chance.rating === null ? (
          chance.text
        ) : (
          <Rating value={chance.rating}>{chance.text}</Rating>
        )}
      </dd>
      {chance !== null && <dd className={css.counted}>{chance.counted}</dd>}
    </div>
  )
}
