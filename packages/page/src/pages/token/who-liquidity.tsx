import type { Who } from '@ti/core/contract/who.ts'
import { count, sol } from '../../ui/format.ts'
import { How } from '../../ui/how.tsx'
import { Address } from '../../ui/links.tsx'
import css from './who.module.css'
import { sharesInWords } from './who-words.ts'

/** What was taken out of the pool, and what can still be. */
export function WhoLiquidity({ of }: { of: Who['liquidity'] }) {
  if (of === null) return null
  const { withdrawn } = of
  return (
    <section aria-label="Liquidity">
      <h3 className={css.title}>
        Liquidity
        <How part="1-token-basics" of="Liquidity" />
      </h3>
      <p className={css.record}>
        {sharesInWords(of)}
        {withdrawn !== null && (
          <>
            {' '}
            Withdrawn: {withdrawn.sol === null ? '' : `${sol(withdrawn.sol)} SOL and `}
            {count(Math.round(withdrawn.tokens))} tokens
            {withdrawn.by !== null && (
              <>
                , most by <Address value={withdrawn.by} kind="wallet" />
              </>
            )}
            .
          </>
        )}
      </p>
    </section>
  )
}
