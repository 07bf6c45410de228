import type { Accuracy } from '@ti/core/contract/accuracy.ts'
import { useResource } from '../../api/resource.ts'
import { Reliability } from '../../charts/reliability.tsx'
import { Link } from '../../shell/router.tsx'
import { Facts } from '../../ui/facts.tsx'
import { count, duration, NONE, pct, SLOT_S } from '../../ui/format.ts'
import { Panel } from '../../ui/panel.tsx'
import { Empty, Failure, Skeleton } from '../../ui/states.tsx'
import { Cell, Row, RowHead, Table } from '../../ui/table.tsx'
import { useTitle } from '../../ui/title.ts'
import css from './page.module.css'
import { type Bin, binsOf, gapOf, WORDS } from './words.ts'

/** milliseconds between two requests */
const REFRESH_MS = 60_000

export default function Page() {
  const accuracy = useResource<Accuracy>('/v1/accuracy', { everyMs: REFRESH_MS })
  const { data, error } = accuracy
  useTitle('Accuracy')
  return (
    <div className={css.page}>
      <header>
        <h1>How often it was right</h1>
        <p className={css.lead}>
          At fixed ages of every token the service records a prediction and later counts what came true. These are all
          of those counts, including the wrong predictions. How the questions are asked is in{' '}
          <Link to="/guide/methodology#9-outlook">the methodology</Link>.
        </p>
      </header>
      {data === null && error !== null && <Failure error={error} retry={accuracy.refresh} />}
      {data === null && error === null && <Skeleton lines={14} />}
      {data !== null && <Figures accuracy={data} />}
    </div>
  )
}

const Figures = ({
  accuracy: { questions, since_slot: since, slot, formulas_version: version },
}: {
  accuracy: Accuracy
}) => (
  <>
    <p className="soft">
      {since === null
        ? 'No question has been asked yet.'
        : `Counted over ${duration((slot - since) * SLOT_S)}, from slot ${count(since)} to slot ${count(slot)}, formulas ${version}.`}
    </p>
    {questions.map((question) => (
      <Question key={question.question} question={question} />
    ))}
  </>
)

function Question({ question }: { question: Accuracy['questions'][number] }) {
  const { title, means } = WORDS[question.question]
  const bins = binsOf(question)
  const gap = gapOf(question)
  return (
    <Panel title={title} how="9-outlook" note={means}>
      {question.n === 0 ? (
        <Empty>No outcome is due yet: the first comes an hour after the first question.</Empty>
      ) : (
        <div className={css.question}>
          <div>
            <Reliability points={bins} label={`${title}: share that came true by probability served`} />
            <p className="soft">Across: probability served, percent. Up: share that came true, with 95% interval.</p>
          </div>
          <div className={css.numbers}>
            <Facts
              facts={[
                { label: 'Outcomes', value: count(question.n) },
                { label: 'Came true', value: pct((100 * question.hits) / question.n, 1) },
                { label: 'Predicted', value: pct((100 * question.expected) / question.n, 1) },
                {
                  label: 'Off by',
                  value: gap === null ? NONE : `${Math.abs(gap).toFixed(1)} points`,
                  means: 'Difference between the mean probability served and the share that came true.',
                },
                {
                  label: 'Brier score',
                  value: question.brier === null ? NONE : question.brier.toFixed(3),
                  means: 'Mean squared error of the probabilities: 0 is perfect, 0.25 is a coin toss.',
                },
              ]}
            />
            <Bins bins={bins} title={title} />
          </div>
        </div>
      )}
    </Panel>
  )
}

/** always one decimal, so that columns align */
const share = (value: number): string => `${(100 * value).toFixed(1)}%`

const Bins = ({ bins, title }: { bins: readonly Bin[]; title: string }) => (
  <Table
    className={css.table}
    label={`${title}, by band`}
    columns={['Served', 'Came true', '95% interval', 'Outcomes'].map((label) => ({ label, className: css.number }))}
  >
    {bins.map(({ served, observed, low, high, n }) => (
      <Row key={served}>
        <RowHead className={css.number}>{share(served)}</RowHead>
        <Cell className={css.number}>{share(observed)}</Cell>
        <Cell className={css.number}>
          {share(low)} to {share(high)}
        </Cell>
        <Cell className={css.number}>{count(n)}</Cell>
      </Row>
    ))}
  </Table>
)
