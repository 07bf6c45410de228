import type { Preview } from '@ti/core/query/previews.ts'
import { escapeMarkup } from './escape.ts'
import { PICTURE } from './picture.ts'

const SITE = 'Token Intelligence'

interface Linked {
  readonly preview: Preview
  /** absolute URLs of the page and of its picture */
  readonly url: string
  readonly picture: string
}

const KIND = { token: 'token', deployer: 'deployer', actor: 'crew' } as const
const WORD = { green: 'Green', yellow: 'Yellow', red: 'Red', neutral: 'No verdict yet' } as const

function titleOf({ kind, name, more, rating }: Preview): string {
  // our word first: what follows is the deployer’s
  if (kind === 'token') return `${WORD[rating]}: ${name} · ${SITE}`
  return `${name} · ${more === '' || more.toLowerCase() === KIND[kind] ? KIND[kind] : `${KIND[kind]} ${more}`} · ${SITE}`
}

const descriptionOf = ({ verdict, figures }: Preview): string =>
  `${verdict} ${figures.map(({ label, value }) => `${label}: ${value}`).join(' · ')}`

/** Tags for link previews: Open Graph and X cards; Telegram, Discord and Slack read the same. */
function tags({ preview, url, picture }: Linked): string {
  const title = titleOf(preview)
  const description = descriptionOf(preview)
  const named = (name: string, content: string): string => `<meta name="${name}" content="${escapeMarkup(content)}" />`
  const property = (name: string, content: string): string =>
    `<meta property="${name}" content="${escapeMarkup(content)}" />`
  return [
    `<title>${escapeMarkup(title)}</title>`,
    named('description', description),
    `<link rel="canonical" href="${escapeMarkup(url)}" />`,
    property('og:type', 'website'),
    property('og:site_name', SITE),
    property('og:title', title),
    property('og:description', description),
    property('og:url', url),
    property('og:image', picture),
    property('og:image:type', 'image/png'),
    property('og:image:width', String(PICTURE.width)),
    property('og:image:height', String(PICTURE.height)),
    property('og:image:alt', preview.verdict),
    named('twitter:card', 'summary_large_image'),
    named('twitter:title', title),
    named('twitter:description', description),
    named('twitter:image', picture),
  ].join('\n    ')
}

/** Replaces the general title and description of index.html with a page's own. */
export function withHead(index: string, linked: Linked): string {
  const general = index.replace(/\s*<title>[^<]*<\/title>/, '').replace(/\s*<meta name="description"[^>]*>/, '')
  // a function, so that `replace` interprets no character of a name
  return general.replace(/<head>/, (head) => `${head}\n    ${tags(linked)}`)
}
