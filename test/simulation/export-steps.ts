import { readSync, writeSync } from 'node:fs'
import { exportParquet } from '@ti/service/export/export.ts'

/** Exports as its argument says, and asks before it goes on, so that the moment of a kill is chosen and not a matter of speed. */
const options = JSON.parse(process.argv[2]!) as Omit<Parameters<typeof exportParquet>[0], 'onNews'>
await exportParquet({
  ...options,
  onNews(news) {
    writeSync(1, `${news.kind}\n`)
    readSync(0, Buffer.alloc(1))
  },
})
