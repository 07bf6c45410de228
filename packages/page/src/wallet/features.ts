import type { Wallet, WalletAccount } from '@wallet-standard/base'

/** What of the Wallet Standard is used here; the shapes are those of its features `standard:*` and `solana:*`. */
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
  /** what the wallet says it signed */
  readonly signedMessage: ArrayLike<number>
  readonly signature: ArrayLike<number>
}

export const featuresOf = (wallet: Wallet): Features => wallet.features as Features

const isSolana = (chain: string): boolean => chain.startsWith('solana:')

/** wallets that a browser may hold: far more than anyone has, so that a page full of them stays usable */
const WALLETS_MAX = 24

/** Wallets that can sign in here: they connect, they speak Solana, and they sign messages. */
export function usableWallets(wallets: readonly Wallet[]): readonly Wallet[] {
  const usable = wallets.filter((wallet) => {
    const features = featuresOf(wallet)
    const signs = features['solana:signMessage'] !== undefined || features['solana:signIn'] !== undefined
    return features['standard:connect'] !== undefined && signs && wallet.chains.some(isSolana)
  })
  return usable.slice(0, WALLETS_MAX)
}

/** The account that a wallet shows first of those that are on Solana; wallets put the selected one there. */
export const solanaAccount = (accounts: readonly WalletAccount[]): WalletAccount | null =>
  accounts.find(({ chains }) => chains.some(isSolana)) ?? null

/** A wallet's own picture, if it is one that needs no request and runs nothing: an image as a data URI. */
export const safeIcon = (icon: unknown): string | null =>
  typeof icon === 'string' && icon.length <= ICON_CHARS_MAX && ICON.test(icon) ? icon : null

const ICON_CHARS_MAX = 200_000
const ICON = /^data:image\/(?:svg\+xml|webp|png|gif|jpeg);base64,[A-Za-z0-9+/]+={0,2}$/
