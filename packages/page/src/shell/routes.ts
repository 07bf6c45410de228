/** Maps paths to pages; null for an unknown path. */
const PAGES = ['board', 'token', 'trader', 'deployer', 'actor', 'accuracy', 'account', 'status', 'guide'] as const
export type PageName = (typeof PAGES)[number]

interface Match {
  readonly page: PageName
  /** mint, wallet or actor; '' for pages without one */
  readonly id: string
}

/** base58 of 32 bytes */
const ADDRESS = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/
/** id or number */
const ACTOR = /^(?:act_[1-9A-HJ-NP-Za-km-z]{12}|\d{1,9})$/
/** pages that require an id; the guide has a default page */
const ID: Partial<Record<PageName, RegExp>> = { token: ADDRESS, trader: ADDRESS, deployer: ADDRESS, actor: ACTOR }
const GUIDE = /^[a-z]{1,32}$/

export function match(path: string): Match | null {
  const parts = path.split('/').filter((part) => part !== '')
  const [first, id, more] = parts
  if (first === undefined) return { page: 'board', id: '' }
  const page = PAGES.find((name) => name === first)
  if (page === undefined || page === 'board' || more !== undefined) return null
  if (page === 'guide' && id !== undefined) return GUIDE.test(id) ? { page, id } : null
  const form = ID[page]
  if (form === undefined) return id === undefined ? { page, id: '' } : null
  return id !== undefined && form.test(id) ? { page, id } : null
}
