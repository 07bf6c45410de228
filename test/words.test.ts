import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { test } from 'node:test'

/** The words that people read: on the page, in verdicts, alerts, errors, commands and guides. */
const ROOT = resolve(import.meta.dirname, '..')

/** What no native reader would say, and what to say instead. */
const BANNED: readonly (readonly [RegExp, string])[] = [
  [/\bforet(?:old|ell)/i, 'predicted, or k of the last n'],
  [/\btowards the prior\b|\bthe prior\b/i, 'towards the average token'],
  [/(?<!\b[Ff]irst )\bbags?\b/, 'its tokens, what it holds'],
  [/\bis here\b/, 'NAME again'],
  [/\bexited\b/i, 'sold, left, is out'],
  [/\bdirty\b/i, 'suspicious wallets'],
  [/\bown people\b/i, 'inner circle, or the deployer, insiders and groups'],
  [/\blaunched \S+ (?:others?|tokens?): /i, 'N other launches: …, sums that add up'],
  [/[\d}] %(?!\w)/, 'a percent sign without a space: 19%'],
]
/** Times of these are of day, or in seconds and minutes. */
const WITHOUT_SLOTS =
  /^packages\/(?:core\/src\/(?:query\/(?:people\/verdict|previews)|base\/verdict-codes)|service\/src\/(?:alerts\/words|cli\/(?:who-lines|ask-about)))\.ts$/

interface Said {
  readonly path: string
  readonly text: string
}

function filesIn(folder: string, name: RegExp): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => name.test(path) && !/\.test\.|generated/.test(path))
    .map((path) => join(folder, path))
}

const COMMENTS = /\/\*[\s\S]*?\*\/|(?<=^|[\s;{(,])\/\/.*$/gm
/** Strings, templates and text between tags. */
const TEXTS =
  /'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`|(?<=[\w"'}/])>([^<>{}=;()]*[a-z][^<>{}=;()]*)(?=[<{])/g
/** A string of one word is read by people only where it is a label. */
const LABEL = /\b(?:label|tab|title|head|means|placeholder|note)\w*[:=(]\s*$/

/** The texts of a source that are sentences or labels. */
function textsOf(code: string): string[] {
  const plain = code.replace(COMMENTS, '').replace(/^(?:import|export) .*? from .*$/gm, '')
  return [...plain.matchAll(TEXTS)].flatMap((found) => {
    const text = (found[1] ?? found[2] ?? found[3] ?? found[4] ?? '').replace(/\$\{[^}]*\}/g, '$}')
    const isSentence = /\S\s\S/.test(text.trim())
    return isSentence || LABEL.test(plain.slice(0, found.index)) ? [text] : []
  })
}

/** Guides without their code. */
const proseOf = (page: string): string[] =>
  page
    .replace(/^```[\s\S]*?^```/gm, '')
    .replace(/`[^`\n]*`/g, '')
    .split('\n')

const SOURCES = [
  ...['page/src', 'core/src/query', 'core/src/contract', 'sandbox/src/demo'],
  ...['service/src/alerts', 'service/src/cli', 'service/src/faces', 'service/src/access'],
].flatMap((folder) => filesIn(`packages/${folder}`, /\.tsx?$/))
const GUIDES = [...filesIn('docs', /\.md$/), 'README.md']

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')
const said: readonly Said[] = [
  ...[...SOURCES, 'packages/core/src/base/verdict-codes.ts'].flatMap((path) =>
    textsOf(read(path)).map((text) => ({ path, text })),
  ),
  ...GUIDES.flatMap((path) => proseOf(read(path)).map((text) => ({ path, text }))),
]

const wrong = (all: readonly Said[]): string[] =>
  all.flatMap(({ path, text }) => [
    ...BANNED.filter(([word]) => word.test(text)).map(
      ([word, better]) => `${path}: “${text.trim()}” has ${word}: say ${better}`,
    ),
    ...(WITHOUT_SLOTS.test(path) && /\bslots?\b/.test(text) ? [`${path}: “${text}” tells the time in slots`] : []),
  ])

test('no text that people read has a banned word', () => {
  assert.ok(said.length > 5_000, `only ${said.length} texts were found`)
  assert.deepEqual(wrong(said), [])
})

test('the words are found wherever people read them', () => {
  const path = 'packages/core/src/query/previews.ts'
  const code =
    "// dirty work\nimport x from 'dirty rugs'\nconst a = { label: 'Dirty', rating: 'dirty', b: `5 % of it`, c: 'a few slots ago' }"
  assert.deepEqual(textsOf(code), ['Dirty', '5 % of it', 'a few slots ago'])
  assert.equal(wrong(textsOf(code).map((text) => ({ path, text }))).length, 3)
  assert.deepEqual(textsOf('<p title="the prior">Its bag {n} is gone</p>'), ['the prior', 'Its bag '])
  assert.deepEqual(proseOf('a `dirty` b\n```\ndirty\n```\n').join('|').includes('dirty'), false)
})
