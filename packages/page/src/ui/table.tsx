// biome-ignore-all lint/a11y/noRedundantRoles: on a phone the rows are laid out as grids, which takes their meaning away
// biome-ignore-all lint/a11y/useSemanticElements: the elements are there, the roles are kept beside them
import type { ComponentProps, ReactNode } from 'react'
import { Link } from '../shell/router.tsx'
import { shortAddress } from './format.ts'
import { TokenMark } from './mark.tsx'
import type { RatingValue } from './rating.tsx'
import css from './table.module.css'
import { Tip } from './tip.tsx'

interface Look {
  /** aligned at its end */
  readonly number?: boolean | undefined
  /** hidden on a phone, so that the result fits without scrolling */
  readonly wide?: boolean | undefined
}

interface Column extends Look {
  readonly label: string
  /** one sentence */
  readonly means?: string | undefined
  /** replaces the label in the heading */
  readonly head?: ReactNode
  readonly className?: string | undefined
}

interface TableProps {
  readonly className?: string | undefined
  readonly label?: string
  readonly columns: readonly Column[]
  readonly foot?: ReactNode
  readonly children: ReactNode
}

const lookOf = ({ number, wide }: Look) => ({ 'data-number': number || undefined, 'data-wide': wide || undefined })

/** A table with explicit roles, because a grid layout on phones removes the implicit ones. */
export const Table = ({ className = '', label, columns, foot, children }: TableProps) => (
  <table className={`${css.table} ${className}`} role="table" aria-label={label}>
    <thead role="rowgroup">
      <Row>
        {columns.map(({ label, means, head = label, className, ...look }) => (
          <th key={label} scope="col" role="columnheader" className={className} {...lookOf(look)}>
            {means === undefined ? head : <Tip text={means}>{head}</Tip>}
          </th>
        ))}
      </Row>
    </thead>
    <tbody role="rowgroup">{children}</tbody>
    {foot !== undefined && <tfoot role="rowgroup">{foot}</tfoot>}
  </table>
)

export const Row = (props: ComponentProps<'tr'>) => <tr role="row" {...props} />

export const Cell = ({ number, wide, ...rest }: ComponentProps<'td'> & Look) => (
  <td role="cell" {...lookOf({ number, wide })} {...rest} />
)

export const RowHead = ({ number, wide, ...rest }: ComponentProps<'th'> & Look) => (
  <th scope="row" role="rowheader" {...lookOf({ number, wide })} {...rest} />
)

interface Named {
  readonly mint: string
  readonly symbol: string
  readonly name: string
}

export interface TokenColumn<T> extends Look {
  readonly label: string
  readonly means?: string
  readonly cell: (row: T) => ReactNode
  /** open: undecided */
  readonly tone?: (row: T) => 'good' | 'bad' | 'open' | undefined
}

interface TokenTableProps<T> {
  readonly label: string
  readonly rows: readonly T[]
  readonly columns: readonly TokenColumn<T>[]
  readonly keyOf?: (row: T) => string
  /** of the token's verdict, drawn at the row's edge */
  readonly colourOf?: (row: T) => RatingValue | undefined
}

const mintOf = ({ mint }: Named): string => mint

/** Tokens in rows with links; scrolls sideways if it is too wide. */
export const TokenTable = <T extends Named>(props: TokenTableProps<T>) => {
  const { label, rows, columns, keyOf = mintOf, colourOf } = props
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
    <section className={css.scroll} aria-label={label} tabIndex={0}>
      <Table columns={[{ label: 'Token' }, ...columns]}>
        {rows.map((row) => (
          <Row key={keyOf(row)}>
            <RowHead className={css.token} data-rating={colourOf?.(row)}>
              <Link to={`/token/${row.mint}`}>
                <TokenMark mint={row.mint} size={22} />
                <bdi>{row.symbol || row.name || shortAddress(row.mint)}</bdi>
              </Link>
            </RowHead>
            {columns.map(({ label, number, wide, tone, cell }) => (
              <Cell key={label} number={number} wide={wide} data-tone={tone?.(row)}>
                {cell(row)}
              </Cell>
            ))}
          </Row>
        ))}
      </Table>
    </section>
  )
}
