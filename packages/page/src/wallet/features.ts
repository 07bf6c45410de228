import type { Wallet, WalletAccount } from '@wallet-standard/base'

/** Parts of the Wallet Standard in use: `standard:*` and `solana:*`. */
export interface Features {
  readonly 'standard:connect'?: {
    connect(input?: { silent?: boolean }): Promise<{ readonly accounts: readonly WalletAccount[] }>
  }
  readonly 'standard:disconnect'?: { disconnect(): Promise<void> }
  readonly 'solana:signMessage'?: {
    signMessage(
      ...inputs: readonly { readonly account: WalletAccount; readonly message: Uint8Array }[]
    ): Promise<readonly Signed[]>
  }
  readonly 'solana:signIn'?: {
    signIn(
      ...inputs: readonly Readonly<Record<string, string>>[]
    ): Promise<readonly (Signed & { readonly account: WalletAccount })[]>
  }
}

export interface Signed {
  /** bytes that the wallet claims to have signed */
  readonly signedMessage: ArrayLike<number>
  readonly signature: ArrayLike<number>
}

export const featuresOf = (wallet: Wallet): Features => wallet.features as Features

const isSolana = (chain: string): boolean => chain.startsWith('solana:')

/** most wallets listed; a page may register any number */
const WALLETS_MAX = 24

/** Wallets that connect, support Solana and sign messages. */
export function usableWallets(wallets: readonly Wallet[]): readonly Wallet[] {
  const usable = wallets.filter((wallet) => {
    const features = featuresOf(wallet)
    const signs = features['solana:signMessage'] !== undefined || features['solana:signIn'] !== undefined
    return features['standard:connect'] !== undefined && signs && wallet.chains.some(isSolana)
  })
  return usable.slice(0, WALLETS_MAX)
}

/** First Solana account of a wallet; wallets list the selected one first. */
export const solanaAccount = (accounts: readonly WalletAccount[]): WalletAccount | null =>
  accounts.find(({ chains }) => chains.some(isSolana)) ?? null

/** A wallet's icon if it is an image in a data URI, which needs no request. */
export const safeIcon = (icon: unknown): string | null =>
  typeof icon === 'string' && icon.length <= ICON_CHARS_MAX && ICON.test(icon) ? icon : null

/** characters of an icon's data URI */
const ICON_CHARS_MAX = 200_000
const ICON = /^data:image\/(?:svg\+xml|webp|png|gif|jpeg);base64,[A-Za-z0-9+/]+={0,2}$/
