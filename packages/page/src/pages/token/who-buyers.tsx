import type { Who } from '@ti/core/contract/who.ts'
import { How } from '../../ui/how.tsx'
import css from './who-buyers.module.css'
import { FATES, firstBuyersInWords } from './who-words.ts'

/** Outcomes of the first buyers as a sentence and a bar; renders nothing if the launch was not seen. */
export function FirstBuyers({ of }: { of: Who['first_buyers'] }) {
  const words = firstBuyersInWords(of)
  if (of === null || words === null) return null
  return (
    <section aria-label="First buyers" className={css.buyers}>
      <p className={css.words}>
        {words} <How part="1-token-basics" of="First buyers" />
      </p>
      <span className={css.bar} aria-hidden="true">
        {FATES.map((fate) => (
          <span key={fate} data-fate={fate} style={{ flexGrow: of[fate] }} hidden={of[fate] === 0} />
        ))}
      </span>
    </section>
  )
}
