import type { Alert as AlertJson } from '@ti/core/contract/account.ts'

/** A report of a watch. It is written once, numbered per account, and delivered at least once. */
export interface Alert extends Readonly<AlertJson> {
  /** The account that owns the watch. */
  readonly account: string
  /** The alert's place among those of the account in the database, from 1 without a gap. It is not shown. */
  readonly place: number
}

/** The read side for deliveries. Everything it returns is committed. */
export interface AlertReader {
  /** Returns at most `limit` alerts of an account after a place, in order. */
  after(account: string, place: number, limit: number): Promise<readonly Alert[]>
  /** Returns the place of the newest alert that the account had been given up to the number `seq`. */
  placeOf(account: string, seq: number): Promise<number>
  /** Returns the newest number of an account, and the first one that is still kept. Both are as in a topic's position. */
  range(account: string): Promise<{ readonly seq: number; readonly oldestSeq: number }>
  /** Returns the newest place of each of these accounts, in one query. Accounts without alerts are left out. */
  heads(accounts: readonly string[]): Promise<ReadonlyMap<string, number>>
  /** Calls the listener after alerts of an account were committed on this node. Returns a function that unsubscribes. */
  listen(heard: (account: string) => void): () => void
}

/** The JSON form of an alert, the same in every API. */
export const alertJson = ({ account: _, place: __, ...alert }: Alert): AlertJson => alert
