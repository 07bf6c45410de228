/** A report of a watch. It is written once, numbered per account, and delivered at least once. */
export interface Alert {
  /** The account that owns the watch. */
  readonly account: string
  /** The alert's place among the alerts of its account, counted from 1 without a gap. */
  readonly seq: number
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
  /** Returns at most `limit` alerts of an account after `seq`, in order. */
  after(account: string, seq: number, limit: number): Promise<readonly Alert[]>
  /** Returns the oldest number still kept for an account, or null if the account has no alerts. */
  oldest(account: string): Promise<number | null>
  /** Returns the newest number of each of these accounts, in one query. Accounts without alerts are left out. */
  heads(accounts: readonly string[]): Promise<ReadonlyMap<string, number>>
  /** Calls the listener after alerts of an account were committed on this node. Returns a function that unsubscribes. */
  listen(heard: (account: string) => void): () => void
}

/** The JSON form of an alert, the same in every API. */
export const alertJson = ({ account: _, ...alert }: Alert): Omit<Alert, 'account'> => alert
