import type { AnyOperationId } from '@ti/core/contract/endpoints.ts'
import type { Topic } from '@ti/core/contract/streams.ts'
import type { AppQuery } from '@ti/core/query/app.ts'
import type { Arguments } from '@ti/core/query/operations.ts'
import type { Previews } from '@ti/core/query/previews.ts'
import type { Found } from '@ti/core/query/reads.ts'
import type { StreamMessage } from '@ti/core/query/streams.ts'
import type { WorkerStore } from '../alerts/worker-store.ts'
import type { Failure } from '../base/peer.ts'
import type { Options } from '../config/options.ts'
import type { Vitals } from '../faces/web/face.ts'
import type { Broken } from './folding.ts'
import type { Preparation } from './node.ts'
import type { Role } from './node-role.ts'
import type { NodeCondition, Watched } from './status.ts'

/** What the thread of the state is started with. */
export interface StateThreadData {
  readonly options: Options
  readonly role: Role
}

/** Where the state is, sent with every commit. */
export interface Entry {
  readonly globals: Watched['globals']
  readonly progress: Watched['progress']
  /** The seqs of the newest message of each topic, and of the oldest that a client can resume from. */
  readonly topics: Readonly<Record<Topic, Place>>
  /** New messages of the topics that are followed. */
  readonly messages: Partial<Record<Topic, readonly StreamMessage[]>>
}

interface Place {
  readonly newest: number
  readonly oldest: number
}

/** What the state's thread says of itself every second. */
export interface Condition extends NodeCondition {
  readonly vitals: Pick<Vitals, 'tokensLive' | 'tokens' | 'wallets' | 'trades' | 'storeBytes'>
}

/** What the thread of the faces may call in the thread of the state. */
export type StateCalls = {
  find(id: AnyOperationId, args: Arguments): Found | null | Promise<Found | null>
  tracked(mints: readonly string[]): number | Promise<number>
  app(name: keyof AppQuery, argument: string, slot: number): Promise<unknown>
  preview: Previews['of']
  read(topic: Topic, after: number, limit: number): Promise<StreamMessage[]>
  /** `at`: the seq of the newest message taken; null: nobody follows the topic any more. */
  follow(topic: Topic, at: number | null): void
  /** Ends the making of alerts and gives the lease back, before the database is closed. */
  endAlerts(): Promise<void>
  metrics(): Promise<string>
  /** Opens the state. Resolves when it can answer; rejects if it cannot be opened. */
  open(): Promise<void>
  /** Closes the state when everything that was taken from the source is committed. It can be opened again. */
  close(): Promise<void>
  /** Ends the thread. */
  quit(): void
}

/** What the thread of the state may call in the thread of the faces. */
export type FaceCalls = {
  preparing(preparation: Preparation): void
  committed(entry: Entry): void
  condition(now: Condition): void
  trouble(what: string, message: string): void
  /** The state has to be closed. `broken`: why it has to be opened again; null: it need not, `failure` is a bug. */
  failed(broken: Broken | null, failure: Failure): void
  /** A method of the alerts' WorkerStore, because the faces' thread has the connection to the accounts. */
  alerts(name: keyof WorkerStore, args: readonly unknown[]): Promise<unknown>
  onAlerts(accounts: ReadonlySet<string>): void
}
