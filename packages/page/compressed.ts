import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import type { Plugin } from 'vite'

/** bytes; compressing a smaller file gains nothing */
const LEAST = 1_024
const TEXTS = /\.(?:html|js|css|svg|json|txt|webmanifest)$/

/** Writes FILE.br and FILE.gz beside each file of a build, at the highest compression (about a second of work). */
export function compressed(): Plugin {
  return {
    name: 'compressed',
    apply: 'build',
    async writeBundle({ dir = '' }, bundle) {
      const texts = Object.keys(bundle).filter((file) => TEXTS.test(file))
      await Promise.all(
        texts.map(async (file) => {
          const path = join(dir, file)
          const content = await readFile(path)
          if (content.length < LEAST) return
          await writeFile(`${path}.br`, await promisify(brotliCompress)(content))
          await writeFile(`${path}.gz`, await promisify(gzip)(content, { level: 9 }))
        }),
      )
    },
  }
}
