import { REASON_WORDS } from '@ti/core/base/verdict-codes.ts'
import type { AppPast } from '@ti/core/contract/app.ts'
import type { Who } from '@ti/core/contract/who.ts'
import { useState } from 'react'
import { timeOfSlot, timeToSecond } from '../../charts/line-data.ts'
import { Link } from '../../shell/router.tsx'
import { Button } from '../../ui/controls.tsx'
import { count, counted, pct } from '../../ui/format.ts'
import { How } from '../../ui/how.tsx'
import { Address } from '../../ui/links.tsx'
import { Rating, type RatingValue } from '../../ui/rating.tsx'
import { Failure, Skeleton } from '../../ui/states.tsx'
import { Tip } from '../../ui/tip.tsx'
import { Star } from '../../watch/star.tsx'
import type { FirstWords } from './first.ts'
import { type StoryLine, shortened, storyOf } from './story.ts'
import css from './token.module.css'
import type { TokenData } from './use-token.ts'
import { chanceOf, familyOf, OUTLOOK, type Question, unknownOf } from './who-words.ts'

/** A slot's time of day; a dash while no time is known. */
export function timeText({ anchors }: Pick<TokenData, 'anchors'>, slot: number): string {
  const time = timeOfSlot(anchors, slot)
  return time === null ? '–' : timeToSecond(time * 1000)
}

interface Then {
  readonly colour: RatingValue
  readonly sentence: string
}

/** The verdict of an earlier moment: only its colour and cause are kept. */
export function verdictThen(data: TokenData, { slot, verdict }: AppPast): Then {
  const time = timeText(data, slot)
  if (verdict === null) return { colour: 'neutral', sentence: `The verdict of ${time} is not kept any more.` }
  const { colour, code, since_slot } = verdict
  if (code === null || since_slot === null)
    return { colour, sentence: `At ${time} nothing was known against it, and nothing for it.` }
  return {
    colour,
    sentence: `At ${time} it was ${colour}, since ${timeText(data, since_slot)}: ${REASON_WORDS[code]}.`,
  }
}

/** reasons beside the first, and codes that are shown elsewhere */
const REASONS = 2
const BESIDE: ReadonlySet<string> = new Set([
  'outlook_drain',
  'outlook_halving',
  'score',
  'graduated',
  'deployer_record',
  'group_exit',
  'deployer_sold',
])

interface VerdictProps {
  readonly data: TokenData
  readonly words: FirstWords | null
}

export function Verdict({ data, words }: VerdictProps) {
  const { who, at, past } = data
  const then = at === null || past.data === null ? null : verdictThen(data, past.data)
  const verdict = who.data?.verdict
  const shown = then ?? (verdict && { colour: verdict.colour, sentence: verdict.headline }) ?? words
  const more = verdict?.reasons.filter(({ code, text }) => text !== verdict.headline && !BESIDE.has(code)) ?? []
  return (
    <section aria-label="Verdict" id="verdict">
      {shown === null || shown === undefined ? (
        who.error === null ? (
          <Skeleton lines={2} />
        ) : (
          <Failure error={who.error} retry={who.refresh} />
        )
      ) : (
        <p className={css.headline} data-rating={shown.colour}>
          <Rating value={shown.colour}>{unbroken(shown.sentence)}</Rating>
        </p>
      )}
      {at !== null ? (
        <p className={css.reasons}>{past.error?.message ?? 'The page shows what is kept of that moment.'}</p>
      ) : (
        <ul className={css.reasons}>
          {more.slice(0, REASONS).map(({ code, colour, text }) => (
            <li key={`${code} ${text}`}>
              <Rating value={colour}>{unbroken(text)}</Rating>
            </li>
          ))}
        </ul>
      )}
      <fieldset className={css.follow} aria-label="Tell me when">
        {who.data !== null && <Follow who={who.data} />}
      </fieldset>
    </section>
  )
}

/** Joins numbers and units with no-break spaces. */
const unbroken = (text: string): string => text.replaceAll(/(\d) (?=[\w%])/g, '$1\u00a0')

/** One click tells of the deployer's next launch, or of the crew's next purchase. */
function Follow({ who: { deployer, actors } }: { who: Who }) {
  const [crew] = actors
  if (deployer === null && crew === undefined) return null
  return (
    <>
      Tell me when
      {deployer !== null && (
        <Star
          kind="deployer"
          target={deployer.wallet}
          name="its deployer"
          words={['its deployer launches again', 'its deployer launches again: watching']}
        />
      )}
      {crew !== undefined && (
        <>
          <Star
            kind="actor"
            target={String(crew.no)}
            name={crew.name}
            words={[`${crew.name} buys`, `${crew.name} buys: watching`]}
          />
          <Link to={`/actor/${crew.id}`}>the crew’s tokens</Link>
        </>
      )}
    </>
  )
}

