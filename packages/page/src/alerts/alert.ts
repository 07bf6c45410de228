/** The page reads this part of an alert, from `/account/alerts` and the topic `alerts:mine`. */
export interface Alert {
  /** number among the account's alerts, with gaps */
  readonly seq: number
  readonly id: string
  readonly watch: { readonly id: string; readonly name: string }
  readonly event: string
  readonly title: string
  /** time of day and numbers, in words */
  readonly text: string
  readonly mint: string | null
  readonly wallet: string | null
  /** time of the block, Unix milliseconds */
  readonly at: number
  readonly links: readonly { readonly label: string; readonly url: string }[]
}

export const alertPath = ({ mint, wallet }: Pick<Alert, 'mint' | 'wallet'>): string =>
  mint !== null ? `/token/${mint}` : wallet !== null ? `/trader/${wallet}` : '/account#alerts'

/** Returns the links to other sites; the page makes its own links. */
export const linksElsewhere = ({ links }: Pick<Alert, 'links'>, here: string): Alert['links'] =>
  links.filter(({ url }) => URL.canParse(url) && new URL(url).origin !== here)
