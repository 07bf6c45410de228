import type { ReactNode } from 'react'
import { Cell, Row, Table } from './table.tsx'
import { TOKEN_ROWS, TokenRowHead } from './token-row-head.tsx'
import css from './token-table.module.css'

export interface TokenColumn<T> {
  readonly label: string
  readonly means?: string
  readonly number?: boolean
  /** hidden on a phone, so that the result fits without scrolling */
  readonly wide?: boolean
  readonly cell: (row: T) => ReactNode
  /** open: undecided */
  readonly tone?: (row: T) => 'good' | 'bad' | 'open' | undefined
}

interface TokenTableProps<T> {
  readonly label: string
  readonly rows: readonly T[]
  readonly columns: readonly TokenColumn<T>[]
}

interface Named {
  readonly mint: string
  readonly symbol: string
  readonly name: string
}

const classOf = ({ number, wide }: Pick<TokenColumn<never>, 'number' | 'wide'>): string =>
  [number && css.number, wide && css.wide].filter(Boolean).join(' ')

/** Tokens in rows with links; scrolls sideways if it is too wide. */
export const TokenTable = <T extends Named>({ label, rows, columns }: TokenTableProps<T>) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
  <section className={css.scroll} aria-label={label} tabIndex={0}>
    <Table
      className={`${TOKEN_ROWS} ${css.table}`}
      columns={[
        { label: 'Token' },
        ...columns.map((column) => ({
          label: column.label,
          ...(column.means === undefined ? {} : { means: column.means }),
          className: classOf(column),
        })),
      ]}
    >
      {rows.map((row) => (
        <Row key={row.mint}>
          <TokenRowHead token={row} size={22} className={css.token} symbolClass={css.symbol} />
          {columns.map((column) => (
            <Cell key={column.label} className={classOf(column)} data-tone={column.tone?.(row)}>
              {column.cell(row)}
            </Cell>
          ))}
        </Row>
      ))}
    </Table>
  </section>
)
