/** Each document is a chunk of its own, loaded on demand. */
const FILES = import.meta.glob<string>(
  '../../../../../docs/{start,agents,streams,alerts,webhooks,methodology,examples,payments,glossary,limitations}.md',
  { query: '?raw', import: 'default' },
)

export const loadGuide = (name: string): Promise<string> => FILES[`../../../../../docs/${name}.md`]!()
