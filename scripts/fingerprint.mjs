// Computes the fingerprint of the fold, which the build writes into dist/fingerprint.txt. It is the beginning of the
// SHA-256 of the fold's code, bundled and minified: packages/core/src/engine and packages/core/src/model, the reading of log entries, and their
// imports. So it changes with every statement and number that can change a state, but not with comments, types, layout,
// or names inside a function.
//
// Decoding is not included, because the log holds decoded events, and neither is the store, whose layout has a
// version of its own (FORMAT_VERSION). Another release of esbuild may minify differently; then states are folded again
// unnecessarily, but never the reverse.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const root = fileURLToPath(new URL('..', import.meta.url))
/** Reads log entries and passes them to the engine. */
const COMMIT = 'packages/service/src/ingest/commit.ts'

const sourcesIn = (folder) =>
  readdirSync(join(root, folder), { recursive: true })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => `${folder}/${name}`)
    .sort()

/** The fingerprint of the sources, each transformed by `change` from its path and text. */
export async function fingerprintOf(change = (_path, text) => text) {
  const paths = [...sourcesIn('packages/core/src/engine'), ...sourcesIn('packages/core/src/model'), COMMIT]
  const contents = paths.map((path, i) => `export * as part${i} from './${path}'\n`).join('')
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: root, loader: 'ts' },
    bundle: true,
    minify: true,
    legalComments: 'none',
    format: 'esm',
    platform: 'node',
    target: 'node20',
    write: false,
    plugins: [
      {
        name: 'change',
        setup: ({ onLoad }) =>
          onLoad({ filter: /\.ts$/ }, ({ path }) => ({
            contents: change(relative(root, path), readFileSync(path, 'utf8')),
            loader: 'ts',
          })),
      },
    ],
  })
  return createHash('sha256').update(outputFiles[0].contents).digest('hex').slice(0, 16)
}