/** lines before the rest folds */
const LINES = 7

export function Story({ data }: { data: TokenData }) {
  const { who, line, at } = data
  const [all, setAll] = useState(false)
  const lines = who.data === null ? [] : storyOf(who.data, line.data?.marks ?? [], at, (slot) => timeText(data, slot))
  const shown = all ? lines : shortened(lines, LINES)
  return (
    <section aria-label="Story" id="story" className={css.story}>
      {who.data === null && who.error === null && <Skeleton lines={7} />}
      <ol>
        {shown.map((one) => (
          <Line key={`${one.slot} ${one.text}`} line={one} time={timeText(data, one.slot)} />
        ))}
      </ol>
      {lines.length > shown.length && (
        <Button look="quiet" onClick={() => setAll(true)}>
          {count(lines.length - shown.length)} more
        </Button>
      )}
    </section>
  )
}

const Line = ({ line: { text, deployer, colour }, time }: { line: StoryLine; time: string }) => (
  <li>
    <time>{time}</time>
    <span>
      {deployer !== undefined && <Address value={deployer} kind="deployer" />}{' '}
      {colour === undefined ? text : <Rating value={colour}>{text}</Rating>}
    </span>
  </li>
)

const QUESTIONS = Object.keys(OUTLOOK) as Question[]

/** Outcomes of similar tokens as counts; none is kept of the past. */
export function Others({ data: { who, at } }: { data: TokenData }) {
  return (
    <section aria-label="What became of others like it" id="others" className={css.card}>
      <h2 className={css.title}>
        What became of others like it <How part="9-outlook" of="What became of others like it" />
      </h2>
      {at !== null ? (
        <p className="soft">Not kept of the past.</p>
      ) : (
        <dl className={css.outlook}>
          {QUESTIONS.map((question) => (
            <div key={question}>
              <dt>
                <Tip text={OUTLOOK[question].means}>{OUTLOOK[question].label}</Tip>
              </dt>
              <dd>{who.data === null ? '\u00a0' : chanceOf(question, who.data)}</dd>
            </div>
          ))}
        </dl>
      )}
    </section>
  )
}

/** The basis of the answer, and what it does not know. */
export function Sure({ data: { who, at, past } }: { data: TokenData }) {
  return (
    <section aria-label="How sure it is" id="sure" className={css.card}>
      <h2 className={css.title}>How sure it is</h2>
      <ul className={css.sure}>
        {(at === null ? (who.data === null ? [] : sureOf(who.data)) : keptOf(past.data)).map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    </section>
  )
}

function sureOf({ coverage, groups, holders }: Who): string[] {
  const unknown = unknownOf(coverage)
  const [group] = groups.filter(({ confirmed }) => confirmed)
  const families = new Set(group?.evidence.flatMap(({ families }) => families.map(({ family }) => family)))
  return [
    ...(group === undefined
      ? ['No group was found. Buying at the same moment proves nothing.']
      : [
          `Group ${group.name}: ${count(group.wallets)} wallets, ${count(group.pairs)} proven links${families.size === 0 ? '' : ` (${[...families].map((family) => familyOf(family).label).join(', ')})`}.`,
        ]),
    holders.count === 0
      ? 'Nobody holds it, so there is nobody to know.'
      : `Funders are known for ${pct(coverage.funders_traced_pct, 0)} of held supply, a track record for ${pct(coverage.history_pct, 0)}.`,
    ...(unknown.length === 0 ? [] : [`Not known: ${unknown.join(', ')}.`]),
  ]
}

function keptOf(past: AppPast | null): string[] {
  if (past === null) return []
  const { money, holders } = past
  if (money === null || holders === null)
    return ['Kept of that moment: verdict and market cap. Its older trades are too many to read.']
  const moved =
    holders.moved === 0
      ? []
      : [
          `${counted(holders.moved, 'wallet')} also moved coins outside trades; when is not kept, so what they held is left out.`,
        ]
  return [
    'Kept of that moment: the verdict with its cause, and every trade. Wallets are sorted as they are known now; amounts have no fees.',
    ...moved,
    'Map, first buyers, evidence and score are of now.',
  ]
}
