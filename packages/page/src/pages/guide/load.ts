/** Each document is a chunk of its own, loaded on demand. */
const FILES = import.meta.glob<string>(['../../../../../docs/*.md', '../../../../../CHANGELOG.md'], {
  query: '?raw',
  import: 'default',
})

const ROOT = '../../../../..'

export const loadGuide = (name: string): Promise<string> =>
  (FILES[`${ROOT}/docs/${name}.md`] ?? FILES[`${ROOT}/${name}.md`])!()
