import type { AppPast } from '@ti/core/contract/app.ts'
import type { Who } from '@ti/core/contract/who.ts'
import { count, counted, NONE, signed, sol } from '../../ui/format.ts'
import { How } from '../../ui/how.tsx'
import { Failure, Skeleton } from '../../ui/states.tsx'
import { Cell, Row, RowHead, Table } from '../../ui/table.tsx'
import css from './token.module.css'
import type { TokenData } from './use-token.ts'
import { inPercent } from './words.ts'

type Sums = Who['money'][number] & { readonly moved?: number }

const COLUMNS = [
  { label: 'Who' },
  { label: 'Peak', means: 'The most they held together, of supply.', number: true },
  { label: 'Now', means: 'What they hold, of supply.', number: true },
  { label: 'Paid SOL', number: true },
  { label: 'Got SOL', number: true },
  {
    label: 'Result SOL',
    means: 'Got less paid, over its whole life. What they still hold counts nothing.',
    number: true,
  },
]

/** Money by cohort, now or as of then. */
export function Money({ data: { who, at, past } }: { data: TokenData }) {
  const answer = who.data
  const money: readonly Sums[] | null = at === null ? (answer?.money ?? null) : (past.data?.money ?? null)
  const rows = answer === null || money === null ? [] : rowsOf(money, answer)
  const columns = at === null ? COLUMNS : COLUMNS.map((one) => (one.label === 'Now' ? { ...one, label: 'Then' } : one))
  return (
    <section aria-label="Who took what" id="money" className={`${css.card} ${css.money}`}>
      <h2 className={css.title}>
        Who took what <How part="1-token-basics" of="Who took what" />
        <span className="soft">a wallet can be in several rows</span>
      </h2>
      {answer === null && who.error !== null && <Failure error={who.error} retry={who.refresh} />}
      {rows.length === 0 && who.error === null && (at === null ? <Skeleton lines={6} /> : <Gone past={past.data} />)}
      {rows.length > 0 && (
        <Table columns={columns}>
          {rows.map(({ label, sums }) => (
            <Row key={label}>
              <RowHead>{label}</RowHead>
              <Share pct={sums.peak_pct} of={sums} />
              <Share pct={sums.holds_pct} of={sums} />
              <Cell number>{sums.paid_sol === null ? NONE : sol(sums.paid_sol)}</Cell>
              <Cell number>{sums.got_sol === null ? NONE : sol(sums.got_sol)}</Cell>
              <Cell number>{sums.result_sol === null ? NONE : signed(sums.result_sol, sol(sums.result_sol))}</Cell>
            </Row>
          ))}
        </Table>
      )}
    </section>
  )
}

/** Wallets whose coins also moved outside trades are missing in a share of the past. */
const Share = ({ pct, of: { wallets, moved = 0 } }: { pct: number; of: Sums }) => (
  <Cell number>
    {moved < wallets || moved === 0 ? inPercent(pct) : null}
    {moved > 0 && (
      <abbr title={`${counted(moved, 'wallet')} of ${count(wallets)} also moved coins outside trades: not counted`}>
        {moved < wallets ? '+?' : 'unknown'}
      </abbr>
    )}
  </Cell>
)

const Gone = ({ past }: { past: AppPast | null }) =>
  past === null ? <Skeleton lines={6} /> : <p className="soft">Its older trades are too many to read.</p>

/** groups with a row of their own */
const GROUPS = 3

interface MoneyRow {
  readonly label: string
  readonly sums: Sums
}

function rowsOf(money: readonly Sums[], { groups }: Who): MoneyRow[] {
  const of = (cohort: Sums['cohort']): Sums | undefined => money.find((one) => one.cohort === cohort)
  const row = (sums: Sums | undefined, label: (wallets: number) => string): MoneyRow[] =>
    sums === undefined || sums.wallets === 0 ? [] : [{ label: label(sums.wallets), sums }]
  const largest = money.filter(({ cohort }) => cohort === 'group')
  return [
    ...row(of('launcher'), (n) => (n === 1 ? 'Deployer' : `Deployer and ${count(n - 1)} insiders`)),
    ...largest.slice(0, GROUPS).flatMap((sums) => {
      const name = groups.find(({ id, aliases }) => id === sums.group || aliases.includes(sums.group ?? ''))?.name ?? ''
      return row(sums, (n) => `Group ${name} (${count(n)})`)
    }),
    ...row(of('first_block'), (n) => `First block (${count(n)})`),
    ...row(of('first_3s'), (n) => `Snipers, first 3 s (${count(n)})`),
    ...row(of('kols'), (n) => `KOLs (${count(n)})`),
    ...row(of('others'), (n) => `Everyone else (${count(n)})`),
  ]
}
