/** Pages of the documentation by file name. */
export const GUIDES: Readonly<Record<string, string>> = {
  start: 'Start',
  agents: 'Agents and bots',
  streams: 'Streams',
  alerts: 'Alerts',
  webhooks: 'Webhooks',
  methodology: 'Methodology',
  examples: 'Worked examples',
  payments: 'Payments',
  glossary: 'Glossary',
  limitations: 'Limitations',
}
export const FIRST = 'start'

export const isGuide = (name: string): boolean => Object.hasOwn(GUIDES, name)

export const pathOf = (guide: string): string => (guide === FIRST ? '/guide' : `/guide/${guide}`)

/** Maps `docs/NAME.md` to its page here; null if it has none. */
export function guideOf(file: string): { readonly path: string; readonly title: string } | null {
  const [, name = '', part = ''] = /^\/?docs\/([a-z]+)\.md(#[\w-]+)?$/.exec(file) ?? []
  const title = isGuide(name) ? GUIDES[name] : undefined
  return title === undefined ? null : { path: pathOf(name) + part, title }
}
