import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { openNode } from '@ti/service/service/node.ts'
import { useSmallBounds } from '../damage/bounds.ts'
import { feedMarket } from '../soak/feed.ts'
import { createMarket } from '../soak/market.ts'

/** store-writer.ts DIR SEED ENTRIES serving|folding: feeds a node and says in DIR/acknowledged what was committed, twice with an end. */
const [dir, seed, entries, mode] = process.argv.slice(2)
useSmallBounds()
const market = createMarket(Number(seed), 'live')
for (const end of [Math.floor(Number(entries) / 2), Number(entries)]) {
  const node = await openNode(dir!, { serving: mode === 'serving' })
  await feedMarket(node, market, {
    end,
    onCommit: () => appendFileSync(join(dir!, 'acknowledged'), `${node.engine.globals.seq}\n`),
  })
  await node.close()
}
