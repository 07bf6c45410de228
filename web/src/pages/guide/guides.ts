/** Pages of the documentation that users need, by the names of their files; each is loaded when it is opened. */
export const GUIDES: Readonly<Record<string, string>> = {
  start: 'Start',
  agents: 'Agents and bots',
  streams: 'Streams',
  methodology: 'Methodology',
  examples: 'Worked examples',
  payments: 'Payments',
  glossary: 'Glossary',
  limitations: 'Limitations',
}
export const FIRST = 'start'

const FILES = import.meta.glob<string>(
  '../../../../docs/{start,agents,streams,methodology,examples,payments,glossary,limitations}.md',
  { query: '?raw', import: 'default' },
)

export const isGuide = (name: string): boolean => Object.hasOwn(GUIDES, name)

export const loadGuide = (name: string): Promise<string> => FILES[`../../../../docs/${name}.md`]!()
