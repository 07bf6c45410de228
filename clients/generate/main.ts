import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { readInterface } from './interface.ts'
import { pythonOf } from './python.ts'
import { typescriptOf } from './typescript.ts'

/** Writes the generated files of the clients. A test compares them. */
const root = fileURLToPath(new URL('../..', import.meta.url))

/** Path from the project's root → text. */
export function generated(): Readonly<Record<string, string>> {
  const described = readInterface(readFileSync(`${root}openapi.json`, 'utf8'))
  return {
    'clients/typescript/src/generated.ts': typescriptOf(described),
    ...pythonOf(described),
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const [path, text] of Object.entries(generated())) writeFileSync(root + path, text)
}
