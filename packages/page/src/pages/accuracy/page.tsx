import type { Accuracy } from '@ti/core/contract/accuracy.ts'
import { useResource } from '../../api/resource.ts'
import { Reliability } from '../../charts/reliability.tsx'
import { Link } from '../../shell/router.tsx'
import { count, duration, NONE, pct, SLOT_S } from '../../ui/format.ts'
import { Page as Frame } from '../../ui/page.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Empty, Loaded } from '../../ui/states.tsx'
import { Cell, Row, RowHead, Table } from '../../ui/table.tsx'
import { useTitle } from '../../ui/title.ts'
import { type Question as Asked, answerOf, type Bin, binsOf, COUNTED, WORDS } from './words.ts'

/** milliseconds between two requests */
const REFRESH_MS = 60_000

export default function Page() {
  const accuracy = useResource<Accuracy>('/v1/accuracy', { everyMs: REFRESH_MS })
  useTitle('Accuracy')
  return (
    <Frame title="How often it was right">
      <Loaded of={accuracy} lines={14}>
        {(found) => (
          <>
            {found.questions.map((question) => (
              <Question key={question.question} question={question} />
            ))}
            <p className="soft">
              {found.since_slot !== null &&
                `Counted over ${duration((found.slot - found.since_slot) * SLOT_S)} with formulas ${found.formulas_version}. `}
              At fixed ages of every token the service records a prediction and later counts what came true. These are
              all of them, the wrong ones included. <Link to="/guide/methodology#9-outlook">How it asks</Link>
            </p>
          </>
        )}
      </Loaded>
    </Frame>
  )
}

function Question({ question }: { question: Asked }) {
  const { title, means } = WORDS[question.question]
  const bins = binsOf(question)
  const sure = bins.filter(({ n }) => n >= COUNTED)
  return (
    <Panel title={title} how="9-outlook" note={means}>
      {question.n === 0 ? (
        <Empty>No outcome is due yet: the first comes an hour after the first question.</Empty>
      ) : (
        <div className="stack">
          <p className="lead">{answerOf(bins)}</p>
          <div className="halves">
            <Bins bins={bins} title={title} />
            {sure.length > 1 && (
              <div>
                <Reliability points={sure} label={`${title}: share that came true by the chance we gave`} />
                <p className="soft">
                  Across: the chance we gave, percent. Up: the share that came true, with its 95% interval. On the
                  diagonal they are equal.
                </p>
              </div>
            )}
          </div>
        </div>
      )}
    </Panel>
  )
}

const COLUMNS = [
  { label: 'Chance we gave' },
  { label: 'Predictions', number: true },
  { label: 'Came true', number: true },
  { label: 'Share', number: true, means: `Of ${COUNTED} predictions and more; fewer say nothing.` },
  { label: '95% interval', number: true, wide: true, means: 'Where the true share is, 19 times out of 20.' },
]

const share = (value: number): string => pct(100 * value, 0)

const Bins = ({ bins, title }: { bins: readonly Bin[]; title: string }) => (
  <Table label={`${title}, by the chance we gave`} columns={COLUMNS}>
    {bins.map(({ band, observed, low, high, n, hits }) => (
      <Row key={band}>
        <RowHead>
          {10 * (band - 1)}% to {10 * band}%
        </RowHead>
        <Cell number>{count(n)}</Cell>
        <Cell number>{count(hits)}</Cell>
        <Cell number>{n < COUNTED ? NONE : share(observed)}</Cell>
        <Cell number wide>
          {n < COUNTED ? NONE : `${share(low)} to ${share(high)}`}
        </Cell>
      </Row>
    ))}
  </Table>
)
