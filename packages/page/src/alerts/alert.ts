import type { Alert } from '@ti/core/contract/account.ts'

export type { Alert } from '@ti/core/contract/account.ts'

export const alertPath = ({ mint, wallet }: Pick<Alert, 'mint' | 'wallet'>): string =>
  mint !== null ? `/token/${mint}` : wallet !== null ? `/trader/${wallet}` : '/account#alerts'

/** Returns the links to other sites; the page makes its own links. */
export const linksElsewhere = ({ links }: Pick<Alert, 'links'>, here: string): Alert['links'] =>
  links.filter(({ url }) => URL.canParse(url) && new URL(url).origin !== here)
