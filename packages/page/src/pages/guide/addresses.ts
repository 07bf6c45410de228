import { guideOf } from './guides.ts'

/** base URL in our documents */
const WRITTEN = '://127.0.0.1:4000'

/** Replaces the base URL of a document by the service's own. */
export const addressed = (text: string, publicUrl: string): string =>
  text.replaceAll(`http${WRITTEN}`, publicUrl).replaceAll(`ws${WRITTEN}`, publicUrl.replace(/^http/, 'ws'))

/** Paths that the page renders; the browser loads other paths of the service. */
const OWN = /^\/(?:account|status|accuracy|guide(?:\/[a-z]+)?)?(?:#[\w-]+)?$/

type Target =
  | { readonly kind: 'part' | 'page' | 'file'; readonly to: string }
  | { readonly kind: 'elsewhere'; readonly to: string }

/** Resolves a link of a document. */
export function targetOf(href: string, publicUrl: string): Target {
  if (href.startsWith('#')) return { kind: 'part', to: href }
  const inside = href === publicUrl || href.startsWith(`${publicUrl}/`)
  const path = inside ? href.slice(publicUrl.length) || '/' : href
  if (!path.startsWith('/')) return { kind: 'elsewhere', to: href }
  const guide = guideOf(path)
  if (guide !== null) return { kind: 'page', to: guide.path }
  return { kind: OWN.test(path) ? 'page' : 'file', to: path }
}
