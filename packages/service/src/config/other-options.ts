/** Where a service listens, and commands look for it, if neither is told otherwise. */
export const DEFAULT_URL = 'http://127.0.0.1:4000'

/**
 * Settings that are no options of the service: secrets of its source, and settings of a command. They are never shown. An empty
 * variable counts as not set.
 */
export const readOtherOptions = (env: Readonly<Record<string, string | undefined>>) => ({
  /** x-token of the Yellowstone endpoint, or of each, between commas */
  yellowstoneToken: env.YELLOWSTONE_TOKEN || undefined,
  /** address of a node, for `rpc:` without one, for the holes of `yellowstone:`, and for backfill */
  rpcUrl: env.SOURCE_RPC_URL || undefined,
  /** address of the running service that a command talks to; by default on this machine, at PORT */
  serviceUrl: env.TI_URL || (env.PORT ? `http://127.0.0.1:${env.PORT}` : DEFAULT_URL),
  /** key of the commands that talk to a running service */
  key: env.TI_KEY || undefined,
  colours: !env.NO_COLOR,
})
