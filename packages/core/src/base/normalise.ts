/**
 * Text as anyone may write it on chain or in metadata, made comparable. The result depends on the Unicode tables of the
 * running Node, so it is computed before the log and stored there.
 */
const PLAIN = /^[\x20-\x7e]*$/
/** White space, control and format characters, and what renders as nothing: fillers, variation selectors, joiners. */
const INVISIBLE = /[\s\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu

/** NFKC, case-folded, without white space and zero-width characters: equal for names a person would call the same. */
export function normaliseText(s: string): string {
  if (PLAIN.test(s)) return (s.includes(' ') ? s.replaceAll(' ', '') : s).toLowerCase()
  // folding makes new compositions and NFKC new letters to fold: two rounds reach the fixed point
  return fold(fold(s.replace(INVISIBLE, '')))
}

/** Through upper case and back, so that ß = ss and both sigmas meet, as full case folding has it. */
const fold = (s: string): string =>
  s.normalize('NFKC').toUpperCase().toLowerCase().replace(/ς/g, 'σ').normalize('NFKC').replace(INVISIBLE, '')

/** Longer links than this are not worth comparing. */
const LINK_MAX = 2_048

/**
 * `host/path` of an http(s) link: lower-case host without `www.`, x.com = twitter.com, no query, fragment or trailing
 * slash. Null when the text is not such a link.
 */
export function normaliseLink(s: string): string | null {
  const text = s.trim()
  if (text.length === 0 || text.length > LINK_MAX) return null
  const full = /^[a-z][a-z0-9+.-]*:/i.test(text) && !/^[^/?#]*\.[^/?#:]*:\d/.test(text) ? text : `https://${text}`
  let url: URL
  try {
    url = new URL(full)
  } catch {
    return null
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return null
  const host = url.host.replace(/^(www\.)+/, '')
  if (!host.includes('.')) return null
  return (host === 'x.com' ? 'twitter.com' : host) + url.pathname.replace(/\/+$/, '')
}
