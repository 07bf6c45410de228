import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { test } from 'node:test'
import { addressed, targetOf } from './addresses.ts'
import { type Block, type Line, plainText, readLine, readMarkdown } from './markdown.ts'

const text = (value: string) => ({ kind: 'text', text: value }) as const

test('blocks', () => {
  const blocks = readMarkdown(`# One *thing*
A paragraph
of two lines.
- an item
  that goes on
- another

1. first
2. second
| a | b |
|---|:-:|
| \`x|y\` | z |
\`\`\`sh
echo "# not a heading"

| not | a table |
\`\`\`
## One *thing*`)
  assert.deepEqual(blocks, [
    { kind: 'heading', level: 1, id: 'one-thing', line: [text('One *thing*')] },
    { kind: 'paragraph', line: [text('A paragraph of two lines.')] },
    { kind: 'list', ordered: false, items: [[text('an item that goes on')], [text('another')]] },
    { kind: 'list', ordered: true, items: [[text('first')], [text('second')]] },
    {
      kind: 'table',
      head: [[text('a')], [text('b')]],
      rows: [[[{ kind: 'code', text: 'x|y' }], [text('z')]]],
    },
    { kind: 'code', language: 'sh', text: 'echo "# not a heading"\n\n| not | a table |' },
    { kind: 'heading', level: 2, id: 'one-thing-2', line: [text('One *thing*')] },
  ])
})

test('marks within a line', () => {
  assert.deepEqual(readLine('a `b**c**` **d `e`** [f `g`](/h)'), [
    text('a '),
    { kind: 'code', text: 'b**c**' },
    text(' '),
    { kind: 'strong', parts: [text('d '), { kind: 'code', text: 'e' }] },
    text(' '),
    { kind: 'link', href: '/h', parts: [text('f '), { kind: 'code', text: 'g' }] },
  ])
  assert.deepEqual(readLine(''), [])
  assert.deepEqual(readLine('a ` b ** c [d]'), [text('a ` b ** c [d]')])
})

test('HTML is text, and only harmless addresses are links', () => {
  const html = '<img src=x onerror=alert(1)><script>alert(1)</script>'
  assert.deepEqual(readMarkdown(html), [{ kind: 'paragraph', line: [text(html)] }])
  for (const address of [
    'javascript:alert(1)',
    'JavaScript:alert(1)',
    'data:text/html,x',
    '//elsewhere.example',
    '/\\elsewhere.example',
    'file:///etc/passwd',
    'guide',
    '#a"b',
  ]) {
    const line = readLine(`[x](${address})`)
    assert.equal(
      line.some(({ kind }) => kind === 'link'),
      false,
      address,
    )
    assert.equal(plainText(line).includes('x'), true, address)
  }
  for (const address of ['#part', '/docs', '/', 'https://example.com/a?b=c#d', 'http://127.0.0.1:4000/docs']) {
    const [link] = readLine(`[x](${address})`)
    assert.deepEqual(link, { kind: 'link', href: address, parts: [text('x')] }, address)
  }
})

test('a fence that does not end takes the rest; odd input ends', () => {
  assert.deepEqual(readMarkdown('```ts\na\nb'), [{ kind: 'code', language: 'ts', text: 'a\nb' }])
  for (const odd of ['|', '|\n|---|', '- ', '#', '\r\n', '**', '``', '1.', '|a|\n|-', '  x', '```a b'])
    readMarkdown(odd)
  const long = `${'['.repeat(20_000)}\n${'**'.repeat(20_000)}\n${'`'.repeat(20_001)}\n|${'a|'.repeat(20_000)}`
  readMarkdown(long)
})

const LINES: Record<Block['kind'], (block: never) => readonly Line[]> = {
  heading: ({ line }: { line: Line }) => [line],
  paragraph: ({ line }: { line: Line }) => [line],
  list: ({ items }: { items: readonly Line[] }) => items,
  table: ({ head, rows }: { head: readonly Line[]; rows: readonly (readonly Line[])[] }) => [...head, ...rows.flat()],
  code: () => [],
}

test('nothing of our documents is lost, and nothing is left unread', () => {
  const folder = resolve(import.meta.dirname, '../../../../../docs')
  for (const name of readdirSync(folder).filter((file) => file.endsWith('.md'))) {
    const source = readFileSync(resolve(folder, name), 'utf8')
    const blocks = readMarkdown(source)
    const shown = blocks.map((block) =>
      block.kind === 'code'
        ? block.text
        : LINES[block.kind](block as never)
            .map(plainText)
            .join(' '),
    )
    const words = (value: string) =>
      value
        .replace(/[^\p{L}\p{N}]+/gu, ' ')
        .trim()
        .split(' ')
    const bare = source
      .replace(/^```\w*$/gm, '')
      .replace(/^\d+\. /gm, '')
      .replace(/\]\([^()\s]+\)/g, '')
    assert.deepEqual(words(shown.join(' ')).sort(), words(bare).sort(), name)
    if (name !== 'start.md') continue
    for (const line of blocks.flatMap((block) => LINES[block.kind](block as never))) {
      assert.doesNotMatch(
        plainText(line.filter(({ kind }) => kind !== 'code')),
        /`|\*\*|\]\(/,
        'a mark that is not read',
      )
    }
  }
})

test('a document calls the service as it calls itself, and links within it stay within it', () => {
  const text = 'http://127.0.0.1:4000/docs ws://127.0.0.1:4000/socket'
  const url = 'https://api.example.com'
  assert.equal(addressed(text, url), 'https://api.example.com/docs wss://api.example.com/socket')
  assert.equal(addressed(text, 'http://127.0.0.1:4000'), text)
  const cases: [string, string, string][] = [
    ['#part', 'part', '#part'],
    [`${url}/account`, 'page', '/account'],
    [url, 'page', '/'],
    [`${url}/docs/agents.md`, 'page', '/guide/agents'],
    ['/docs/start.md', 'page', '/guide'],
    ['/guide/methodology#9-outlook', 'page', '/guide/methodology#9-outlook'],
    ['/docs/decisions.md', 'page', '/guide/decisions'],
    ['/docs/scalar.js', 'file', '/docs/scalar.js'],
    ['/docs', 'file', '/docs'],
    ['/openapi.json', 'file', '/openapi.json'],
    [`${url}.evil.example/account`, 'elsewhere', `${url}.evil.example/account`],
    ['https://elsewhere.example/', 'elsewhere', 'https://elsewhere.example/'],
  ]
  for (const [href, kind, to] of cases) assert.deepEqual(targetOf(href, url), { kind, to }, href)
})
