export interface Postgres {
  readonly url: string
  stop(): void
  kill(): Promise<void>
  start(): Promise<void>
  standby(): Promise<Standby>
}

/** A second server that follows by streaming. */
export interface Standby {
  readonly url: string
  stop(): void
  cut(): void
  promote(): void
}

export function startPostgres(): Promise<Postgres | { readonly missing: string }>
