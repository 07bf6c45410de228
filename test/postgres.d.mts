export interface Postgres {
  readonly url: string
  stop(): void
  kill(): Promise<void>
  start(): Promise<void>
}

export function startPostgres(): Promise<Postgres | { readonly missing: string }>
