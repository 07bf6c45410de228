import { gzipSync } from 'node:zlib'
import type { Plugin } from 'vite'

/** compressed JavaScript, in kB, that the board may load before it shows its first token */
const BUDGET_KB = 120
const BOARD = 'src/pages/board/page.tsx'

/** Reports the size of the board's JavaScript after a build and fails the build above the budget. */
export function boardSize(): Plugin {
  return {
    name: 'board-size',
    apply: 'build',
    generateBundle(_, bundle) {
      const needed = new Set<string>()
      const add = (file: string): void => {
        const chunk = bundle[file]
        if (chunk?.type !== 'chunk' || needed.has(file)) return
        needed.add(file)
        for (const imported of chunk.imports) add(imported)
      }
      const weigh = (file: string): number => {
        const chunk = bundle[file]
        return chunk?.type === 'chunk' ? gzipSync(chunk.code).length / 1000 : 0
      }
      for (const [file, chunk] of Object.entries(bundle)) {
        if (chunk.type === 'chunk' && (chunk.isEntry || chunk.facadeModuleId?.endsWith(BOARD))) add(file)
      }
      const total = [...needed].reduce((sum, file) => sum + weigh(file), 0)
      const others = Object.keys(bundle)
        .filter((file) => file.endsWith('.js') && !needed.has(file))
        .map((file) => `${file.replace(/^assets\/|-[\w-]{8}\.js$/g, '')} ${weigh(file).toFixed(1)}`)
      const said = `page: the board loads ${total.toFixed(1)} kB of JavaScript (gzip; at most ${BUDGET_KB})`
      if (total > BUDGET_KB) this.error(said)
      console.log(others.length > 0 ? `${said}; on demand: ${others.join(', ')}` : said)
    },
  }
}
