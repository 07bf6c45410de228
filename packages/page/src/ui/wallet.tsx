import type { ReactNode } from 'react'
import { Copy } from './copy.tsx'
import { Explorer } from './explorer.tsx'
import { shortAddress } from './format.ts'
import css from './wallet.module.css'

interface WalletPageProps {
  /** what the wallet is looked at as */
  readonly kind: string
  readonly address: string
  /** null: it has none, its address stands for it */
  readonly name: string | null
  /** beside the name */
  readonly star: ReactNode
  /** opposite the name */
  readonly beside: ReactNode
  readonly children: ReactNode
}

/** A page about one wallet, with its name and address at the top. */
export const WalletPage = ({ kind, address, name, star, beside, children }: WalletPageProps) => (
  <div className={css.page}>
    <header className={css.head}>
      <div className={css.who}>
        <p className={css.kind}>{kind}</p>
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

/** There is nothing to say of this wallet; the children say where to go on. */
export const UnknownWallet = ({ title, address, children }: UnknownWalletProps) => (
  <div className={css.unknown}>
    <h1>{title}</h1>
    <p className={css.address}>{address}</p>
    {children}
  </div>
)
