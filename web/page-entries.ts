import type { Plugin, Rolldown } from 'vite'

const EARLY = 'early'
const PAGE = /pages\/(\w+)\/page\.tsx$/

/**
 * What a page needs is asked for at once, and not found out one file after the other: index.html runs `early.ts` before everything
 * else, and each page has an index.html of its own, html/NAME.html, that names the page's own scripts and styles.
 */
export function pageEntries(): Plugin {
  return {
    name: 'page-entries',
    apply: 'build',
    enforce: 'post',
    generateBundle: {
      order: 'post',
      handler(_, bundle) {
        const index = bundle['index.html']
        if (index?.type !== 'asset') this.error('the build has no index.html')
        const chunks = Object.values(bundle).filter((one) => one.type === 'chunk')
        const early = chunks.find(({ isEntry, name }) => isEntry && name === EARLY)
        const main = chunks.find(({ isEntry, name }) => isEntry && name === 'index')
        if (early === undefined || main === undefined) this.error('the build lacks an entry')
        const first = filesOf(early, bundle)
        const always = new Set([...filesOf(main, bundle), ...first])
        const script = `<script type="module" crossorigin src="/${early.fileName}"></script>`
        const links = [...first].filter((file) => file !== early.fileName).map(linkTo)
        const text = String(index.source).replace(/(?=<script type="module")/, () =>
          [script, ...links, ''].join('\n    '),
        )
        index.source = text
        for (const chunk of chunks) {
          const name = PAGE.exec(chunk.facadeModuleId ?? '')?.[1]
          if (name === undefined) continue
          const own = [...filesOf(chunk, bundle)].filter((file) => !always.has(file))
          const source = text.replace('</head>', () => `  ${own.map(linkTo).join('\n    ')}\n  </head>`)
          this.emitFile({ type: 'asset', fileName: `html/${name}.html`, source })
        }
      },
    },
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
