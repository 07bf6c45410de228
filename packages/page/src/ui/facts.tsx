import type { ReactNode } from 'react'
import { Tip } from './tip.tsx'
import css from './ui.module.css'

export interface Fact {
  readonly label: string
  /** one sentence */
  readonly means?: string
  readonly value: ReactNode
  readonly tone?: 'good' | 'bad' | 'plain'
}

/** A row of large labelled numbers. */
export const Facts = ({ facts }: { facts: readonly Fact[] }) => (
  <dl className={css.facts}>
    {facts.map(({ label, means, value, tone = 'plain' }) => (
      <div key={label}>
        <dt>{means === undefined ? label : <Tip text={means}>{label}</Tip>}</dt>
        <dd data-tone={tone}>{value}</dd>
      </div>
    ))}
  </dl>
)
