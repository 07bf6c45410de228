import { dirname, join } from 'node:path/posix'
import { parseAst } from 'vite'

/** What tidy-imports.test.ts asks of the code, as functions of texts, so that each check can be shown to catch what it is for. */

/** path from the root of the project → text */
export type Texts = ReadonlyMap<string, string>

interface Import {
  readonly target: string
  /** null: everything */
  readonly names: readonly string[] | null
  readonly isOfTypes: boolean
  /** loaded when it is asked for, or run by itself: no part of a circle */
  readonly isLater: boolean
}

export type Imports = ReadonlyMap<string, readonly Import[]>

const STATEMENT = /^(?:import|export)\s+(?:(type)\s+)?(\{[^}]*\}|[^'"{};]*?(?:\{[^}]*\})?)\s*from\s+'(\.[^']+)'/gm
const WHOLE = /\bimport\s*(\(?)\s*'(\.[^']+)'|new URL\(\s*[`'](\.[^`']+)[`']|'(\.\/[\w-]+\.ts)'/g

function importsIn(path: string, text: string): Import[] {
  const at = (to: string): string => join(dirname(path), to.replace(/\?raw$/, ''))
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
      isLater: false,
    }
  })
  const named = new Set(statements.map(({ target }) => target))
  // dynamic imports, and files that are named to be run: whatever they export is asked for
  const wholes = [...text.matchAll(WHOLE)]
    .map((found): Import => {
      const target = at(found[2] ?? found[3] ?? found[4]!)
      return { target, names: null, isOfTypes: false, isLater: found[2] === undefined || found[1] === '(' }
    })
    .filter(({ target }) => !named.has(target))
  return [...statements, ...wholes]
}

export const importsOf = (texts: Texts): Imports =>
  new Map([...texts].map(([path, text]) => [path, importsIn(path, text)]))

/** The groups of files of which each reaches each by imports of values (Tarjan). */
export function circlesIn(imports: Imports, isChecked: (path: string) => boolean): string[][] {
  const order = new Map<string, number>()
  const lowest = new Map<string, number>()
  const open: string[] = []
  const found: string[][] = []
  function visit(path: string): void {
    order.set(path, order.size)
    lowest.set(path, order.get(path)!)
    open.push(path)
    for (const { target, isOfTypes, isLater } of imports.get(path)!) {
      if (isOfTypes || isLater || !isChecked(target) || !imports.has(target)) continue
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

const DECLARED =
  /^export (?:async )?(?:function\*?|const|let|class|interface|type|enum|abstract class) (\w+)|^export \{([^}]*)\}(?! from)/gm

/** "path name" of each export that no file imports. */
export function unusedExports(texts: Texts, isChecked: (path: string) => boolean): string[] {
  const asked = new Map<string, Set<string> | 'all'>()
  for (const { target, names } of [...importsOf(texts).values()].flat()) {
    const before = asked.get(target)
    if (names === null || before === 'all') asked.set(target, 'all')
    else asked.set(target, new Set([...(before ?? []), ...names]))
  }
  const exported = (one: string | undefined, several: string | undefined): string[] =>
    one !== undefined
      ? [one]
      : several!.split(',').map(
          (part) =>
            part
              .trim()
              .split(/\s+as\s+/)
              .at(-1)!,
        )
  return [...texts]
    .filter(([path]) => isChecked(path) && asked.get(path) !== 'all')
    .flatMap(([path, text]) => {
      const used = asked.get(path) as Set<string> | undefined
      const names = [...text.matchAll(DECLARED)].flatMap(([, one, several]) => exported(one, several))
      return names.filter((name) => name !== '' && !used?.has(name)).map((name) => `${path} ${name}`)
    })
}

/** Of a function: its lines, and those of them that belong to no function inside it. */
export interface Length {
  readonly path: string
  readonly name: string
  readonly lines: number
  readonly ownLines: number
}

interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly id?: { readonly name?: string } | null
  readonly key?: { readonly name?: string } | null
}

const FUNCTIONS = /^(?:FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/

/**
 * The functions of a file. A factory, whose functions share what it declares, is as long as what a reader has to keep in mind of it:
 * its own lines. Functions written in one line are part of what is around them.
 */
export function lengthsOf(path: string, text: string): Length[] {
  const starts = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)]
  const lineAt = (place: number): number => {
    let [low, high] = [0, starts.length]
    while (high - low > 1) {
      const middle = (low + high) >> 1
      if (starts[middle]! <= place) low = middle
      else high = middle
    }
    return low
  }
  const found: Length[] = []
  /** lines of the functions in `node` that are in no other of them */
  function inside(node: unknown, name: string): number {
    if (Array.isArray(node)) return node.reduce((sum: number, one) => sum + inside(one, name), 0)
    if (node === null || typeof node !== 'object' || typeof (node as Node).type !== 'string') return 0
    const { type, start, end, id, key } = node as Node
    const own = id?.name ?? key?.name ?? name
    const nested = Object.values(node).reduce((sum: number, value) => sum + inside(value, own), 0)
    if (!FUNCTIONS.test(type)) return nested
    const lines = lineAt(end) - lineAt(start) + 1
    found.push({ path, name: own, lines, ownLines: lines - nested })
    return lines > 1 ? lines : 0
  }
  inside(parseAst(text, { lang: path.endsWith('x') ? 'tsx' : 'ts' }).body, '(nameless)')
  return found
}
