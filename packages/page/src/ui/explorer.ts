import type { AppSession } from '@ti/core/contract/app.ts'

/** by what is looked up */
const PATHS = { mint: 'token', wallet: 'account', deployer: 'account', tx: 'tx' } as const

export type Explored = keyof typeof PATHS

/** Where a block explorer shows it; null: on no network that one knows. */
export const explorerOf = (network: AppSession['network'], kind: Explored, value: string): string | null =>
  network === null ? null : `https://solscan.io/${PATHS[kind]}/${encodeURIComponent(value)}`
