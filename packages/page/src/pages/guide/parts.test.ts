import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { METHOD_PARTS } from '../../ui/how.ts'
import { type Block, readMarkdown } from './markdown.ts'

const DOCS = resolve(import.meta.dirname, '../../../../../docs')

const partsOf = (blocks: readonly Block[]): Set<string> =>
  new Set(blocks.flatMap((block) => (block.kind === 'heading' ? [block.id] : [])))
const read = (file: string): string => readFileSync(join(DOCS, file), 'utf8')

test('the methodology has every part that panels lead to', () => {
  const parts = partsOf(readMarkdown(read('methodology.md')))
  assert.deepEqual(
    METHOD_PARTS.filter((part) => !parts.has(part)),
    [],
  )
})

test('links within a document lead to parts that it has', () => {
  for (const file of readdirSync(DOCS).filter((name) => name.endsWith('.md'))) {
    const source = read(file)
    const parts = partsOf(readMarkdown(source))
    const led = [...source.matchAll(/\]\(#([^()\s]+)\)/g)].map(([, part]) => part!)
    assert.deepEqual(
      led.filter((part) => !parts.has(part)),
      [],
      file,
    )
  }
})
