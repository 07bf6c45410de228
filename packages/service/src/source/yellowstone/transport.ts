import { EXIT, OperatorError } from '../../base/errors.ts'
import { fieldsOf } from '../shape/fields.ts'

/** bytes of one message: a block of our programs is some 100 to 500 kB, one of everything up to some 20 MB */
const MESSAGE_BYTES = 64 << 20

/** One endpoint. Everything rejects when it fails; what it says is hostile until it is read. */
export type Transport = ReturnType<typeof createTransport>

export type Connection = ReturnType<typeof connectionOf>

export type UpdateStream = ReturnType<typeof streamOf>

/** SubscribeRequest of geyser.proto, as the official client takes it: every map has to be there. */
export interface SubscribeRequest {
  readonly accounts: Readonly<Record<string, never>>
  readonly slots: Readonly<Record<string, { readonly interslotUpdates: boolean }>>
  readonly transactions: Readonly<Record<string, never>>
  readonly transactionsStatus: Readonly<Record<string, never>>
  readonly entry: Readonly<Record<string, never>>
  readonly blocks: Readonly<Record<string, BlocksFilter>>
  readonly blocksMeta: Readonly<Record<string, never>>
  readonly accountsDataSlice: readonly never[]
  readonly commitment?: number
  readonly fromSlot?: string
  readonly ping?: { readonly id: number }
}

interface BlocksFilter {
  readonly accountInclude: readonly string[]
  readonly includeTransactions: boolean
  readonly includeAccounts: boolean
  readonly includeEntries: boolean
}

/** values of CommitmentLevel */
const CONFIRMED = 1
const FINALIZED = 2

const NOTHING = {
  accounts: {},
  slots: {},
  transactions: {},
  transactionsStatus: {},
  entry: {},
  blocks: {},
  blocksMeta: {},
  accountsDataSlice: [],
} as const satisfies SubscribeRequest

/** Blocks with the transactions that name one of `accounts` (base58), and every slot's fate. `from` null: from now on. */
export const subscription = (accounts: readonly string[], from: number | null): SubscribeRequest => ({
  ...NOTHING,
  slots: { slots: { interslotUpdates: true } },
  blocks: {
    launchpads: { accountInclude: accounts, includeTransactions: true, includeAccounts: false, includeEntries: false },
  },
  commitment: CONFIRMED,
  ...(from === null ? {} : { fromSlot: String(from) }),
})

/** The answer to a ping. A request that names no filter changes none. */
export const PONG: SubscribeRequest = { ...NOTHING, ping: { id: 1 } }

/** What is used of the official client, whose types name what only some platforms have. */
interface ClientModule {
  readonly default: new (endpoint: string, token: string | undefined, channel: object, reconnect: object) => Client
}

interface Client {
  connect(): Promise<void>
  subscribeReplayInfo(): Promise<unknown>
  getLatestBlockhash(commitment: number): Promise<unknown>
  subscribe(request: SubscribeRequest): Promise<Duplex>
}

interface Duplex extends AsyncIterable<unknown> {
  write(request: SubscribeRequest, done: (error?: Error | null) => void): boolean
  destroy(): void
  on(event: 'error', listener: (error: Error) => void): void
}

const official = (): Promise<unknown> => import('@triton-one/yellowstone-grpc')

/** Loads the official client. OperatorError where its native part is not installed: it has builds for some platforms only. */
export async function loadClient(load = official): Promise<ClientModule> {
  try {
    return (await load()) as ClientModule
  } catch (cause) {
    throw new OperatorError(
      `source yellowstone: the package @triton-one/yellowstone-grpc cannot be loaded on ${process.platform} ${process.arch}. It has builds for ` +
        'Linux on x64 and macOS; there, install it with npm install --include=optional. Elsewhere use another source',
      { exitCode: EXIT.usage, cause },
    )
  }
}

/** `token` goes into the header x-token and nowhere else. */
export function createTransport(module: ClientModule, url: string, token: string | undefined) {
  const channel = { grpcMaxDecodingMessageSize: MESSAGE_BYTES }
  return {
    async connect(): Promise<Connection> {
      // its own reconnecting would hide from us what was missed
      const client = new module.default(url, token, channel, { enabled: false })
      await client.connect()
      return connectionOf(client)
    },
  }
}

function connectionOf(client: Client) {
  const streams = new Set<Duplex>()
  return {
    /** the first slot that can be replayed; null when the endpoint does not say */
    firstAvailable: async (): Promise<unknown> => fieldsOf(await client.subscribeReplayInfo())?.firstAvailable ?? null,
    /** slot and hash of the newest finalized block */
    newestBlock: (): Promise<unknown> => client.getLatestBlockhash(FINALIZED),
    async subscribe(request: SubscribeRequest): Promise<UpdateStream> {
      const duplex = await client.subscribe(request)
      streams.add(duplex)
      return streamOf(duplex)
    },
    /** closes everything; never throws */
    close(): void {
      for (const stream of streams) stream.destroy()
    },
  }
}

function streamOf(duplex: Duplex) {
  // a failure is met where it is read
  duplex.on('error', () => {})
  const updates = duplex[Symbol.asyncIterator]()
  return {
    /** the next SubscribeUpdate, null at the end. Called again only when the last call is over: nothing is read ahead but
     * what flow control has on its way */
    async read(): Promise<unknown> {
      const { done, value } = await updates.next()
      return done === true ? null : value
    },
    write: (request: SubscribeRequest): void => void duplex.write(request, () => {}),
    close: (): void => duplex.destroy(),
  }
}
