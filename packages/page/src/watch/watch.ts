/** What `/account/watches` answers, as far as the page shows it. */
export type WatchKind = 'token' | 'wallet' | 'deployer' | 'actor' | 'condition'

export interface Watch {
  /** empty while the service has not answered yet */
  readonly id: string
  readonly kind: WatchKind
  /** an address in base58, the number of an actor, or a filter */
  readonly target: string
  readonly name: string
  /** trades below it are not reported */
  readonly min_sol: number
  readonly paused: boolean
  readonly state: 'watching' | 'starting' | 'paused'
  readonly created_at: string
}

export type NewWatch = Pick<Watch, 'kind' | 'target' | 'name'> & { readonly min_sol?: number }

export type WatchChange = Partial<Pick<Watch, 'name' | 'paused' | 'min_sol' | 'target'>>

/** Whether a least amount of SOL means something: of the others no trades are reported one by one. */
export const hasTrades = (kind: WatchKind): boolean => kind !== 'condition' && kind !== 'actor'

/** The service's own bound; longer names are not sent. */
const NAME_MAX = 100

/** One that the service takes as a name, made from what strangers chose; characters outside the BMP count twice there. */
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

/** The page of what is watched; null: a condition has none. */
export const pathOf = ({ kind, target }: Pick<Watch, 'kind' | 'target'>): string | null =>
  PATHS[kind] === null ? null : PATHS[kind] + target

export const isOn = (watches: readonly Watch[] | null, kind: WatchKind, target: string): boolean =>
  watches?.some((watch) => watch.kind === kind && watch.target === target) ?? false
