interface SafeLink {
  readonly href: string
  readonly host: string
}

const LONGEST = 2_048

/** Accepts a stranger's link if it is a plain web URL; null otherwise. */
export function safeLink(href: string): SafeLink | null {
  if (href.length > LONGEST || !/^https?:\/\//i.test(href.trim())) return null
  try {
    const url = new URL(href.trim())
    const fine = (url.protocol === 'https:' || url.protocol === 'http:') && url.username === '' && url.password === ''
    return fine && url.host !== '' ? { href: url.href, host: url.host } : null
  } catch {
    return null
  }
}
