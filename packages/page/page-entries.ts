import { createServer, type Plugin, type Rolldown } from 'vite'

const EARLY = 'early'
const SKELETONS = `${import.meta.dirname}/skeletons.tsx`
const ROOT = '<div id="page"></div>'
const PAGE = /pages\/(\w+)\/page\.tsx$/

/**
 * What a page needs is asked for at once, and not found out one file after the other: index.html runs `early.ts` before everything
 * else, and each page has an index.html of its own, html/NAME.html, that names the page's own scripts and styles and has its
 * skeleton.
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
        // it knows the reader's colours: nothing is painted before it has run
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

/** Made by the page's own code, with the names that the build gives to classes. */
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

/** A chunk and all that it imports, with their styles. */
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
