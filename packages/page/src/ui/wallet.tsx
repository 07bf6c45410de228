import type { ReactNode } from 'react'
import { Copy } from './copy.tsx'
import { Explorer } from './explorer.tsx'
import { shortAddress } from './format.ts'
import css from './wallet.module.css'

interface WalletPageProps {
  /** role in which the page shows the wallet */
  readonly kind: string
  readonly address: string
  /** null: the address stands in for it */
  readonly name: string | null
  readonly star: ReactNode
  /** opposite the name */
  readonly beside: ReactNode
  readonly children: ReactNode
}

/** Frame of a page about one wallet. */
export const WalletPage = ({ kind, address, name, star, beside, children }: WalletPageProps) => (
  <div className={css.page}>
    <header className={css.head}>
      <div className={css.who}>
        <p className="soft">{kind}</p>
        <div className={css.top}>
          <h1 className={css.title}>
            <bdi title={name ?? address}>{name ?? shortAddress(address)}</bdi>
          </h1>
          {star}
        </div>
        <p className={css.address}>
          {address} <Copy text={address} label="Copy wallet" />
          <Explorer kind="wallet" value={address} />
        </p>
      </div>
      {beside}
    </header>
    {children}
  </div>
)

interface UnknownWalletProps {
  readonly title: string
  readonly address: string
  readonly children: ReactNode
}

/** A wallet without data; the children suggest other pages. */
export const UnknownWallet = ({ title, address, children }: UnknownWalletProps) => (
  <div className={css.unknown}>
    <h1>{title}</h1>
    <p className={css.address}>{address}</p>
    {children}
  </div>
)
