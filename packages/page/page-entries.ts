import { createServer, type Plugin, type Rolldown } from 'vite'

const EARLY = 'early'
const SKELETONS = `${import.meta.dirname}/skeletons.tsx`
const ROOT = '<div id="page"></div>'
const PAGE = /pages\/(\w+)\/page\.tsx$/

/**
 * Writes an index.html for each page, `html/NAME.html`, with the page's scripts, styles and skeleton, so that the browser
 * requests everything at once. `early.ts` runs before the rest.
 */
export function pageEntries(): Plugin {
  return {
    name: 'page-entries',
    apply: 'build',
    enforce: 'post',
    generateBundle: {
      order: 'post',
      async handler(_, bundle) {
        const index = bundle['index.html']
        if (index?.type !== 'asset') this.error('the build has no index.html')
        const chunks = Object.values(bundle).filter((one) => one.type === 'chunk')
        const early = chunks.find(({ isEntry, name }) => isEntry && name === EARLY)
        const main = chunks.find(({ isEntry, name }) => isEntry && name === 'index')
        if (early === undefined || main === undefined) this.error('the build lacks an entry')
        const first = filesOf(early, bundle)
        const always = new Set([...filesOf(main, bundle), ...first])
        // the early script sets the colour scheme, so painting waits for it
        const script = `<script type="module" blocking="render" crossorigin src="/${early.fileName}"></script>`
        const links = [...first].filter((file) => file !== early.fileName).map(linkTo)
        const text = String(index.source).replace(/(?=<script type="module")/, () =>
          [script, ...links, ''].join('\n    '),
        )
        index.source = text
        for (const [file, skeleton] of await skeletons()) {
          const [name = ''] = file.split('-')
          const chunk = chunks.find(({ facadeModuleId }) => PAGE.exec(facadeModuleId ?? '')?.[1] === name)
          if (chunk === undefined) this.error(`the build has no page ${name}`)
          const own = [...filesOf(chunk, bundle)].filter((file) => !always.has(file))
          const source = text
            .replace('</head>', () => `  ${own.map(linkTo).join('\n    ')}\n  </head>`)
            .replace(ROOT, (root) => root.replace('><', () => `>${skeleton}<`))
          this.emitFile({ type: 'asset', fileName: `html/${file}.html`, source })
        }
      },
    },
  }
}

/** The page's own components render the skeletons, with the class names of this build. */
async function skeletons(): Promise<ReadonlyMap<string, string>> {
  const server = await createServer({
    ...{ configFile: false, root: import.meta.dirname, appType: 'custom', logLevel: 'error' },
    server: { middlewareMode: true, ws: false, watch: null },
    optimizeDeps: { noDiscovery: true },
  })
  try {
    const { skeletons } = (await server.ssrLoadModule(SKELETONS)) as typeof import('./skeletons.tsx')
    return await skeletons()
  } finally {
    await server.close()
  }
}

const linkTo = (file: string): string =>
  file.endsWith('.css')
    ? `<link rel="stylesheet" crossorigin href="/${file}">`
    : `<link rel="modulepreload" crossorigin href="/${file}">`

/** Returns the files of a chunk, its imports and their styles. */
function filesOf(chunk: Rolldown.OutputChunk, bundle: Rolldown.OutputBundle, found = new Set<string>()): Set<string> {
  if (found.has(chunk.fileName)) return found
  found.add(chunk.fileName)
  for (const file of chunk.viteMetadata?.importedCss ?? []) found.add(file)
  for (const name of chunk.imports) {
    const imported = bundle[name]
    if (imported?.type === 'chunk') filesOf(imported, bundle, found)
  }
  return found
}
