/** Pages of the documentation that users need, by the names of their files. */
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

/** A document as the others name it, `docs/NAME.md`, as a page here; null: it is not shown here. */
export function guideOf(file: string): { readonly path: string; readonly title: string } | null {
  const [, name = '', part = ''] = /^\/?docs\/([a-z]+)\.md(#[\w-]+)?$/.exec(file) ?? []
  const title = isGuide(name) ? GUIDES[name] : undefined
  return title === undefined ? null : { path: pathOf(name) + part, title }
}
