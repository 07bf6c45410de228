import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { boardSize } from './board-size.ts'
import { compressed } from './compressed.ts'
import { pageEntries } from './page-entries.ts'

const service = process.env.SERVICE_URL ?? 'http://127.0.0.1:4000'

/** What the page asks of the service, while vite serves the page itself; the page's own paths are not among them. */
const asked = ['/v1', '/app/', '/account/', '/docs', '/openapi.json', '/llms.txt', '/readyz']

/** Chunks of pages are called by their page, not all `page`. */
const nameOf = (module: string | null | undefined, name: string): string =>
  /pages\/(\w+)\/page\.tsx$/.exec(module ?? '')?.[1] ?? name

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), boardSize(), pageEntries(), compressed()],
  build: {
    outDir: '../../dist/web',
    emptyOutDir: true,
    // the notices of the packages in the page
    license: { fileName: 'THIRD-PARTY.md' },
    target: 'es2022',
    sourcemap: false,
    // nothing is inlined: the policy of the page allows no inline code, and data: only for images
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      input: { index: `${import.meta.dirname}/index.html`, early: `${import.meta.dirname}/src/early.ts` },
      // compressing takes its time, and is nothing to be warned of
      checks: { pluginTimings: false },
      output: {
        chunkFileNames: (chunk) => `assets/${nameOf(chunk.facadeModuleId, chunk.name)}-[hash].js`,
        // few files: a browser asks for six at once, and each of twenty small ones costs as much as a large one
        codeSplitting: {
          groups: [
            {
              name: 'early',
              test: /page\/src\/(?:early|api\/(?!resource|session)|pages\/\w+\/(?:first|columns)|shell\/routes|theme\/theme)/,
              priority: 2,
            },
            { name: 'parts', test: /page\/src\/(?:ui|watch)\//, minShareCount: 2, priority: 1 },
          ],
        },
      },
    },
  },
  server: {
    host: '127.0.0.1',
    // the guide is read from docs/
    fs: { allow: ['..'] },
    proxy: {
      ...Object.fromEntries(asked.map((path) => [path, { target: service, changeOrigin: true }])),
      // the service admits its own origin only
      '/socket': { target: service, changeOrigin: true, ws: true, headers: { origin: service } },
    },
  },
})
