import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { boardSize } from './board-size.ts'
import { compressed } from './compressed.ts'
import { pageEntries } from './page-entries.ts'

const service = process.env.SERVICE_URL ?? 'http://127.0.0.1:4000'

/** Paths that the development server forwards to the service. */
const asked = ['/v1', '/app/', '/account/', '/docs', '/openapi.json', '/llms.txt', '/readyz']

/** Names a page's chunk by its folder. */
const nameOf = (module: string | null | undefined, name: string): string =>
  /pages\/(\w+)\/page\.tsx$/.exec(module ?? '')?.[1] ?? name

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), boardSize(), pageEntries(), compressed()],
  build: {
    outDir: '../../dist/web',
    emptyOutDir: true,
    // notices of the bundled packages
    license: { fileName: 'THIRD-PARTY.md' },
    target: 'es2022',
    sourcemap: false,
    // the content security policy forbids inline code and allows data: only for images
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      input: { index: `${import.meta.dirname}/index.html`, early: `${import.meta.dirname}/src/early.ts` },
      // compression takes long and needs no warning
      checks: { pluginTimings: false },
      output: {
        chunkFileNames: (chunk) => `assets/${nameOf(chunk.facadeModuleId, chunk.name)}-[hash].js`,
        // few chunks: a browser loads six files at once, and a small file costs as much as a large one
        codeSplitting: {
          groups: [
            {
              name: 'early',
              test: /page\/src\/(?:early|api\/(?!resource|session)|pages\/\w+\/(?:first|columns|intro|lists)|shell\/routes|theme\/theme)/,
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
    // the guide imports documents from docs/
    fs: { allow: ['..'] },
    proxy: {
      ...Object.fromEntries(asked.map((path) => [path, { target: service, changeOrigin: true }])),
      // the service accepts only its own origin
      '/socket': { target: service, changeOrigin: true, ws: true, headers: { origin: service } },
    },
  },
})
