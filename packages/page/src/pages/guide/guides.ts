import { GUIDES } from '@ti/core/contract/guides.ts'

export const FIRST = 'start'

export const isGuide = (name: string): boolean => Object.hasOwn(GUIDES, name)

export const pathOf = (guide: string): string => (guide === FIRST ? '/guide' : `/guide/${guide}`)

/** Maps `docs/NAME.md` to its page here; null if it has none. */
export function guideOf(file: string): { readonly path: string; readonly title: string } | null {
  const [, name = '', part = ''] = /^\/?(?:docs\/)?([A-Za-z]+)\.md(#[\w-]+)?$/.exec(file) ?? []
  return isGuide(name) ? { path: pathOf(name) + part, title: GUIDES[name]!.title } : null
}
