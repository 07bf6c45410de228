// Makes the empty database of accounts that a first start unpacks (dist/accounts), with the server as it is built.
import { mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { makeCopy } from '../dist/access/embedded/copies.js'
import { templatePath } from '../dist/access/embedded/template.js'
import { openDatabase } from '../dist/access/sql/database.js'

const path = templatePath()
const folder = dirname(path)
rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })
const making = mkdtempSync(join(folder, 'making-'))
try {
  const database = await openDatabase({ dataDir: making, url: null })
  const { name } = await makeCopy(database.files, Date.now())
  await database.close()
  // whole or not at all
  renameSync(join(database.files.places.copies, name), path)
} finally {
  rmSync(making, { recursive: true, force: true })
}
