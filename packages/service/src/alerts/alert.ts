/** A report of a watch. It is written once, numbered per account, and delivered at least once. */
export interface Alert {
  /** The account that owns the watch. */
  readonly account: string
  /** The alert's number. It grows from alert to alert of the account, with gaps, and is never given twice. */
  readonly seq: number
  /** The alert's place among those of the account in the database, from 1 without a gap. It is not shown. */
  readonly place: number
  /** The id is the same for the same event of the same watch, on every node and after every retry. */
  readonly id: string
  readonly watch: { readonly id: string; readonly name: string }
  readonly event: string
  /**
   * The title is one line, the text a few, both in plain English. Names chosen by strangers are in quotation marks, which they
   * cannot leave; they are not escaped for any format.
   */
  readonly title: string
  readonly text: string
  /** The numbers behind the title and the text. */
  readonly why: Readonly<Record<string, string | number | boolean | null>>
  readonly mint: string | null
  readonly wallet: string | null
  readonly slot: number
  /** The block's time, in milliseconds since 1970. */
  readonly at: number
  /** Absolute addresses: the page of the token or wallet, and the transaction on an explorer if there is one. */
  readonly links: readonly { readonly label: string; readonly url: string }[]
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
export const alertJson = ({ account: _, place: __, ...alert }: Alert): Omit<Alert, 'account' | 'place'> => alert
