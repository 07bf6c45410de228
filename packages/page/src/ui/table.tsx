// biome-ignore-all lint/a11y/noRedundantRoles: on a phone the rows are laid out as grids, which takes their meaning away
// biome-ignore-all lint/a11y/useSemanticElements: the elements are there, the roles are kept beside them
import type { ComponentProps, ReactNode } from 'react'
import { Tip } from './tip.tsx'

interface Column {
  readonly label: string
  /** one sentence */
  readonly means?: string
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

/** A table with explicit roles, because a grid layout on phones removes the implicit ones. */
export const Table = ({ className, label, columns, foot, children }: TableProps) => (
  <table className={className} role="table" aria-label={label}>
    <thead role="rowgroup">
      <Row>
        {columns.map(({ label, means, head = label, className }) => (
          <th key={label} scope="col" role="columnheader" className={className}>
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

export const Cell = (props: ComponentProps<'td'>) => <td role="cell" {...props} />

export const RowHead = (props: ComponentProps<'th'>) => <th scope="row" role="rowheader" {...props} />
