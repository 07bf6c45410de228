import { z } from 'zod'

/** What is no option of the service, because it is a secret of its source, or belongs to a command. Nothing here is ever shown. */
const SCHEMA = z.object({
  YELLOWSTONE_TOKEN: z.string().optional(),
  SOURCE_RPC_URL: z.string().optional(),
  TI_KEY: z.string().optional(),
  NO_COLOR: z.string().optional(),
})

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
export function readOtherOptions(env: Readonly<Record<string, string | undefined>>): OtherOptions {
  const names = Object.keys(SCHEMA.shape).filter((name) => env[name] !== undefined && env[name] !== '')
  const values = SCHEMA.parse(Object.fromEntries(names.map((name) => [name, env[name]])))
  return {
    yellowstoneToken: values.YELLOWSTONE_TOKEN,
    rpcUrl: values.SOURCE_RPC_URL,
    key: values.TI_KEY,
    colours: values.NO_COLOR === undefined,
  }
}
