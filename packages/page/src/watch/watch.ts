import type { Watch, WatchKind } from '@ti/core/contract/account.ts'

export type { NewWatch, Watch, WatchKind } from '@ti/core/contract/account.ts'
export type WatchChange = Partial<Pick<Watch, 'name' | 'paused' | 'min_sol' | 'target'>>

/** Only these kinds report single trades, so only they have a minimum size. */
export const hasTrades = (kind: WatchKind): boolean => kind !== 'condition' && kind !== 'actor'

/** the service's own limit */
const NAME_MAX = 100

/** Makes a valid name from a stranger's text; the service counts characters outside the BMP twice. */
export const watchName = (text: string, otherwise: string): string => {
  const trimmed = [...text.trim()].slice(0, NAME_MAX / 2).join('')
  return trimmed.trim() === '' ? otherwise : trimmed
}

const PATHS = {
  token: '/token/',
  wallet: '/trader/',
  deployer: '/deployer/',
  actor: '/actor/',
  condition: null,
} as const

/** Page of the target; null for a condition. */
export const pathOf = ({ kind, target }: Pick<Watch, 'kind' | 'target'>): string | null =>
  PATHS[kind] === null ? null : PATHS[kind] + target

export const isOn = (watches: readonly Watch[] | null, kind: WatchKind, target: string): boolean =>
  watches?.some((watch) => watch.kind === kind && watch.target === target) ?? false
