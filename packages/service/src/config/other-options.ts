/** Settings that are no options of the service: secrets of its source, and settings of a command. They are never shown. */
export interface OtherOptions {
  /** x-token of the Yellowstone endpoint, or of each, between commas */
  readonly yellowstoneToken: string | undefined
  /** address of a node, for `rpc:` without one, for the holes of `yellowstone:`, and for backfill */
  readonly rpcUrl: string | undefined
  /** the key of `tail` */
  readonly key: string | undefined
  readonly colours: boolean
}

/** An empty variable counts as not set. */
export const readOtherOptions = (env: Readonly<Record<string, string | undefined>>): OtherOptions => ({
  yellowstoneToken: env.YELLOWSTONE_TOKEN || undefined,
  rpcUrl: env.SOURCE_RPC_URL || undefined,
  key: env.TI_KEY || undefined,
  colours: !env.NO_COLOR,
})
