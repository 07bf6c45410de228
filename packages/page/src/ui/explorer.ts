import type { AppSession } from '@ti/core/contract/app.ts'

/** path by kind */
const PATHS = { mint: 'token', wallet: 'account', deployer: 'account', tx: 'tx' } as const

export type Explored = keyof typeof PATHS

/** URL in a block explorer; null for a network without one. */
export const explorerOf = (network: AppSession['network'], kind: Explored, value: string): string | null =>
  network === null ? null : `https://solscan.io/${PATHS[kind]}/${encodeURIComponent(value)}`
