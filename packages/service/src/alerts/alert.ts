/** What a watch reports: written once, numbered per account, delivered at least once. */
export interface Alert {
  /** of the account that watches */
  readonly account: string
  /** place among the account's alerts, counted from 1 without a gap */
  readonly seq: number
  /** the same for the same event of the same watch, on every node and after every retry */
  readonly id: string
  readonly watch: { readonly id: string; readonly name: string }
  /** what happened, one of a closed list of words */
  readonly event: string
  /** one line and a few, in plain English; names that strangers chose are cleaned of control characters, not escaped for any format */
  readonly title: string
  readonly text: string
  /** the numbers behind the words */
  readonly why: Readonly<Record<string, string | number | boolean | null>>
  readonly mint: string | null
  readonly wallet: string | null
  readonly slot: number
  /** milliseconds since 1970, of the block */
  readonly at: number
  /** absolute addresses: the page of the token or wallet, the transaction on an explorer where there is one */
  readonly links: readonly { readonly label: string; readonly url: string }[]
}

/** How deliveries read alerts: what is returned is committed. */
export interface AlertReader {
  /** At most `limit` alerts of an account after `seq`, in order. */
  after(account: string, seq: number, limit: number): Promise<readonly Alert[]>
  /** The oldest number that is kept of an account; null: it has none. */
  oldest(account: string): Promise<number | null>
  /** The newest number of each of these accounts, read in one query; an account without an alert is not in it. */
  heads(accounts: readonly string[]): Promise<ReadonlyMap<string, number>>
  /** Calls back after alerts of an account were committed on this node; returns how to stop. */
  listen(heard: (account: string) => void): () => void
}

/** An alert as its account reads it, the same everywhere. */
export const alertJson = ({ account: _, ...alert }: Alert): Omit<Alert, 'account'> => alert
