import type { ReactNode } from 'react'
import { Link } from '../shell/router.tsx'
import { shortAddress } from './format.ts'
import { TokenMark } from './mark.tsx'
import { RowHead } from './table.tsx'
import css from './token-rows.module.css'

/** Class of a table whose rows begin with a token. */
export const TOKEN_ROWS = css.table

interface TokenRowHeadProps {
  readonly token: { readonly mint: string; readonly symbol: string; readonly name: string }
  /** px of the mark */
  readonly size: number
  readonly className: string | undefined
  readonly symbolClass: string | undefined
  /** after the symbol */
  readonly children?: ReactNode
}

/** First cell of a token's row, with a link to its page. */
export const TokenRowHead = ({ token, size, className, symbolClass, children }: TokenRowHeadProps) => (
  <RowHead className={`${css.token} ${className}`}>
    <Link to={`/token/${token.mint}`}>
      <TokenMark mint={token.mint} size={size} />
      <bdi className={`${css.symbol} ${symbolClass}`}>{token.symbol || token.name || shortAddress(token.mint)}</bdi>
      {children}
    </Link>
  </RowHead>
)
