import type { ReactNode } from 'react'
import { Copy } from './copy.tsx'
import { Explorer } from './explorer.tsx'
import { shortAddress } from './format.ts'
import css from './ui.module.css'

interface PageProps {
  /** what the page is about, above its name */
  readonly kind?: string
  /** null: the short address */
  readonly title: string | null
  /** of the wallet that the page is about */
  readonly address?: string
  /** after the title */
  readonly star?: ReactNode
  /** opposite the title */
  readonly beside?: ReactNode
  /** the first sentences */
  readonly lead?: ReactNode
  readonly children?: ReactNode
}

/** Frame of a page: what it is about, a first sentence, and parts below each other. */
export const Page = ({ kind, title, address = '', star, beside, lead, children }: PageProps) => (
  <div className="stack">
    <header className={`row ${css.across}`}>
      <div>
        {kind !== undefined && <p className="soft">{kind}</p>}
        <div className="row">
          <h1 className={css.title}>
            <bdi>{title ?? shortAddress(address)}</bdi>
          </h1>
          {star}
        </div>
        {address !== '' && (
          <p className={css.whole}>
            {address} <Copy text={address} label="Copy wallet" />
            <Explorer kind="wallet" value={address} />
          </p>
        )}
      </div>
      {beside}
    </header>
    {lead ? <p className="lead">{lead}</p> : null}
    {children}
  </div>
)
