import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { test } from 'node:test'

/** Who imports what from where: circles, and what nobody asks for. */
const ROOT = resolve(import.meta.dirname, '..')
const CODE = ['src', 'web/src', 'test', 'bench', 'scripts']
const texts = new Map(
  CODE.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(tsx?|mjs)$/.test(name) && !name.includes('node_modules'))
      .map((name) => join(folder, name))
      .map((path) => [path, readFileSync(join(ROOT, path), 'utf8')] as const),
  ),
)
const isChecked = (path: string): boolean => /^(src|web\/src)\//.test(path) && !/\.test(-data)?\.tsx?$/.test(path)

interface Import {
  readonly target: string
  /** null: everything */
  readonly names: readonly string[] | null
  readonly isOfTypes: boolean
}

const STATEMENT = /^(?:import|export)\s+(?:(type)\s+)?(\{[^}]*\}|[^'"{};]*?(?:\{[^}]*\})?)\s*from\s+'(\.[^']+)'/gm
const WHOLE = /\bimport\s*\(?\s*'(\.[^']+)'|new URL\(\s*[`'](\.[^`']+)[`']|'(\.\/[\w-]+\.ts)'/g

function importsOf(path: string, text: string): Import[] {
  const at = (to: string): string => relative(ROOT, resolve(ROOT, dirname(path), to.replace(/\?raw$/, '')))
  const statements = [...text.matchAll(STATEMENT)].map(([, type, what, to]): Import => {
    const parts = /^\{([^}]*)\}$/
      .exec(what!.trim())?.[1]
      ?.split(',')
      .map((part) => part.trim())
    const named = parts?.filter((part) => part !== '')
    return {
      target: at(to!),
      names: named?.map((part) => part.replace(/^type\s+/, '').split(/\s+as\s+/)[0]!) ?? null,
      isOfTypes: type !== undefined || (named?.every((part) => part.startsWith('type ')) ?? false),
    }
  })
  const named = new Set(statements.map(({ target }) => target))
  // threads, dynamic imports, and files that are named to be run: whatever they export is asked for
  const wholes = [...text.matchAll(WHOLE)]
    .map((found) => at(found[1] ?? found[2] ?? found[3]!))
    .filter((target) => !named.has(target))
    .map((target): Import => ({ target, names: null, isOfTypes: false }))
  return [...statements, ...wholes]
}

const imports = new Map([...texts].map(([path, text]) => [path, importsOf(path, text)]))

/** The groups of files of which each reaches each by imports of values (Tarjan). */
function circles(): string[][] {
  const order = new Map<string, number>()
  const lowest = new Map<string, number>()
  const open: string[] = []
  const found: string[][] = []
  function visit(path: string): void {
    order.set(path, order.size)
    lowest.set(path, order.get(path)!)
    open.push(path)
    for (const { target, isOfTypes, names } of imports.get(path)!) {
      if (isOfTypes || names === null || !isChecked(target) || !imports.has(target)) continue
      if (!order.has(target)) visit(target)
      if (open.includes(target)) lowest.set(path, Math.min(lowest.get(path)!, lowest.get(target)!))
    }
    if (lowest.get(path) !== order.get(path)) return
    const circle = open.splice(open.indexOf(path))
    if (circle.length > 1) found.push(circle.sort())
  }
  for (const path of imports.keys()) if (isChecked(path) && !order.has(path)) visit(path)
  return found
}

test('no files import values from each other in a circle', () => {
  assert.ok(imports.size > 500 && [...imports.values()].flat().length > 2_000)
  assert.deepEqual(circles(), [])
})

const DECLARED =
  /^export (?:async )?(?:function\*?|const|let|class|interface|type|enum|abstract class) (\w+)|^export \{([^}]*)\}(?! from)/gm

test('every export is imported by somebody', () => {
  const asked = new Map<string, Set<string> | 'all'>()
  for (const { target, names } of [...imports.values()].flat()) {
    const before = asked.get(target)
    if (names === null || before === 'all') asked.set(target, 'all')
    else asked.set(target, new Set([...(before ?? []), ...names]))
  }
  const unused: string[] = []
  for (const [path, text] of texts) {
    // made alike for every record
    if (!isChecked(path) || path.startsWith('src/model/generated/')) continue
    const used = asked.get(path)
    if (used === 'all') continue
    for (const [, one, several] of text.matchAll(DECLARED)) {
      const names =
        one === undefined
          ? several!.split(',').map(
              (part) =>
                part
                  .trim()
                  .split(/\s+as\s+/)
                  .at(-1)!,
            )
          : [one]
      unused.push(...names.filter((name) => name !== '' && !used?.has(name)).map((name) => `${path} ${name}`))
    }
  }
  assert.deepEqual(unused, [])
})
