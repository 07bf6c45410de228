// The fingerprint of the fold, which the build writes into dist/fingerprint.txt. It is the start of the SHA-256 of what the fold consists of, bundled
// and minified: all of packages/core/src/engine and packages/core/src/model, the reading of log entries, and whatever these import. So it changes with every
// statement and number that can change a state, and not with comments, types, layout, or names inside a function.
//
// Decoding is not part of it: the log holds the events that were decoded, and a state is a fold of these. Nor is the store: its layout
// has a version of its own (FORMAT_VERSION). Another release of esbuild may minify differently: then a state is folded again for
// nothing, and never the other way round.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const root = fileURLToPath(new URL('..', import.meta.url))
/** Reads log entries and hands them to the engine. */
const COMMIT = 'packages/service/src/ingest/commit.ts'

const sourcesIn = (folder) =>
  readdirSync(join(root, folder), { recursive: true })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => `${folder}/${name}`)
    .sort()

/** The fingerprint of the sources here, each as `change` makes it from its path and text. */
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
