import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { PYTHON, withMypy } from '../../clients/tools.ts'
import {
  type Block,
  blocksOf,
  checkTypes,
  EXAMPLES,
  folderIn,
  installClient,
  PAGES,
  ROOT,
} from '../../support/guides.ts'

/** Every program on a page and in `examples`, checked as a reader's compiler checks it. */
const inLanguage = (wanted: string): Block[] => PAGES.flatMap(blocksOf).filter(({ language }) => language === wanted)

/** Its packages are the judges': recipes.judge.ts checks it. */
const JUDGED = 'docs/recipes.md'

test('programs in TypeScript compile strictly, with the client as it is published', async () => {
  const folder = folderIn()
  await installClient(folder)
  const programs = new Map(EXAMPLES)
  let last: { readonly name: string; readonly heading: string } | null = null
  for (const { page, heading, code, at } of inLanguage('ts')) {
    if (page === JUDGED) continue
    // what imports nothing goes on where the block before it ended
    const goesOn = last !== null && last.heading === heading && !/^import /m.test(code)
    const name: string = goesOn ? last!.name : at.replace(/\W+/g, '-')
    programs.set(name, (programs.get(name) ?? '') + code)
    last = { name, heading }
  }
  assert.ok(programs.size >= EXAMPLES.size + 10, 'programs are not found any more')
  await checkTypes(folder, programs, { allowImportingTsExtensions: true })
})

test('programs in Python pass mypy, with the client', withMypy, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'snippets-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const programs = inLanguage('python')
  assert.ok(programs.length >= 6, 'programs are not found any more')
  const files = programs.map(({ at, code }) => {
    const file = join(folder, `${at.replace(/\W+/g, '_')}.py`)
    writeFileSync(file, code)
    return file
  })
  // pandas has no types in Debian
  writeFileSync(
    join(folder, 'mypy.ini'),
    '[mypy]\ncheck_untyped_defs = True\n[mypy-pandas]\nignore_missing_imports = True\n',
  )
  const options = ['--config-file', join(folder, 'mypy.ini'), '--cache-dir', join(folder, 'cache')]
  const env = { ...process.env, MYPYPATH: join(ROOT, 'clients/python') }
  await promisify(execFile)(PYTHON!, ['-B', '-m', 'mypy', ...options, ...files], { env }).catch((error) => {
    assert.fail(error.stdout + error.stderr)
  })
})
