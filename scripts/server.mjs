// Builds a program: the one of this repository (dist), which has simulated markets and play money in it; with the word `operator` the
// one that operators install (packages/service/dist), which has neither; with `bench` the repository's with a source that tells when each
// block left it (bench/dist). Each is the program and its threads, with chunks for what they share and load on demand; the files that they read, the
// fingerprint of the fold among them; and the notices of all packages whose code is in there.
import { copyFileSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { fingerprintOf } from './fingerprint.mjs'
import { noticesOf } from './notices.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const SERVICE = join(root, 'packages/service')
const isForOperators = process.argv[2] === 'operator'
const isForBench = process.argv[2] === 'bench'
const dist = join(isForOperators ? SERVICE : isForBench ? join(root, 'bench') : root, 'dist')
const require = createRequire(import.meta.url)

/** Packages outside the built files, with the reason. Installed ones are the dependencies in package.json. */
const OUTSIDE = {
  '@photostructure/sqlite': 'native code, found beside the package',
  '@resvg/resvg-js': 'native code, found by the package for each platform',
  'litesvm-*': 'native code of litesvm, a package for each platform',
  '@triton-one/yellowstone-grpc-napi-*': 'native code of the Yellowstone client, a package for each platform',
  'pg-native': 'pg asks for it on demand only, and nothing does',
  bufferutil: 'ws does without it where it is not installed',
  'utf-8-validate': 'ws does without it where it is not installed',
}

const REFERENCE = join(root, 'packages/page/reference/node_modules/@scalar/api-reference')
const FONTS = join(root, 'node_modules/@expo-google-fonts/inter')
const WEIGHTS = ['400Regular/Inter_400Regular.ttf', '700Bold/Inter_700Bold.ttf']

/** The program, what registers kinds with it and with its threads, and every thread that it starts (packages/service/src/base/thread.ts). */
const entries = {
  ...(isForOperators
    ? { main: 'packages/service/src/main.ts' }
    : {
        main: isForBench ? 'bench/program.ts' : 'packages/lab/src/main.ts',
        'register-lab': 'packages/lab/src/register.ts',
        'register-sandbox': 'packages/sandbox/src/register.ts',
        ...(isForBench && { paced: 'bench/paced.ts' }),
      }),
  ...Object.fromEntries(
    readdirSync(join(SERVICE, 'src'), { recursive: true })
      .filter((file) => file.endsWith('-thread.ts'))
      .map((file) => [file.slice(0, -'.ts'.length), `packages/service/src/${file}`]),
  ),
}

/** A source map without lines. Complete maps of packages would be twice our own in size, and each start reads them. */
const NO_LINES = Buffer.from('{"version":3,"sources":[""],"mappings":"AAAA"}').toString('base64')
const withoutLines = {
  name: 'without-lines',
  setup: ({ onLoad }) =>
    onLoad({ filter: /node_modules.*\.[cm]?js$/ }, ({ path }) => ({
      contents: `${readFileSync(path, 'utf8')}\n//# sourceMappingURL=data:application/json;base64,${NO_LINES}`,
      loader: 'js',
    })),
}

if (!existsSync(REFERENCE)) {
  process.stderr.write('the reference page is not installed: run `npm ci`\n')
  process.exit(1)
}
const { outputFiles, metafile } = await build({
  absWorkingDir: root,
  entryPoints: entries,
  outdir: dist,
  // one folder below the program, as packages/service/src/base is below its sources: see root.ts and thread.ts there
  chunkNames: 'chunks/[name]-[hash]',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  external: Object.keys(OUTSIDE),
  // CommonJS packages call require for Node's modules
  banner: {
    js: "import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url)",
  },
  plugins: [withoutLines],
  // saves a fifth of each thread's memory for code; names stay, for stack traces
  minifyWhitespace: true,
  minifySyntax: true,
  // all of them are in THIRD-PARTY.txt
  legalComments: 'none',
  sourcemap: true,
  sourcesContent: false,
  metafile: true,
  write: false,
})

mkdirSync(dist, { recursive: true })
// files of an earlier build would be packed; folders and stamps of the other parts stay
for (const name of readdirSync(dist)) {
  if (!/^(?:web|\..*)$/.test(name)) rmSync(join(dist, name), { recursive: true })
}
for (const { path, contents } of outputFiles) {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, contents)
}
mkdirSync(join(dist, 'fonts'))
for (const file of WEIGHTS) copyFileSync(join(FONTS, file), join(dist, 'fonts', file.replace(/.*\//, '')))
// the version is in the name, so that the service need not look for the package
const { version } = require(join(REFERENCE, 'package.json'))
mkdirSync(join(dist, 'reference'))
copyFileSync(join(REFERENCE, 'dist/browser/standalone.js'), join(dist, `reference/scalar-${version}.js`))
const copied = [REFERENCE, FONTS].map((folder) => join(folder, 'package.json'))
const bundled = Object.keys(metafile.inputs).map((file) => join(root, file))
writeFileSync(join(dist, 'THIRD-PARTY.txt'), noticesOf([...bundled, ...copied]))
writeFileSync(join(dist, 'fingerprint.txt'), await fingerprintOf())
// served under /docs
mkdirSync(join(dist, 'docs'))
for (const file of readdirSync(join(root, 'docs'))) copyFileSync(join(root, 'docs', file), join(dist, 'docs', file))
copyFileSync(join(root, 'CHANGELOG.md'), join(dist, 'docs/CHANGELOG.md'))
if (isForOperators) {
  // files of an earlier page would be packed too
  rmSync(join(dist, 'web'), { recursive: true, force: true })
  cpSync(join(root, 'dist/web'), join(dist, 'web'), { recursive: true })
  for (const file of ['README.md', 'LICENSE']) copyFileSync(join(root, file), join(SERVICE, file))
}
