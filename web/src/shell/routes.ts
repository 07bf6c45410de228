/** The pages by their paths; what matches none is shown as such. */
const PAGES = ['board', 'token', 'trader', 'deployer', 'account', 'status', 'guide'] as const
export type PageName = (typeof PAGES)[number]

interface Match {
  readonly page: PageName
  /** the mint or wallet, '' where the page has none */
  readonly id: string
}

const WITH_ID: readonly PageName[] = ['token', 'trader', 'deployer']
/** base58 of 32 bytes */
const ADDRESS = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/

export function match(path: string): Match | null {
  const parts = path.split('/').filter((part) => part !== '')
  const [first, id, more] = parts
  if (first === undefined) return { page: 'board', id: '' }
  const page = PAGES.find((name) => name === first)
  if (page === undefined || page === 'board' || more !== undefined) return null
  if (!WITH_ID.includes(page)) return id === undefined ? { page, id: '' } : null
  return id !== undefined && ADDRESS.test(id) ? { page, id } : null
}
